/** Recognizes an evaluator that is not ready: throttled, inactive, starting, replaced or unreachable. That is a wait, never a verdict. */
import { nameOf, passes } from "./failures.ts";

/** Undefined: waiting does not help. */
export function notReadyFor(
  error: unknown,
  deniedPatienceMs = DENIED_PATIENCE_MS,
): { why: string; afterMs: number; patienceMs?: number } | undefined {
  const name = nameOf(error);
  if (isDeniedToInvoke(error))
    return { why: `${DENIED} (${name}).`, afterMs: REPLACED_MS, patienceMs: deniedPatienceMs };
  if (isReplaced(error)) return { why: `${REPLACED} (${name}).`, afterMs: REPLACED_MS };
  const afterMs = WAIT_MS[name] ?? (passes(error) ? SHORTLY_MS : undefined);
  if (afterMs === undefined) return undefined;
  return { why: `The evaluator is not ready (${name}).`, afterMs: Math.max(afterMs, requestedMs(error)) };
}

/**
 * An update of the stack has replaced the function, and this invocation knows the old one only: its name, and whether it
 * takes tenants. After the wait another invocation calls the new one.
 */
const isReplaced = (error: unknown): boolean =>
  nameOf(error) === "ResourceNotFoundException" ||
  (nameOf(error) === "InvalidParameterValueException" && error instanceof Error && /tenant/i.test(error.message));

/** The role already names the new function only, while this invocation, or the next one, still knows the old name. */
const isDeniedToInvoke = (error: unknown): boolean =>
  nameOf(error) === "AccessDeniedException" && error instanceof Error && /lambda:InvokeFunction/.test(error.message);

const DENIED =
  "This function may not call the evaluator that it knows: an update of the stack is replacing it, or its role lacks lambda:InvokeFunction; deploy again";

const REPLACED =
  "The evaluator that this function knows is not there: an update of the stack is replacing it; if none is in progress, deploy again";

const SHORTLY_MS = 10_000;
const STARTING_MS = 20_000;
/** An update takes a few minutes; idle execution environments of the old configuration end meanwhile. */
const REPLACED_MS = 60_000;
/** CloudFormation changes the role some minutes before the function at the latest. */
const DENIED_PATIENCE_MS = 15 * 60_000;
/** Other functions must release network interfaces or addresses first. */
const FULL_MS = 60_000;

const WAIT_MS: Record<string, number> = {
  TooManyRequestsException: SHORTLY_MS,
  ServiceException: SHORTLY_MS,
  // Its code is being replaced, or it is being created.
  ResourceConflictException: STARTING_MS,
  // Lambda removed its network interfaces while it was idle; this call restores them.
  ResourceNotReadyException: STARTING_MS,
  CodeArtifactUserPendingException: STARTING_MS,
  CodeArtifactUserDeletedException: STARTING_MS,
  SnapStartNotReadyException: STARTING_MS,
  ENINotReadyException: STARTING_MS,
  EC2ThrottledException: STARTING_MS,
  EC2UnexpectedException: STARTING_MS,
  ENILimitReachedException: FULL_MS,
  SubnetIPAddressLimitReachedException: FULL_MS,
};

/** The wait that Lambda requests, in seconds. */
function requestedMs(error: unknown): number {
  const seconds = error instanceof Error && "retryAfterSeconds" in error ? Number(error.retryAfterSeconds) : 0;
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
