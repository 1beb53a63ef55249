/** Which events change a program. Pure. */
import type { EventBody } from "./event.ts";

/** Whether the program, or the state of an instruction, may differ after an event of this type. */
export const CHANGES_PROGRAM: Record<EventBody["type"], boolean> = {
  ...{
    created: false,
    forked: true,
    checked: false,
    planning: false,
    program: true,
    baseline: false,
    instruction_started: true,
    turn: false,
    verdict: false,
  },
  ...{
    instruction_accepted: true,
    made: false,
    finished: true,
    joined: true,
    dropped: true,
    halted: false,
    instruction_skipped: true,
    split: true,
    trapped: true,
    amended: false,
    restarted: false,
  },
  ...{
    loop: false,
    smoke: false,
    retry: false,
    waiting: false,
    written_off: false,
    notice: false,
    model_changed: false,
  },
  asked: true,
  answered: false,
  revising: false,
  approved: true,
  resumed: true,
  ended: true,
};
