/** The evaluator on AWS: a function, invoked directly. Its answers are untrusted: hostile code runs beside it. */
import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from "@aws-sdk/client-lambda";
import { NotReady } from "../core/errors.ts";
import { EVALUATOR_ANSWER_MS, INVOCATION_PAYLOAD_BYTES, LONGEST_EVALUATION_MS, MiB } from "../core/limits.ts";
import type { EvaluationRequest, Evaluator, PackPart } from "../core/ports.ts";
import type { Environment } from "../core/prompt/environment.ts";
import { oneLine } from "../core/text/cut.ts";
import { encodeEvaluation, type LinkedBase } from "../core/verdict/evaluation-wire.ts";
import { type CheckStatus, notRun, Verdict } from "../core/verdict/verdict.ts";
import { notReadyFor } from "./evaluator-not-ready.ts";
import { explain } from "./failures.ts";

export interface LambdaEvaluatorParts {
  client: LambdaClient;
  functionName: string;
  /** Each run has its own execution environments. A function's tenant mode is fixed at its creation. */
  tenantIsolation: boolean;
  /** Links to the packs of a base that does not fit into an invocation. Absent: such a tree is not evaluated. */
  linkBase?: (parts: PackPart[]) => Promise<LinkedBase>;
  /** How long a run waits for the right to call the function. Absent: a quarter of an hour. */
  deniedPatienceMs?: number | undefined;
}

export function createLambdaEvaluator(parts: LambdaEvaluatorParts): Evaluator {
  const { client, functionName, tenantIsolation, deniedPatienceMs } = parts;
  async function invoke(
    payload: string,
    { runId, timeoutMs }: EvaluationRequest,
    signal?: AbortSignal,
  ): Promise<InvokeCommandOutput> {
    const command = new InvokeCommand({
      FunctionName: functionName,
      Payload: new TextEncoder().encode(payload),
      ...(tenantIsolation ? { TenantId: runId } : {}),
    });
    // As much longer as the longest evaluation is waited for.
    const requestTimeout = timeoutMs + EVALUATOR_ANSWER_MS - LONGEST_EVALUATION_MS;
    const limits = { requestTimeout, ...(signal ? { abortSignal: signal } : {}) };
    try {
      return await client.send(command, limits);
    } catch (error) {
      signal?.throwIfAborted();
      const wait = notReadyFor(error, deniedPatienceMs);
      throw wait
        ? new NotReady(wait.why, wait.afterMs, wait.patienceMs)
        : explain(error, `the evaluator ${functionName}`);
    }
  }

  return {
    describeEnvironment: () => IMAGE,
    async evaluate(request, signal) {
      signal?.throwIfAborted();
      const linked = await linkedBase(parts, request);
      const { bytes = 0 } = request.base;
      if (!linked && bytes > INVOCATION_PAYLOAD_BYTES) return tooLarge(request, bytes);
      const payload = await encodeEvaluation(request, linked);
      if (payload.length > INVOCATION_PAYLOAD_BYTES) return tooLarge(request, payload.length);
      return verdictOf(request, await invoke(payload, request, signal));
    },
  };
}

/** Larger packs, in base64 and with changes beside them, may not fit into an invocation. */
const INLINE_BYTES = 3 * MiB;

async function linkedBase(
  { linkBase }: LambdaEvaluatorParts,
  { base }: EvaluationRequest,
): Promise<LinkedBase | undefined> {
  if (!linkBase || !base.parts || base.bytes === undefined || base.bytes <= INLINE_BYTES) return undefined;
  return linkBase(await base.parts());
}

/** The evaluator's image, as lambdas/evaluate/Dockerfile builds it: planning need not wait for a cold start to know it. */
export const IMAGE: Environment = {
  system: "Linux",
  programs: { node: "24", npm: "", python3: "3.13" },
  packages: "image",
};

/** Far more than an honest answer needs, and little enough for the journal. */
const VERDICT_BYTES = 2 * MiB;
const SAID_CHARS = 300;

/** A crash or an invalid answer checked nothing: never green. */
function verdictOf(request: EvaluationRequest, { FunctionError, Payload, $metadata }: InvokeCommandOutput): Verdict {
  const requestId = $metadata?.requestId ?? "";
  const crashed = (detail: string): Verdict =>
    withoutCheck(request, { status: "crashed", reason: "evaluator_failed", detail, requestId });
  const bytes = Payload ?? new Uint8Array();
  if (FunctionError) return crashed(`the evaluator failed: ${lastWords(bytes)}`);
  if (bytes.length > VERDICT_BYTES) return crashed(`the evaluator answered ${bytes.length} bytes`);
  const verdict = Verdict.safeParse(parsed(bytes));
  if (!verdict.success) return crashed("the evaluator answered what is no verdict");
  const traceId = verdict.data.evaluator?.traceId;
  return { ...verdict.data, requestId, evaluator: { requestId, ...(traceId === undefined ? {} : { traceId }) } };
}

const tooLarge = (request: EvaluationRequest, bytes: number): Verdict =>
  withoutCheck(request, {
    status: "not_run",
    reason: "too_large",
    detail:
      `The tree with what this instruction changed takes ${bytes} bytes on its way to the evaluator, ` +
      `which takes ${INVOCATION_PAYLOAD_BYTES}. Make files smaller or delete some.`,
    requestId: "",
  });

interface Why {
  status: CheckStatus;
  reason: string;
  detail: string;
  requestId: string;
}

/** Requested checks become unknown; others stay as not requested. */
function withoutCheck({ syntax, tests, command }: EvaluationRequest, { requestId, ...why }: Why): Verdict {
  const notAsked = notRun("not_asked");
  return {
    ...notAsked,
    requestId,
    ...(requestId === "" ? {} : { evaluator: { requestId } }),
    ...(syntax ? { syntax: { ...notAsked.syntax, ...why } } : {}),
    ...(tests ? { tests: { ...notAsked.tests, ...why } } : {}),
    ...(command ? { command: { ...why, exitCode: null, stdout: "", stderr: "" } } : {}),
  };
}

/** Lambda's report of a failed invocation: out of time, out of memory, or a thrown error. */
function lastWords(bytes: Uint8Array): string {
  const failure = bytes.length > VERDICT_BYTES ? undefined : parsed(bytes);
  const { errorType, errorMessage } = (typeof failure === "object" && failure !== null ? failure : {}) as Record<
    string,
    unknown
  >;
  const said = [errorType, errorMessage].filter((part) => typeof part === "string" && part !== "").join(": ");
  return oneLine(said, SAID_CHARS) || "it gave no reason";
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
