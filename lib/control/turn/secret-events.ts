/** Secrets that were masked in the results of a turn: reported, and counted. Pure. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { maskedKinds } from "../../core/text/secrets.ts";
import type { EffectsBody, ToolResult } from "../../core/turn/turn.ts";

/** Those in which a secret was masked. */
const maskedResults = (results: ToolResult[]): ToolResult[] =>
  results.filter(({ text }) => maskedKinds(text).length > 0);

/** Reported once in a run; the count goes on. */
export function secretEvents({ secrets = 0 }: Run, { results }: EffectsBody): EventBody[] {
  const [found] = maskedResults(results);
  if (secrets > 0 || !found) return [];
  const paths = "paths" in found.about ? ` (${found.about.paths.slice(0, SECRETS_NAMED).join(", ")})` : "";
  const kinds = maskedKinds(found.text).slice(0, SECRETS_NAMED).join(", ");
  return [{ type: "notice", text: `Masked before the model sees it: ${kinds}${paths}. ${UNCHANGED}` }];
}

const SECRETS_NAMED = 5;
const UNCHANGED = "The files themselves keep what they hold.";

export function countSecrets({ secrets = 0 }: Run, { results }: EffectsBody): Partial<Run> {
  const masked = maskedResults(results).length;
  return masked > 0 ? { secrets: secrets + masked } : {};
}
