/** A call that brought no answer: what it may have cost is settled, and what arrived of it is kept. */
import type { ModelError } from "../../core/errors.ts";
import type { Reservation } from "../../core/run/budget.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { byteLength, encodeText } from "../../core/text/file-text.ts";
import type { Received } from "../../core/turn/call-bound.ts";
import { addModelCost } from "../../core/turn/model-fallback.ts";
import { countFailure } from "../../core/turn/retry.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { OpenStep } from "./open-step.ts";
import type { ReadyRequest } from "./request.ts";
import { commitRun } from "./step-state.ts";
import { costAtMost } from "./watch-call.ts";

const NOTHING: Reservation = { microUsd: 0, tokens: 0 };

export interface FailedCall {
  error: ModelError;
  received: Received;
}

/** If the server may have charged for it, what it has cost at most counts as spent. */
export function settleFailure(
  run: Run,
  request: ReadyRequest,
  { error, received }: FailedCall,
): { run: Partial<Run>; lost: Reservation } {
  const bytes = Math.max(received.bytes, byteLength(error.received ?? ""));
  const lost = error.perhapsPaid ? costAtMost(run, request, { ...received, bytes }) : NOTHING;
  return { run: { ...charged(run, lost), ...countFailure(run, error.kind) }, lost };
}

const charged = (run: Run, lost: Reservation): Partial<Run> => ({
  reservedMicroUsd: 0,
  reservedTokens: 0,
  microUsd: run.microUsd + lost.microUsd,
  ...addModelCost(run, lost.microUsd),
  inputTokens: run.inputTokens + lost.tokens,
});

/** The process is stopping: no later attempt knows as well what the call has cost. */
export async function settleStopped(
  { world, state, invocation }: OpenStep,
  request: ReadyRequest,
  received: Received,
): Promise<never> {
  const lost = costAtMost(state.run, request, received);
  const why = "the run was stopped while the model answered";
  await commitRun(world, state, { run: charged(state.run, lost), events: lostEvent(lost, why) });
  throw invocation.signal.reason;
}

export const lostEvent = (lost: Reservation, why: string): EventBody[] =>
  lost.microUsd + lost.tokens > 0 ? [{ type: "written_off", ...lost, why }] : [];

/** What a stream had brought when it broke off: nothing is done with it, but it can be read. */
export async function keepReceived(
  { world, state }: OpenStep,
  { turn }: ReadyRequest,
  { received }: ModelError,
): Promise<void> {
  if (received === undefined) return;
  const { id, attempt, failures } = state.run;
  const at = { instruction: state.number, turn, attempt };
  await world.files.put(fileStoreKeys(id).brokenAnswer(at, failures), encodeText(received));
}
