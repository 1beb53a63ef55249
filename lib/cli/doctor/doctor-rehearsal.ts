/** One rehearsal from end to end through a deployed API: submitted, followed, its files fetched and compared. */

import type { Client } from "../../client/client.ts";
import type { Event } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { messageOf } from "../../core/text/message-of.ts";
import type { Chosen } from "../../deployment/chosen.ts";
import type { Finding } from "../../deployment/finding.ts";
import { outputFinding, runFindings } from "../../deployment/run-findings.ts";
import { lineOf } from "../display/event-line.ts";
import type { Shell } from "../display/shell.ts";
import { missing, missingFor } from "./findings.ts";

export interface Rehearsal {
  /** Absent: it is not known where it is. */
  api: Client | undefined;
  /** How it was deployed; absent: it is a server of this computer. */
  chosen?: Chosen;
  shell: Shell;
}

/** Several times what one takes: a function that idled long takes minutes to wake. */
const PATIENCE_MS = 15 * 60_000;

export async function rehearsalFindings({ api, chosen, shell }: Rehearsal): Promise<Finding[]> {
  if (!api) return [missing("run", "not tried: it is not known where the API is")];
  try {
    return await rehearsed(api, { chosen, shell });
  } catch (error) {
    return [missingFor("run", error)];
  }
}

async function rehearsed(api: Client, { chosen, shell }: Pick<Rehearsal, "shell"> & { chosen: Chosen | undefined }) {
  const { rehearse } = await import("../../client/rehearse.ts");
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
  const found = runFindings({ run, events, overdue: over.signal.aborted, chosen });
  return over.signal.aborted ? found : [...found, await fetched(api, run)];
}

const totalOf = (events: readonly Event[]): number =>
  events.findLast((event) => event.type === "program")?.instructions ?? 0;

async function fetched(api: Client, run: Run): Promise<Finding> {
  try {
    return outputFinding(run.id, { files: (await api.output(run)).size });
  } catch (error) {
    return { ...missingFor("output", error), ...outputFinding(run.id, { problem: messageOf(error) }) };
  }
}
