/** Tries one call of a model that was just configured, and says what it cost. Answers the exit code. */
import { messageOf, UserError } from "../../core/errors.ts";
import { costOf } from "../../core/run/budget.ts";
import { money, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { projectFile } from "../../files/project-files.ts";
import { signerOf } from "../../local/open.ts";
import { chooseModels, hasKey, keyNameOf, openModel } from "../../model/open-model.ts";
import { REHEARSAL } from "../../model/rehearsal-name.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { Settings } from "../settings/settings.ts";

const REQUEST = {
  messages: [{ role: "user" as const, content: "Answer with the one word: ready" }],
  tools: [],
  maxOutputTokens: 256,
  timeoutMs: 60_000,
};
const PROVIDER = 4;

export async function tryCall(settings: Settings, shell: Shell): Promise<number> {
  const wish = modelServerIn(settings, shell.env);
  const start = `Next: ${shell.command("run", "<task>")}`;
  if (wish.model === REHEARSAL) {
    shell.say(`A rehearsal asks no model and costs nothing. ${start}`);
    return 0;
  }
  if (wish.model === undefined && wish.baseUrl === undefined) {
    const rehearse = shell.command("run", "--rehearse");
    shell.say("No call was tried: no key of a provider is set. The key that you set chooses the model.");
    shell.say(`Next: set one, then ${shell.command("doctor")}; ${rehearse} is a demonstration without a model`);
    return 0;
  }
  if (!hasKey(wish)) {
    shell.say(`No call was tried: ${keyNameOf(wish)} is not set. Next: set it, then ${shell.command("doctor")}`);
    return 0;
  }
  try {
    shell.say(sanitizeLine(await called(wish, settings)));
    shell.say(start);
    return 0;
  } catch (error) {
    if (error instanceof UserError) throw error;
    shell.say(sanitizeLine(`The file is written; but a call failed: ${messageOf(error)}`));
    shell.say(`Next: ${shell.command("doctor")}`);
    return PROVIDER;
  }
}

async function called(wish: Parameters<typeof chooseModels>[0], { baseUrl, apiVersion }: Settings): Promise<string> {
  const { profile } = await chooseModels(wish);
  const options = { ...(baseUrl ? { baseUrl } : {}), ...(apiVersion ? { apiVersion } : {}) };
  const access = { ...wish, rehearsals: projectFile("rehearsals"), signerFor: signerOf };
  const { usage, milliseconds } = await (await openModel({ profile, options }, access)).ask(REQUEST);
  const { price } = profile;
  const cost = price ? money(costOf(price, usage)) : "an unknown amount";
  const counts = `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
  return `${profile.model} answered in ${span(milliseconds)}: ${counts}; the call cost ${cost}.`;
}
