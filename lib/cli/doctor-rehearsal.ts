/** One rehearsal from end to end through a deployed API: submitted, followed, its files fetched and compared. */
import { UserError } from "../core/errors.ts";
import type { Event } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import { credentialsOf } from "../deployment/caller.ts";
import type { Finding } from "../deployment/finding.ts";
import { outputFinding, runFindings } from "../deployment/run-findings.ts";
import type { Api } from "../remote/api.ts";
import type { Asked } from "./deployment-asked.ts";
import { lineOf } from "./event-line.ts";
import type { Shell } from "./shell.ts";

export interface Rehearsal {
  /** Where the API is; absent: not known. */
  address: string | undefined;
  asked: Asked;
  shell: Shell;
}

/** Several times what one takes: a function that idled long takes minutes to wake. */
const PATIENCE_MS = 15 * 60_000;

export async function rehearsalFindings({ address, asked, shell }: Rehearsal): Promise<Finding[]> {
  if (address === undefined) return [missing("run", "not tried: it is not known where the API is")];
  try {
    const { openApi } = await import("../remote/api.ts");
    const api = await openApi({ url: address, env: asked.env, credentials: credentialsOf(asked.place) });
    return await rehearsed(api, { asked, shell });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [missing("run", [error.message, error.remedy].filter(Boolean).join("\n"))];
  }
}

const missing = (what: string, says: string): Finding => ({ what, state: "missing", says });

async function rehearsed(api: Api, { asked, shell }: Pick<Rehearsal, "asked" | "shell">): Promise<Finding[]> {
  const { rehearse } = await import("../remote/rehearse.ts");
  const events: Event[] = [];
  const over = new AbortController();
  const patience = setTimeout(() => over.abort(), PATIENCE_MS);
  shell.signals.onStop(() => over.abort());
  const run = await rehearse(api, {
    name: "doctor",
    signal: over.signal,
    show(more) {
      events.push(...more);
      for (const event of more) {
        const line = lineOf(event, totalOf(events));
        if (line !== undefined) shell.say(`  ${line}`);
      }
    },
  }).finally(() => clearTimeout(patience));
  const found = runFindings({ run, events, overdue: over.signal.aborted, chosen: asked.config });
  return over.signal.aborted ? found : [...found, await fetched(api, run)];
}

const totalOf = (events: readonly Event[]): number =>
  events.findLast((event) => event.type === "program")?.instructions ?? 0;

async function fetched(api: Api, { id }: Run): Promise<Finding> {
  try {
    return outputFinding(id, { files: (await api.output(id)).size });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return outputFinding(id, { problem: [error.message, error.remedy].filter(Boolean).join("\n") });
  }
}
