/** The model server of the stage: it writes the files of a program, wants its key, and can be made to wait. */
import { answerTo } from "../servers/program-server.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

export const MODEL = "scripted";
/** Must be seen by this server, and nowhere else. */
export const KEY = "sk-rehearsed-and-seen-by-nobody";

export interface HeldModel extends ScriptedServer {
  /** From now on answers wait, until what is returned is called. */
  hold(): () => void;
  /** Resolves when a request has come since the last `hold`. */
  asked(): Promise<void>;
}

export async function startHeldModel(): Promise<HeldModel> {
  let held: PromiseWithResolvers<void> | undefined;
  let came = Promise.withResolvers<void>();
  const server = await startScriptedServer({
    apiKey: KEY,
    model: MODEL,
    async answer(request) {
      came.resolve();
      await held?.promise;
      return answerTo(request, { instructions: 2, ordinaryOnly: false });
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
