/** The model server of the stage: writes or deletes files as scripted, requires its key, and can be paused. */
import { answerTo } from "../../test/servers/program-server.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../test/servers/scripted-openai.ts";
import { type ScriptedServer, startScriptedServer } from "../../test/servers/scripted-openai.ts";

export const MODEL = "scripted";
/** Must be seen by this server, and nowhere else. */
export const KEY = "sk-rehearsed-and-never-shown";

export interface HeldModel extends ScriptedServer {
  /** From now on answers wait, until what is returned is called. */
  hold(): () => void;
  /** Holds nothing from now on; what waits already gets no answer. */
  letGo(): void;
  /** Resolves when so many requests have come since the last `hold`. */
  asked(count?: number): Promise<void>;
}

type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export const ordinaryScript: Script = (request) =>
  circling(request) ??
  deletion(request) ??
  copying(request) ??
  answerTo(request, { instructions: 2, ordinaryOnly: false });

export async function startHeldModel(script = ordinaryScript): Promise<HeldModel> {
  let held: PromiseWithResolvers<void> | undefined;
  let came = 0;
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = await startScriptedServer({
    apiKey: KEY,
    model: MODEL,
    async answer(request) {
      came += 1;
      for (const each of waiting) if (came >= each.count) each.resolve();
      await held?.promise;
      return script(request);
    },
  });
  return {
    ...server,
    hold() {
      const holding = Promise.withResolvers<void>();
      held = holding;
      came = 0;
      waiting = [];
      return () => {
        held = undefined;
        holding.resolve();
      };
    },
    letGo() {
      held = undefined;
    },
    asked: (count = 1) =>
      new Promise((resolve) => {
        if (came >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

/** An instruction that begins so is worked on in circles, until it is to be split. */
export const CIRCLE = "CIRCLE-BEGINS";

function circling({ messages }: ScriptedRequest): ScriptedAnswer | undefined {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  if (!text.includes(CIRCLE)) return undefined;
  if (!text.includes("Splitting instruction ")) return { toolCalls: [{ name: "list_files", arguments: {} }] };
  const instructions = [1, 2].map((number) => ({
    ...{ title: `Half ${number}`, text: `MARK-${number}-BEGINS Write the files of this half.`, requirements: [] },
  }));
  return { toolCalls: [{ name: "write_program", arguments: { instructions } }] };
}

/** An instruction that begins so is carried out by deleting the file. */
export const DELETE = "DELETE-BEGINS";

function deletion({ messages }: ScriptedRequest): ScriptedAnswer | undefined {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const [, path] = /DELETE-BEGINS (\S+)/.exec(text) ?? [];
  if (path === undefined) return undefined;
  return messages.some(({ role }) => role === "tool")
    ? { toolCalls: [{ name: "complete_instruction", arguments: { summary: "It is gone." } }] }
    : { toolCalls: [{ name: "delete_files", arguments: { paths: [path] } }] };
}

/** An instruction that begins so is carried out by reading the file, and writing a copy of what it says. */
export const COPY = "COPY-BEGINS";

function copying({ messages }: ScriptedRequest): ScriptedAnswer | undefined {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const [, path] = /COPY-BEGINS (\S+)/.exec(text) ?? [];
  if (path === undefined) return undefined;
  const answers = messages.filter(({ role }) => role === "tool");
  if (answers.length === 0) return { toolCalls: [{ name: "read_files", arguments: { paths: [path] } }] };
  const [read] = answers;
  const files = [
    { path: "copies/copy.txt", content: `${read?.content?.includes("of many") ? "as it is" : "it is not there"}\n` },
  ];
  return answers.length === 1
    ? { toolCalls: [{ name: "write_files", arguments: { files } }] }
    : { toolCalls: [{ name: "complete_instruction", arguments: { summary: "It is copied." } }] };
}
