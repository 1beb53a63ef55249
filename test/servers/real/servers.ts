/** How llama.cpp, LiteLLM and Ollama are started here. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Started, startServer } from "./started.ts";

const run = promisify(execFile);

export interface LlamaServer {
  /** Where llama-server and its libraries are. */
  bin: string;
  weights: string;
  window: number;
  template?: string | undefined;
}

export const startLlama = ({ bin, weights, window, template }: LlamaServer): Promise<Started> =>
  startServer({
    command: join(bin, "llama-server"),
    env: { LD_LIBRARY_PATH: bin },
    health: "/health",
    args: (port) => [
      ...["--host", "127.0.0.1", "--port", String(port), "--no-webui", "--offline", "--threads", "2"],
      ...["--model", weights, "--ctx-size", String(window), "--parallel", "1"],
      ...(template ? ["--chat-template-file", template] : []),
    ],
  });

/** With one model, of the weights and the template that are given. */
export async function startOllama(
  ollama: string,
  { folder, weights, window }: Pick<LlamaServer, "weights" | "window"> & { folder: string },
): Promise<Started> {
  const modelfile = join(folder, "Modelfile");
  writeFileSync(modelfile, `FROM ${weights}\nTEMPLATE """${OLLAMA_TEMPLATE}"""\n`);
  const env = { HOME: folder, OLLAMA_MODELS: join(folder, "models"), OLLAMA_CONTEXT_LENGTH: String(window) };
  const started = await startServer({
    command: ollama,
    env,
    health: "/",
    args: () => ["serve"],
    portVariable: "OLLAMA_HOST",
  });
  const { host } = new URL(started.origin);
  await run(ollama, ["create", "tinytools", "-f", modelfile], { env: { ...process.env, ...env, OLLAMA_HOST: host } });
  return started;
}

/** In Go's template language. */
const OLLAMA_TEMPLATE = `{{- if .Tools }}<|im_start|>system
{{ range .Tools }}{{ . }}
{{ end }}<|im_end|>
{{ end }}{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}{{ range .ToolCalls }}<tool_call>{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}</tool_call>{{ end }}<|im_end|>
{{ end }}<|im_start|>assistant
`;

export const PROXY_KEY = "sk-proxy-1234";

/** The models of the proxy: three in front of a server, and four that fail each in its own way. */
export function startProxy(
  litellm: string,
  { folder, upstream }: { folder: string; upstream: string },
): Promise<Started> {
  const real = { api_base: `${upstream}/v1`, api_key: "none" };
  const mock = (answer: string) => ({ model: "openai/mock", api_key: "none", mock_response: answer });
  const models = {
    local: { model: "openai/local", ...real },
    "gpt-4.1": { model: "openai/gpt-4.1", ...real },
    limited: { ...mock("Hello."), rpm: 2 },
    full: mock("litellm.ContextWindowExceededError"),
    failing: mock("litellm.InternalServerError"),
    dead: { model: "openai/dead", api_base: "http://127.0.0.1:9/v1", api_key: "none" },
  };
  const config = join(folder, "litellm.json");
  writeFileSync(
    config,
    JSON.stringify({
      model_list: Object.entries(models).map(([model_name, litellm_params]) => ({ model_name, litellm_params })),
      router_settings: {
        num_retries: 0,
        routing_strategy: "usage-based-routing-v2",
        optional_pre_call_checks: ["enforce_model_rate_limits"],
      },
      litellm_settings: { num_retries: 0, telemetry: false },
      general_settings: { master_key: PROXY_KEY },
    }),
  );
  return startServer({
    command: litellm,
    env: { LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_TELEMETRY: "False" },
    health: "/health/liveliness",
    args: (port) => ["--config", config, "--host", "127.0.0.1", "--port", String(port)],
  });
}
