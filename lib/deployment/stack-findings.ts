/** Findings about a deployed stack: its status, the model key, Lambda concurrency, and the evaluator. Pure. */
import { pluralize } from "../core/text/format.ts";
import type { Concurrency } from "./account.ts";
import type { AwsResult, Refusal } from "./aws-result.ts";
import { remedyFor } from "./error-remedies.ts";
import type { Finding } from "./finding.ts";
import type { FunctionFacts, StackFacts } from "./stack.ts";
import type { DeploymentConfig, EvaluatorConfig } from "./target.ts";

const unreadable = (what: string, about: string, { reason, remedy }: Refusal): Finding => ({
  what,
  state: "missing",
  says: `${about} could not be read: ${reason}\n${remedy}`,
});

const DEPLOY = { command: "deploy", args: [] };
const COMPLETE = /^(CREATE|UPDATE|IMPORT)_COMPLETE$|^UPDATE_ROLLBACK_COMPLETE$/;

export function stackFinding(name: string, result: AwsResult<StackFacts | undefined>): Finding {
  const what = "stack";
  if ("refusal" in result) return unreadable(what, name, result.refusal);
  if (!result.value || result.value.status === "REVIEW_IN_PROGRESS")
    return {
      what,
      state: "missing",
      says: `the stack ${name} does not exist in this account and region`,
      next: [DEPLOY],
    };
  const { status, reason, outputs } = result.value;
  if (status.endsWith("_IN_PROGRESS")) {
    return { what, state: "note", says: `${name} is being changed (${status}); wait for it to finish` };
  }
  if (!COMPLETE.test(status)) {
    const why = reason ? `: ${reason}` : "";
    return {
      what,
      state: "missing",
      says: `${name} is ${status}${why}`,
      next: [remedyFor(reason) ?? [], DEPLOY].flat(),
    };
  }
  if (!outputs.ApiUrl) {
    return {
      what,
      state: "missing",
      says: `${name} has no output ApiUrl: it was deployed by another version`,
      next: [DEPLOY],
    };
  }
  const undone = status === "UPDATE_ROLLBACK_COMPLETE";
  return {
    what,
    state: undone ? "note" : "ok",
    says: `${name}, ${undone ? "as before its last update, which failed and was rolled back" : status}, ${outputs.ApiUrl}`,
  };
}

/** `bedrockModels`: need no key. */
export function keyFinding(result: AwsResult<boolean>, bedrockModels?: string): Finding {
  const what = "key";
  if ("refusal" in result) return unreadable(what, "the secret", result.refusal);
  if (result.value) return { what, state: "ok", says: "the model server's key is set" };
  if (bedrockModels) return { what, state: "ok", says: "not set, and not needed for the models of Amazon Bedrock" };
  return {
    what,
    state: "note",
    says: "the model server's key is not set: rehearsals work, real runs fail",
    next: [{ command: "deploy", args: ["--set-key"] }],
  };
}

/** The concurrency quota of a new account may be lower. */
const FEW = 50;

/** Each takes an execution, and another while its tests run; the API keeps some. docs/scale.md shows it. */
const runsWithin = (executions: number): string => pluralize(Math.floor(executions * 0.6), "run");

/** Lambda keeps this many executions unreserved, or all of them in smaller accounts. */
const LEAST_UNRESERVED = 100;

export function concurrencyFinding(config: DeploymentConfig, result: AwsResult<Concurrency>): Finding {
  const what = "quota";
  if ("refusal" in result) {
    const { reason, remedy } = result.refusal;
    return { what, state: "note", says: `Lambda's quotas could not be read: ${reason}\n${remedy}` };
  }
  const { whole, unreserved } = result.value;
  const { execute = 0, evaluator = 0, api = 0 } = config.reservedConcurrency;
  const wanted = execute + evaluator + api;
  const least = Math.min(LEAST_UNRESERVED, whole);
  const says = `${whole} concurrent executions, ${unreserved} of them unreserved`;
  const reserving = `${says}; reservedConcurrency needs ${wanted}, and ${LEAST_UNRESERVED} must stay unreserved`;
  const raise = 'Request a higher Lambda quota "Concurrent executions" (L-B99A9384)';
  if (wanted > 0 && whole - wanted < least) {
    return { what, state: "missing", says: `${reserving}\n${raise}, or remove "reservedConcurrency".` };
  }
  if (wanted > 0 && unreserved - wanted < least) {
    return { what, state: "note", says: `${reserving}: enough only if this stack already reserves them\n${raise}.` };
  }
  if (whole < FEW)
    return { what, state: "note", says: `${says}: enough for about ${runsWithin(whole)} at a time\n${raise}.` };
  return { what, state: "ok", says };
}

export function evaluatorFinding(config: EvaluatorConfig, result: AwsResult<FunctionFacts>): Finding {
  const what = "evaluator";
  if ("refusal" in result) return unreadable(what, "its function", result.refusal);
  const found = result.value;
  const { state, lastUpdate } = found;
  if (state === "Failed" || lastUpdate === "Failed") return failedEvaluator(found);
  if (state === "Pending" || lastUpdate === "InProgress") {
    return { what, state: "note", says: "it is being created or updated; wait a minute or two" };
  }
  if (state === "Inactive") {
    return {
      what,
      state: "note",
      says: "Lambda removed its network interfaces; the next run restores them (a minute)",
    };
  }
  const differs = differences(config, found);
  const shape = `${found.architecture}${found.inVpc ? ", in its own network" : ""}${found.perTenant ? ", isolated by tenant" : ""}`;
  if (differs.length === 0) return { what, state: "ok", says: `ready: ${shape}` };
  return {
    what,
    state: "note",
    says: `ready: ${shape}; differs from the configuration in ${differs.join(", ")}`,
    next: [DEPLOY],
  };
}

function failedEvaluator({ state, reason, reasonCode, lastUpdateReason }: FunctionFacts): Finding {
  const why = state === "Failed" ? `${reasonCode} ${reason}`.trim() : lastUpdateReason;
  const next = [remedyFor(why) ?? { ...DEPLOY, note: "creates it again; see the function's log" }];
  return { what: "evaluator", state: "missing", says: `it failed: ${why || "Lambda gives no reason"}`, next };
}

function differences(config: EvaluatorConfig, found: FunctionFacts): string[] {
  const pairs: [string, boolean][] = [
    ["vpc", config.vpc !== found.inVpc],
    ["tenants", config.tenants !== found.perTenant],
    ["architecture", config.architecture !== undefined && config.architecture !== found.architecture],
  ];
  return pairs.filter(([, differs]) => differs).map(([name]) => `"evaluator.${name}"`);
}
