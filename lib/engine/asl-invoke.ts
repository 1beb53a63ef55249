/** One invocation of a task's function, under the limits that Lambda and the state put on it. */
import { INVOCATION_MS, INVOCATION_PAYLOAD_BYTES } from "../core/limits.ts";
import type { Clock } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import { failed, type Outcome } from "./asl-outcome.ts";

export type TaskFunction = (
  payload: Json,
  context: { remainingMs: () => number; signal: AbortSignal },
) => Promise<Json>;

export interface Call {
  task: TaskFunction;
  payload: Json;
  clock: Clock;
  /** The execution's: when it aborts, the answer is no longer awaited. */
  signal: AbortSignal;
  timeoutMs: number;
}

/** Past the state's own time-out the execution goes on, and the function may live on, as it does in the cloud. */
export async function call(asked: Call): Promise<Outcome<Json>> {
  const invocation = invoke(asked);
  // The invocation's own limit speaks first.
  if (asked.timeoutMs > INVOCATION_MS) return invocation;
  return within(asked.timeoutMs, { ...asked, overdue: failed("States.Timeout") }, invocation);
}

async function invoke(asked: Call): Promise<Outcome<Json>> {
  const over = new AbortController();
  const deadline = asked.clock.now() + INVOCATION_MS;
  const context = { signal: over.signal, remainingMs: () => Math.max(0, deadline - asked.clock.now()) };
  const overdue = failed("Sandbox.Timedout", `Task timed out after ${INVOCATION_MS / 1000}.00 seconds`);
  const outcome = await within(INVOCATION_MS, { ...asked, overdue }, settle(asked, context));
  if (outcome === overdue || outcome === aborted) over.abort();
  return outcome;
}

const aborted = failed("Aborted");

type Bound = Pick<Call, "clock" | "signal"> & { overdue: Outcome<Json> };

async function within(ms: number, bound: Bound, work: Promise<Outcome<Json>>): Promise<Outcome<Json>> {
  const { clock, signal, overdue } = bound;
  const settled = new AbortController();
  const ends = clock.sleep(ms, settled.signal).then(() => overdue);
  const gone = new Promise<Outcome<Json>>((resolve) => {
    if (signal.aborted) resolve(aborted);
    else signal.addEventListener("abort", () => resolve(aborted), { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, ends, gone]);
  } finally {
    settled.abort("settled");
  }
}

async function settle({ task, payload }: Call, context: Parameters<TaskFunction>[1]): Promise<Outcome<Json>> {
  try {
    const answer: Json | undefined = await task(payload, context);
    const text = JSON.stringify(answer ?? null);
    if (Buffer.byteLength(text) > INVOCATION_PAYLOAD_BYTES) return responseTooLarge;
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    return error instanceof Error ? failed(error.name || "Error", error.message) : failed("Error", String(error));
  }
}

const responseTooLarge = failed(
  "Function.ResponseSizeTooLarge",
  `Response payload size exceeded maximum allowed payload size (${INVOCATION_PAYLOAD_BYTES} bytes).`,
);
