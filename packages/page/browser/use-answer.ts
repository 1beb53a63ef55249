/** A resource of the server: loading, loaded, or the problem with it. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../../../lib/core/errors.ts";
import { backOff, isPassing } from "./failures.ts";
import { createPause } from "./pause.ts";

export type AnswerState<Value> = { value: Value } | { problem: string; error: unknown } | undefined;

/** Do not request what the user only scrubs past. */
const PASSING_MS = 100;

/** Requests again when the key changes; undefined: nothing is needed. */
export function useAnswer<Value>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<Value>,
): AnswerState<Value> {
  const [answered, setAnswered] = useState<{ key: string; is: AnswerState<Value> }>();
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    void untilAnswered(ask, ending.signal, (is) => setAnswered({ key, is }));
    return () => ending.abort();
  }, [key]);
  return answered?.key === key ? answered?.is : undefined;
}

async function untilAnswered<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
  onAnswer: (answered: AnswerState<Value>) => void,
): Promise<void> {
  const pause = createPause({ signal, tab: document });
  await pause(PASSING_MS);
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return onAnswer({ value: await ask(signal) });
    } catch (error) {
      if (signal.aborted) return;
      const passes = isPassing(error);
      onAnswer({ problem: passes ? `${messageOf(error)} Trying again.` : messageOf(error), error });
      if (!passes) return;
      await pause(backOff(tries));
    }
  }
}
