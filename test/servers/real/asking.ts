/** Asks a real server through the adapter of the machine, and keeps what it was asked and answered on the wire. */
import { readFileSync } from "node:fs";
import type { ChatMessage, ModelAnswer, ModelRequest } from "../../../lib/core/ports.ts";
import type { ModelProfile } from "../../../lib/core/turn/model-profile.ts";
import type { Tool } from "../../../lib/core/turn/workbench.ts";
import { chooseModel } from "../../../lib/model/open-model.ts";
import { createOpenAiModel } from "../../../lib/model/openai.ts";
import type { DialectFix } from "../../../lib/model/request-dialect.ts";
import { executionTools, planningTools } from "../../../lib/tools/toolbox.ts";

const book = JSON.parse(readFileSync(new URL("../../../prompts/book/pack.json", import.meta.url), "utf8"));

/** Every list of tools that a run offers. */
export const OFFERS: Record<string, Tool[]> = {
  planning: planningTools(),
  "planning with files": planningTools({ hasFiles: true }),
  codebase: executionTools({ tested: true }),
  book: executionTools({ enabled: book.tools }),
  custom: executionTools(),
};

/** Every form in which calls are asked for. */
export const FORMS: Record<string, { convention: ModelProfile["convention"]; fixes: DialectFix }> = {
  "native tools": { convention: "native", fixes: {} },
  "schema with arguments": { convention: "schema", fixes: {} },
  "schema with open arguments": { convention: "schema", fixes: { typedArguments: false } },
  "JSON text": { convention: "json", fixes: {} },
};

export interface Asked {
  baseUrl: string;
  model?: string;
  apiKey?: string;
  apiVersion?: string;
  form?: keyof typeof FORMS;
}

export interface Asking {
  ask(tools: Tool[], changed?: Partial<ModelRequest>): Promise<ModelAnswer>;
  profile: ModelProfile;
  fixes: DialectFix;
  /** Of requests that were not answered with 200: the status and what was said. */
  refusals: string[];
}

export async function openAsking({ baseUrl, model = "local", apiKey, apiVersion, form }: Asked): Promise<Asking> {
  const access = { baseUrl, ...(apiKey ? { apiKey } : {}), ...(apiVersion ? { apiVersion } : {}) };
  const chosen = await chooseModel({ ...access, model, unpriced: true });
  const wanted = form === undefined ? undefined : FORMS[form];
  const profile = { ...chosen.profile, ...(wanted ? { convention: wanted.convention } : {}) };
  const fixes: DialectFix = { ...wanted?.fixes };
  const refusals: string[] = [];
  const watching: typeof fetch = async (url, init) => {
    // As the machine's own transport: a connection that is kept may have been closed by the server.
    const headers = new Headers(init?.headers);
    headers.set("connection", "close");
    const response = await fetch(url, { ...init, headers });
    if (response.ok) return response;
    const text = await response.text();
    refusals.push(`${response.status} ${text.slice(0, 500)}`);
    return new Response(text, response);
  };
  const adapter = createOpenAiModel({ ...access, profile, dialectFixes: fixes, fetch: watching });
  return {
    profile,
    fixes,
    refusals,
    ask: (tools, changed = {}) =>
      adapter.ask({
        messages: OPENING,
        tools: tools.map(({ spec }) => spec),
        maxOutputTokens: 32,
        temperature: 1,
        seed: 1,
        timeoutMs: 60_000,
        ...changed,
      }),
  };
}

const OPENING: ChatMessage[] = [
  { role: "system", content: "You write code." },
  { role: "user", content: "Begin." },
];

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const result = (toolCallId: string, name: string, content: string): ChatMessage => ({
  role: "tool",
  toolCallId,
  name,
  content,
});

/** A conversation with all that a history can hold: two calls at once, thoughts beside a call, an answer without one. */
export const HISTORY: ChatMessage[] = [
  ...OPENING,
  {
    role: "assistant",
    content: "",
    toolCalls: [
      call("c00002000", "write_files", { files: [{ path: "a.py", content: "x = 1\n" }] }),
      call("c00002001", "list_files", {}),
    ],
  },
  result("c00002000", "write_files", "wrote a.py"),
  result("c00002001", "list_files", "a.py 1 line"),
  { role: "assistant", content: "Let me see.", toolCalls: [call("c00005000", "run_checks", {})] },
  result("c00005000", "run_checks", "all passed"),
  { role: "assistant", content: "I am done." },
  { role: "user", content: "Answer with a call of a tool." },
];
