/** Computes one rehearsal through an API: submits, follows, and fetches its files. */
import type { Client } from "../../client/client.ts";
import { messageOf } from "../../core/errors.ts";
import type { Event } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import type { Finding } from "../../deployment/finding.ts";
import { outputFinding, runFindings } from "../../deployment/run-findings.ts";
import type { DeploymentConfig } from "../../deployment/target.ts";
import { lineOf } from "../display/event-line.ts";
import type { Shell } from "../display/shell.ts";
import { missing, missingFor } from "./finding-line.ts";

export interface RehearsalParts {
  /** Absent: its address is unknown. */
  api: Client | undefined;
  /** Absent: the API is a local server. */
  config?: DeploymentConfig;
  shell: Shell;
}

/** Several times what a rehearsal takes: a function that was idle for long takes minutes to start. */
const TIMEOUT_MS = 15 * 60_000;

export async function rehearsalFindings({ api, config, shell }: RehearsalParts): Promise<Finding[]> {
  if (!api) return [missing("run", "not tried: the address of the API is unknown")];
  try {
    return await rehearse(api, config, shell);
  } catch (error) {
    return [missingFor("run", error)];
  }
}

async function rehearse(api: Client, config: DeploymentConfig | undefined, shell: Shell): Promise<Finding[]> {
  const { rehearse } = await import("../../client/rehearse.ts");
  const events: Event[] = [];
  const over = new AbortController();
  const timeout = setTimeout(() => over.abort(), TIMEOUT_MS);
  shell.signals.onStop(() => over.abort());
  const run = await rehearse(api, {
    name: "doctor",
    signal: over.signal,
    show(more) {
      events.push(...more);
      const total = events.findLast((event) => event.type === "program")?.instructions ?? 0;
      for (const line of more.flatMap((event) => lineOf(event, total) ?? [])) shell.say(`  ${line}`);
    },
  }).finally(() => clearTimeout(timeout));
  const found = runFindings({ run, events, overdue: over.signal.aborted, config });
  return over.signal.aborted ? found : [...found, await fetchedOutput(api, run)];
}

async function fetchedOutput(api: Client, run: Run): Promise<Finding> {
  try {
    return outputFinding(run.id, { files: (await api.output(run)).size });
  } catch (error) {
    return { ...missingFor("output", error), ...outputFinding(run.id, { problem: messageOf(error) }) };
  }
}
