/** How much of its answer each model has written that answers now: in memory alone, for the followers of the run. */

import type { World } from "../control/world.ts";
import type { AnswerUnderway, ShowProgress } from "../core/ports.ts";

export interface AnswersUnderway {
  show: NonNullable<World["showProgress"]>;
  of(runId: string): AnswerUnderway | undefined;
}

export function createAnswersUnderway(): AnswersUnderway {
  const underway = new Map<string, AnswerUnderway>();
  return {
    show:
      ({ runId, instruction, turn }): ShowProgress =>
      (characters) => {
        if (characters === 0) underway.delete(runId);
        else underway.set(runId, { instruction, turn, characters });
      },
    of: (runId) => underway.get(runId),
  };
}
