/** Findings about what is deployed: the stack, its key, the evaluator, and how much may run at once. Pure. */
import type { Chosen } from "./chosen.ts";
import type { Finding } from "./finding.ts";
import type { Concurrency, FunctionFacts } from "./lambda.ts";
import { remediesFor } from "./remedies.ts";
import type { StackFacts } from "./stack.ts";
import type { Refusal, Told } from "./told.ts";

const DEPLOY = { command: "deploy", args: [] };

const refused = (what: string, about: string, { says, remedy }: Refusal): Finding => ({
  what,
  state: "missing",
  says: `${about}: ${says}\n${remedy}`,
});

const STANDS = /^(CREATE|UPDATE|IMPORT)_COMPLETE$|^UPDATE_ROLLBACK_COMPLETE$/;

export function stackFinding(name: string, asked: Told<StackFacts | undefined>): Finding {
  const what = "stack";
  if ("refusal" in asked) return refused(what, `${name} could not be looked at`, asked.refusal);
  if (!asked.told || asked.told.status === "REVIEW_IN_PROGRESS")
    return { what, state: "missing", says: `there is no stack ${name} here`, next: [DEPLOY] };
  const { status, reason, outputs } = asked.told;
  if (status.endsWith("_IN_PROGRESS")) {
    return { what, state: "note", says: `${name} is being changed (${status}); wait until that is over` };
  }
  if (!STANDS.test(status)) {
    const remedies = remediesFor(reason).map(({ says }) => says);
    const why = reason ? `: ${reason}` : "";
    return { what, state: "missing", says: `${name} is ${status}${why}`, next: [...remedies, DEPLOY] };
  }
  if (!outputs.ApiUrl) {
    return { what, state: "missing", says: `${name} has no output ApiUrl: it is of another version`, next: [DEPLOY] };
  }
  const undone = status === "UPDATE_ROLLBACK_COMPLETE";
  return {
    what,
    state: undone ? "note" : "ok",
    says: `${name}, ${undone ? "as before its last update, which failed" : status}, ${outputs.ApiUrl}`,
  };
}

export function keyFinding(asked: Told<boolean>): Finding {
  const what = "key";
  if ("refusal" in asked) return refused(what, "the secret could not be looked at", asked.refusal);
  if (asked.told) return { what, state: "ok", says: "the model server's key is set" };
  return {
    what,
    state: "note",
    says: "the model server's key is not set: rehearsals work, real runs do not",
    next: [{ command: "deploy", args: ["--set-key"] }],
  };
}

/** What new accounts begin with. */
const FEW = 50;

/** Lambda lets nobody reserve so much that less than this remains for all others; or less than all, in small accounts. */
const LEAST_UNRESERVED = 100;

export function concurrencyFinding(chosen: Chosen, asked: Told<Concurrency>): Finding {
  const what = "quota";
  if ("refusal" in asked) {
    const { says, remedy } = asked.refusal;
    return { what, state: "note", says: `Lambda's quotas could not be looked at: ${says}\n${remedy}` };
  }
  const { whole, unreserved } = asked.told;
  const { execute = 0, evaluator = 0 } = chosen.reservedConcurrency;
  const wanted = execute + evaluator;
  const says = `${whole} functions may run at once, ${unreserved} of them unreserved`;
  const raise = 'Have the Lambda quota "Concurrent executions" (L-B99A9384) raised';
  if (wanted > 0 && whole - wanted < Math.min(LEAST_UNRESERVED, whole)) {
    const lacking = `${says}; reservedConcurrency wants ${wanted}, and ${LEAST_UNRESERVED} must stay unreserved`;
    return { what, state: "missing", says: `${lacking}\n${raise}, or take "reservedConcurrency" out.` };
  }
  if (wanted > 0 && unreserved - wanted < Math.min(LEAST_UNRESERVED, whole)) {
    const perhaps = `${says}; reservedConcurrency wants ${wanted}, and ${LEAST_UNRESERVED} must stay unreserved`;
    return { what, state: "note", says: `${perhaps}: enough only where this stack has them already\n${raise}.` };
  }
  if (whole < FEW) return { what, state: "note", says: `${says}: enough for one or two runs at a time\n${raise}.` };
  return { what, state: "ok", says };
}

export function evaluatorFinding(chosen: Chosen["evaluator"], asked: Told<FunctionFacts>): Finding {
  const what = "evaluator";
  if ("refusal" in asked) return refused(what, "its function could not be looked at", asked.refusal);
  const found = asked.told;
  const { state, lastUpdate } = found;
  if (state === "Failed" || lastUpdate === "Failed") return failedEvaluator(found);
  if (state === "Pending" || lastUpdate === "InProgress") {
    return { what, state: "note", says: "it is being made ready; wait a minute or two" };
  }
  if (state === "Inactive") {
    return { what, state: "note", says: "it idled so long that its network is gone; the next run wakes it (a minute)" };
  }
  const differs = differences(chosen, found);
  const shape = `${found.architecture}${found.inVpc ? ", in a network of its own" : ""}${found.perTenant ? ", tenant by tenant" : ""}`;
  if (differs.length === 0) return { what, state: "ok", says: `ready: ${shape}` };
  return {
    what,
    state: "note",
    says: `ready: ${shape}; the configuration says otherwise of ${differs.join(", ")}`,
    next: [DEPLOY],
  };
}

function failedEvaluator({ state, reason, reasonCode, lastUpdateReason }: FunctionFacts): Finding {
  const why = state === "Failed" ? `${reasonCode} ${reason}`.trim() : lastUpdateReason;
  const remedies = remediesFor(why).map(({ says }) => says);
  const next = remedies.length > 0 ? remedies : [{ ...DEPLOY, note: "makes it again; the function's log says more" }];
  return {
    what: "evaluator",
    state: "missing",
    says: `it failed: ${why || "no reason is given"}`,
    next,
  };
}

function differences(chosen: Chosen["evaluator"], found: FunctionFacts): string[] {
  const pairs: [string, boolean][] = [
    ["vpc", chosen.vpc !== found.inVpc],
    ["tenants", chosen.tenants !== found.perTenant],
    ["architecture", chosen.architecture !== undefined && chosen.architecture !== found.architecture],
  ];
  return pairs.filter(([, differs]) => differs).map(([name]) => `"evaluator.${name}"`);
}
