/** What a rehearsal through the API showed: the way in, the control unit, the evaluator, the way out. Pure. */
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { Chosen } from "./chosen.ts";
import type { Finding } from "./finding.ts";
import { remediesFor } from "./remedies.ts";

export interface Rehearsed {
  run: Pick<Run, "id" | "status" | "reason" | "detail">;
  events: readonly Event[];
  /** Whether nobody waited any longer. */
  overdue: boolean;
  /** Absent: nothing is deployed, and nothing can be said of how its evaluator is shut in. */
  chosen?: Chosen | undefined;
}

export const runFindings = (rehearsed: Rehearsed): Finding[] => [computedFinding(rehearsed), checkedFinding(rehearsed)];

function computedFinding({ run, events, overdue }: Rehearsed): Finding {
  const what = "run";
  const accepted = events.filter(({ type }) => type === "instruction_accepted").length;
  if (run.status === "completed") {
    return { what, state: "ok", says: `rehearsal ${run.id} completed: ${accepted} instructions, $0.00 for a model` };
  }
  const how = overdue ? `is ${run.status} after all this time` : `ended as ${run.status}`;
  const why = run.detail ? `: ${run.detail}` : run.reason ? `: ${run.reason}` : "";
  const args = [run.id, "--remote"];
  const next = overdue ? { command: "watch", args, note: "it goes on" } : { command: "log", args };
  return {
    what,
    state: "missing",
    says: `rehearsal ${run.id} ${how}${why}`,
    next: [...remedied(run.detail), next],
  };
}

const remedied = (said = ""): string[] => remediesFor(said).map(({ says }) => says);

function checkedFinding({ run, events, chosen }: Rehearsed): Finding {
  const what = "checks";
  const verdicts = events.filter((event) => event.type === "verdict");
  const passed = verdicts.filter(({ tests }) => tests === "passed");
  const most = Math.max(0, ...passed.map((verdict) => verdict.passed));
  if (most > 0 && run.reason !== "unchecked") {
    return { what, state: "ok", says: `the evaluator ran the tests: ${most} passed${shutIn(chosen)}` };
  }
  const waits = events.flatMap((event) => (event.type === "waiting" ? [event.why] : []));
  const last = waits.at(-1) ?? verdicts.at(-1)?.detail ?? "";
  return {
    what,
    state: "missing",
    says: [
      `the evaluator ran no test to its end${last ? `: ${last}` : ""}`,
      ...(remedied(last).length > 0
        ? remedied(last)
        : SWITCHES.filter(([name]) => chosen?.evaluator[name]).map(([, s]) => s)),
    ].join("\n"),
  };
}

const shutIn = (chosen: Chosen | undefined): string => {
  const on = SWITCHES.map(([name]) => name).filter((name) => chosen?.evaluator[name]);
  return on.length > 0 ? ` (${on.join(", ")} on)` : "";
};

/** Tried one after the other, each with another deployment, where nothing says which it is. */
const SWITCHES: ["tenants" | "noDns" | "denyRole" | "vpc", string][] = [
  ["tenants", 'If Lambda asks for a tenant or refuses one: "evaluator": { "tenants": false }'],
  ["noDns", 'If the function stays Pending or ends before its first line: "evaluator": { "noDns": false }'],
  ["denyRole", 'If its log says "explicit deny", or there is no log: "evaluator": { "denyRole": false }'],
  ["vpc", 'If it stays Pending or Inactive, or says ENI: "evaluator": { "vpc": false }'],
];

export function outputFinding(id: string, fetched: { files: number } | { problem: string }): Finding {
  const what = "output";
  if ("files" in fetched) {
    return {
      what,
      state: "ok",
      says: `a zip of ${fetched.files} files, fetched by a link, with the sha256 that the API says`,
    };
  }
  return { what, state: "missing", says: `the files of ${id} could not be fetched: ${fetched.problem}` };
}
