/** What the server says of itself; undefined: it has not answered, or does not know. */
import type { ServerAnswer } from "../../../lib/api/answers.ts";
import { ask } from "./ask.ts";
import { useAnswer } from "./use-answer.ts";

export function useServer(): ServerAnswer | undefined {
  const answer = useAnswer("/server", (signal) => ask<ServerAnswer>("/server", { signal }));
  return answer && "value" in answer ? answer.value : undefined;
}
