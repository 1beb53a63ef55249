import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { probeServer } from "./probe.ts";
import type { ServerProbe } from "./server-probe.ts";

let scripted: ScriptedServer | undefined;
let close = (): void => {};
afterEach(async () => {
  await scripted?.close();
  scripted = undefined;
  close();
});

/** A server that answers the paths given, and 404 otherwise. */
async function serving(paths: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    const body = paths[request.url ?? ""];
    response
      .writeHead(body === undefined ? 404 : 200)
      .end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
const probe = (url: string, model = "m"): Promise<ServerProbe> => probeServer(url, { model });

describe("a llama.cpp server", () => {
  it("says its window, and is called by schema unless it says that its template takes tools", async () => {
    scripted = await startScriptedServer({
      answer: () => ({}),
      dialect: "llama.cpp",
      contextWindow: 12_288,
      model: "a.gguf",
    });
    expect(await probe(scripted.url)).toEqual({
      kind: "llama.cpp",
      contextWindow: 12_288,
      convention: "schema",
      models: ["a.gguf"],
    });
  });

  it.each([
    [{ supports_tools: true }, "native"],
    [{ supports_tool_calls: true }, "native"],
    [{ supports_tools: false }, "schema"],
    ["nonsense", "schema"],
  ])("with template capabilities %o is called by %s", async (chat_template_caps, convention) => {
    const url = await serving({ "/props": { default_generation_settings: { n_ctx: 4_096 }, chat_template_caps } });
    expect(await probe(url)).toMatchObject({ kind: "llama.cpp", convention, contextWindow: 4_096 });
  });

  it("has no window yet where no model is loaded", async () => {
    const url = await serving({ "/props": { default_generation_settings: { n_ctx: 0 }, role: "router" } });
    expect(await probe(url)).toEqual({ kind: "llama.cpp", convention: "schema" });
  });

  it("is asked again while it loads its model, until it answers or has had its time", async () => {
    const loading = new Response('{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', {
      status: 503,
    });
    const props = { default_generation_settings: { n_ctx: 4_096 }, chat_template_caps: { supports_tools: false } };
    let rounds = 0;
    const server: typeof fetch = async (url) => {
      if (!String(url).endsWith("/props")) return rounds < 3 ? loading.clone() : new Response("{}", { status: 404 });
      rounds += 1;
      return rounds < 3 ? loading.clone() : Response.json(props);
    };
    const options = { model: "m", fetch: server, loading: { everyMs: 1, mostMs: 10 } };
    expect(await probeServer("http://localhost:1", options)).toEqual({
      kind: "llama.cpp",
      contextWindow: 4_096,
      convention: "schema",
    });
    expect(rounds).toBe(3);
    const never: typeof fetch = async () => loading.clone();
    expect(await probeServer("http://localhost:1", { ...options, fetch: never })).toEqual({
      kind: "openai-like",
      note: expect.stringContaining("still loading"),
    });
  });

  it("says that its template takes one call at a time", async () => {
    const chat_template_caps = { supports_tools: true, supports_parallel_tool_calls: false };
    const url = await serving({ "/props": { default_generation_settings: { n_ctx: 1 }, chat_template_caps } });
    expect(await probe(url)).toMatchObject({ convention: "native", parallelToolCalls: false });
  });

  it("is recognised although it imitates Ollama", async () => {
    const url = await serving({
      "/props": { default_generation_settings: { n_ctx: 1 } },
      "/api/version": { version: "0" },
    });
    expect((await probe(url)).kind).toBe("llama.cpp");
  });
});

describe("a vLLM server", () => {
  it("says the window of the model asked for", async () => {
    const data = [
      { id: "other", max_model_len: 1_000 },
      { id: "m", max_model_len: 32_768, owned_by: "vllm" },
    ];
    expect(await probe(await serving({ "/v1/models": { data } }))).toEqual({
      kind: "vllm",
      contextWindow: 32_768,
      models: ["other", "m"],
    });
  });
});

describe("an Ollama server", () => {
  const version = { "/api/version": { version: "0.13.5" } };
  const show = {
    capabilities: ["completion", "tools"],
    model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
  };

  it("says the window that a loaded model really has, not what the model allows", async () => {
    const loaded = { models: [{ model: "qwen3:latest", context_length: 32_768 }] };
    expect(await probe(await serving({ ...version, "/api/ps": loaded, "/api/show": show }), "qwen3")).toEqual({
      kind: "ollama",
      contextWindow: 32_768,
      convention: "native",
    });
  });

  it("says the window that the model file sets", async () => {
    const parameters = 'stop    "<|im_end|>"\nnum_ctx    16384\n';
    expect(await probe(await serving({ ...version, "/api/show": { ...show, parameters } }))).toMatchObject({
      contextWindow: 16_384,
    });
  });

  it("is made to load the model first, because only then it says the window", async () => {
    let isLoaded = false;
    const replies: Record<string, () => unknown> = {
      "/api/version": () => ({ version: "0.17.4" }),
      "/api/show": () => show,
      "/api/generate": () => {
        isLoaded = true;
        return { model: "m", response: "", done: true, done_reason: "load" };
      },
      "/api/ps": () => ({ models: isLoaded ? [{ model: "m:latest", context_length: 32_768 }] : [] }),
    };
    const server: typeof fetch = async (url) => Response.json(replies[new URL(String(url)).pathname]?.() ?? {});
    const probed = await probeServer("http://localhost:1/v1", { model: "m", fetch: server });
    expect(probed).toEqual({ kind: "ollama", contextWindow: 32_768, convention: "native" });
  });

  it("is assumed to give little where the model cannot be loaded, with what to do", async () => {
    const probed = await probe(await serving({ ...version, "/api/ps": { models: [] }, "/api/show": show }));
    expect(probed).toMatchObject({ contextWindow: 4_096, convention: "native" });
    expect(probed.note).toMatch(/the model allows 40960.*OLLAMA_CONTEXT_LENGTH.*--context-window/);
  });

  it("is called by schema where the model takes no tools", async () => {
    const url = await serving({ ...version, "/api/show": { ...show, capabilities: ["completion"] } });
    expect(await probe(url)).toMatchObject({ convention: "schema" });
  });

  it("is asked at its root, also where the base URL names no path", async () => {
    const url = await serving({ ...version, "/v1/models": { data: [{ id: "m" }] } });
    expect(await probe(url.replace("/v1", ""))).toMatchObject({ kind: "ollama", models: ["m"] });
  });
});

describe("a LiteLLM proxy", () => {
  const info = { input_cost_per_token: 3e-6, output_cost_per_token: 0.000015, max_input_tokens: 200_000 };
  const proxy =
    (model_info: object): typeof fetch =>
    async (url) => {
      const { pathname } = new URL(String(url));
      const body = {
        "/v1/models": { data: [{ id: "m" }] },
        "/model/info": { data: [{ model_name: "m", model_info }] },
      }[pathname];
      return Response.json(body ?? { detail: "Not Found" }, {
        status: body ? 200 : 404,
      });
    };

  it("is known by its list of prices, which says what the model costs and holds", async () => {
    expect(await probeServer("http://localhost:1/v1", { model: "m", fetch: proxy(info) })).toEqual({
      kind: "litellm",
      models: ["m"],
      contextWindow: 200_000,
      price: { input: 3, output: 15 },
    });
  });

  it("knows no price where it says zero or nothing", async () => {
    for (const unknown of [{ input_cost_per_token: 0, output_cost_per_token: 0 }, { input_cost_per_token: "?" }]) {
      const probed = await probeServer("http://localhost:1/v1", { model: "m", fetch: proxy(unknown) });
      expect(probed).toEqual({ kind: "litellm", models: ["m"] });
    }
  });
});

describe("any other server", () => {
  it("is OpenAI-like where it lists models, with the window that it may tell", async () => {
    const data = [{ id: "m", context_length: 65_536 }];
    expect(await probe(await serving({ "/v1/models": { data } }))).toEqual({
      kind: "openai-like",
      contextWindow: 65_536,
      models: ["m"],
    });
  });

  it("is OpenAI-like, with a hint, where it answers anything at all", async () => {
    expect(await probe(await serving({ "/props": "<html>".repeat(10), "/v1/models": "{" }))).toMatchObject({
      kind: "openai-like",
      note: expect.stringContaining("key"),
    });
  });

  it("is unreachable where nothing answers, not in time, or where there is no address", async () => {
    const url = await serving({});
    close();
    expect(await probe(url)).toEqual({ kind: "unreachable" });
    const silent: typeof fetch = () => new Promise(() => {});
    expect(await probeServer(url, { model: "m", fetch: silent, timeoutMs: 10 })).toEqual({ kind: "unreachable" });
    expect(await probe("not an address")).toEqual({ kind: "unreachable" });
  });

  it("is not read to its end where its answer has none", async () => {
    const endless: typeof fetch = async () =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)) }));
    expect((await probeServer("http://localhost:1", { model: "m", fetch: endless })).kind).toBe("unreachable");
  });
});
