/** Something that is asked of the server while it is looked at: not yet, an answer, or why there is none. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "./ask.ts";

export type Answered<Value> = { value: Value } | { problem: string; error: unknown } | undefined;

/** Who scrubs past something does not want it yet. */
const PASSING_MS = 100;

/** Asks anew where the key is another one; undefined: nothing is wanted. */
export function useAnswer<Value>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<Value>,
): Answered<Value> {
  const [answered, setAnswered] = useState<{ key: string; is: Answered<Value> }>();
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      ask(ending.signal)
        .then((value) => setAnswered({ key, is: { value } }))
        .catch((error: unknown) => {
          if (!ending.signal.aborted) setAnswered({ key, is: { problem: messageOf(error), error } });
        });
    }, PASSING_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [key]);
  return answered?.key === key ? answered?.is : undefined;
}
