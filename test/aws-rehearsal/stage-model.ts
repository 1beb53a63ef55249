/** The model server of the stage: writes or deletes files as scripted, requires its key, and can be paused. */
import { answerTo } from "../servers/program-server.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../servers/scripted-openai.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

export const MODEL = "scripted";
/** Must be seen by this server, and nowhere else. */
export const KEY = "sk-rehearsed-and-never-shown";

export interface HeldModel extends ScriptedServer {
  /** From now on answers wait, until what is returned is called. */
  hold(): () => void;
  /** Resolves when a request has come since the last `hold`. */
  asked(): Promise<void>;
}

type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export const ordinaryScript: Script = (request) =>
  circling(request) ?? deletion(request) ?? answerTo(request, { instructions: 2, ordinaryOnly: false });

export async function startHeldModel(script = ordinaryScript): Promise<HeldModel> {
  let held: PromiseWithResolvers<void> | undefined;
  let came = Promise.withResolvers<void>();
  const server = await startScriptedServer({
    apiKey: KEY,
    model: MODEL,
    async answer(request) {
      came.resolve();
      await held?.promise;
      return script(request);
    },
  });
  return {
    ...server,
    hold() {
      const holding = Promise.withResolvers<void>();
      held = holding;
      came = Promise.withResolvers();
      return () => {
        held = undefined;
        holding.resolve();
      };
    },
    asked: () => came.promise,
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
