/** Findings from a rehearsal through the API: the run, its checks, its output. Pure. */
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { remedyFor } from "./error-remedies.ts";
import type { Finding } from "./finding.ts";
import type { DeploymentConfig } from "./target.ts";

export interface RehearsalResult {
  run: Pick<Run, "id" | "status" | "reason" | "detail">;
  events: readonly Event[];
  /** Whether it took longer than doctor waits. */
  overdue: boolean;
  /** Absent: a local server, whose evaluator has none of these switches. */
  config?: DeploymentConfig | undefined;
}

export const runFindings = (result: RehearsalResult): Finding[] => [completionFinding(result), checksFinding(result)];

function completionFinding({ run, events, overdue }: RehearsalResult): Finding {
  const what = "run";
  const accepted = events.filter(({ type }) => type === "instruction_accepted").length;
  if (run.status === "completed") {
    return { what, state: "ok", says: `rehearsal ${run.id} completed: ${accepted} instructions, $0.00 for a model` };
  }
  const how = overdue ? `is still ${run.status} after 15 minutes` : `ended as ${run.status}`;
  const why = run.detail ? `: ${run.detail}` : run.reason ? `: ${run.reason}` : "";
  const args = [run.id, "--remote"];
  const next = overdue ? { command: "watch", args, note: "it continues" } : { command: "log", args };
  return {
    what,
    state: "missing",
    says: `rehearsal ${run.id} ${how}${why}`,
    next: [remedyFor(run.detail ?? "") ?? [], next].flat(),
  };
}

function checksFinding({ run, events, config }: RehearsalResult): Finding {
  const what = "checks";
  const verdicts = events.filter((event) => event.type === "verdict");
  const passed = verdicts.filter(({ tests }) => tests === "passed");
  const most = Math.max(0, ...passed.map((verdict) => verdict.passed));
  if (most > 0 && run.reason !== "unchecked") {
    return { what, state: "ok", says: `the evaluator ran the tests: ${most} passed${isolation(config)}` };
  }
  const waits = events.flatMap((event) => (event.type === "waiting" ? [event.why] : []));
  const last = waits.at(-1) ?? verdicts.at(-1)?.detail ?? "";
  const remedy = remedyFor(last);
  const switches = SWITCHES.filter(([name]) => config?.evaluator[name]).map(([, when]) => when);
  const says = `the evaluator finished no test${last ? `: ${last}` : ""}`;
  return { what, state: "missing", says, next: remedy === undefined ? switches : [remedy] };
}

const isolation = (config: DeploymentConfig | undefined): string => {
  const on = SWITCHES.map(([name]) => name).filter((name) => config?.evaluator[name]);
  return on.length > 0 ? ` (${on.join(", ")} on)` : "";
};

/** Without a known cause, try them one by one, deploying each time. */
const SWITCHES: ["tenants" | "noDns" | "denyRole" | "vpc", string][] = [
  ["tenants", 'If Lambda requires a tenant id or refuses it: "evaluator": { "tenants": false }'],
  ["noDns", 'If the function stays Pending or ends before it logs anything: "evaluator": { "noDns": false }'],
  ["denyRole", 'If its log says "explicit deny", or there is no log: "evaluator": { "denyRole": false }'],
  ["vpc", 'If it stays Pending or Inactive, or says ENI: "evaluator": { "vpc": false }'],
];

export function outputFinding(id: string, result: { files: number } | { problem: string }): Finding {
  const what = "output";
  if ("files" in result) {
    return { what, state: "ok", says: `a zip of ${result.files} files, fetched by link; its sha256 matches the API's` };
  }
  return { what, state: "missing", says: `the files of ${id} could not be fetched: ${result.problem}` };
}
