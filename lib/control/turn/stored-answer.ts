/** An answer that was stored, and that its attempt did not live to enter in the registry: it is paid, so it is taken. */
import type { NextRequest } from "../../core/turn/next-turn.ts";
import type { AnswerBody } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { unlessDamaged } from "../files/verified-read.ts";
import { ANSWER } from "./body-kinds.ts";
import { readBody, requestHash } from "./journal.ts";
import type { OpenStep } from "./open-step.ts";
import { prepareRequest, type RequestResult } from "./request.ts";

/** The next request; as it was sent before, if it is the very one to which an answer is stored. */
export async function prepareOrRepeat(step: OpenStep, next: NextRequest): Promise<RequestResult> {
  const { world, state } = step;
  const { run } = state;
  const stored = await storedAnswer(step, next.turn);
  if (stored) {
    const request = await prepareRequest({ ...step, world: { ...world, inputsFor: () => stored.inputs } }, next);
    if (request.kind === "ready" && requestHash(request.request) === stored.requestHash) return { ...request, stored };
    state.run = run;
  }
  return prepareRequest(step, next);
}

/** The registry has no turn of this number: what is stored for it is booked as a loss, if at all. */
async function storedAnswer({ world, state }: OpenStep, turn: number): Promise<AnswerBody | undefined> {
  const { id, writtenOff } = state.run;
  if (!writtenOff) return undefined;
  const { attempt } = writtenOff;
  const at = { instruction: state.number, turn };
  const keys = fileStoreKeys(id);
  const key = attempt === undefined ? keys.unclaimedAnswer(at) : keys.answer({ ...at, attempt });
  // One that is not there, or not whole, is asked for again.
  return unlessDamaged<AnswerBody | undefined>(readBody(world.files, { key }, ANSWER), undefined);
}
