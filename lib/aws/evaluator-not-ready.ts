/** When the evaluator is not there yet: busy, asleep, starting, or out of reach. That is a wait, never a verdict. */
import { nameOf, passes } from "./failures.ts";

/** Undefined: waiting will not help. */
export function notReadyFor(error: unknown): { why: string; afterMs: number } | undefined {
  const name = nameOf(error);
  const afterMs = WAIT_MS[name] ?? (passes(error) ? SHORTLY_MS : undefined);
  if (afterMs === undefined) return undefined;
  return { why: `The evaluator is not ready (${name}).`, afterMs: Math.max(afterMs, askedMs(error)) };
}

const SHORTLY_MS = 10_000;
const STARTING_MS = 20_000;
/** Somebody must leave before there is room. */
const FULL_MS = 60_000;

const WAIT_MS: Record<string, number> = {
  TooManyRequestsException: SHORTLY_MS,
  ServiceException: SHORTLY_MS,
  // Its code is being replaced, or it is being created.
  ResourceConflictException: STARTING_MS,
  // It idled so long that its network is gone; this call wakes it.
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

/** What Lambda asks for with a refusal, in seconds. */
function askedMs(error: unknown): number {
  const seconds = error instanceof Error && "retryAfterSeconds" in error ? Number(error.retryAfterSeconds) : 0;
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
