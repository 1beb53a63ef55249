/** What an instruction's execution does next, read from the index of its turns. Pure. */
import { PLANNING_TURNS, TIMEOUTS_PER_INSTRUCTION, TURNS_PER_INSTRUCTION } from "../limits.ts";
import { loopsOf } from "./loops.ts";
import type { StuckCause } from "./stuck.ts";
import type { Turn } from "./turn.ts";

export type NextTurn = { do: "accepted" } | ({ do: "stuck" } & StuckCause) | NextRequest;

/** The model is asked: in which turn and conversation, and with which measures against loops and timeouts. */
export interface NextRequest {
  do: "ask";
  turn: number;
  segment: number;
  /** Why a fresh conversation begins. */
  fresh?: string;
  heated: boolean;
  halvings: number;
}

type Facts = Pick<Turn, "turn" | "segment" | "outcome" | "signature" | "model" | "serverSaid">;

const CONTEXT_REFUSALS = 3;

export const turnCapOf = (instruction: number): number => (instruction === 0 ? PLANNING_TURNS : TURNS_PER_INSTRUCTION);

interface NextTurnFacts {
  instruction: number;
  forgivenTurn: number;
  model?: number;
  /** Absent: as many turns as an instruction has. */
  cap?: number;
}

/** `turns` are all committed turns of the instruction; those up to `forgivenTurn` no longer count against it. */
export function nextTurn(
  turns: Facts[],
  { instruction, forgivenTurn, model = 0, cap = turnCapOf(instruction) }: NextTurnFacts,
): NextTurn {
  const last = turns.at(-1);
  if (last?.outcome === "accepted") return { do: "accepted" };
  const counted = turns.filter((turn) => turn.turn > forgivenTurn);
  // Another model begins with patience and limits of its own.
  const timeOuts = counted.filter((turn) => turn.outcome === "timed_out" && (turn.model ?? 0) === model).length;
  const stuck = stuckIn(counted, { cap, timeOuts });
  if (stuck) return { do: "stuck", ...stuck };
  const loops = loopsOf(counted.map((turn) => turn.signature));
  const fresh = freshReason(counted.length, turns.length, loops.measure);
  const segment = (last?.segment ?? 0) + (fresh && last ? 1 : 0);
  const ask = {
    do: "ask" as const,
    turn: (last?.turn ?? 0) + 1,
    segment,
    heated: loops.detected > 0,
    halvings: timeOuts,
  };
  return fresh ? { ...ask, fresh } : ask;
}

/** No turn counts any more: they were forgiven. */
export const RESUMED = "the run was resumed";

function freshReason(counted: number, all: number, measure: string | undefined): string | undefined {
  if (all === 0) return "start";
  if (counted === 0) return RESUMED;
  return measure === "fresh conversation" ? "going in circles" : undefined;
}

function stuckIn(turns: Facts[], { cap, timeOuts }: { cap: number; timeOuts: number }): StuckCause | undefined {
  if (loopsOf(turns.map((turn) => turn.signature)).measure === "stuck") {
    const detail = "the same calls came back again and again, also at a higher temperature and in a fresh conversation";
    return { kind: "loop", detail };
  }
  if (timeOuts >= TIMEOUTS_PER_INSTRUCTION) {
    const detail = `the model did not answer in time ${TIMEOUTS_PER_INSTRUCTION} times, each with half the output limit`;
    return { kind: "timed_out", detail };
  }
  const refused = turns.slice(-CONTEXT_REFUSALS);
  if (refused.length === CONTEXT_REFUSALS && refused.every((turn) => turn.outcome === "context_exceeded")) {
    const said = refused.at(-1)?.serverSaid;
    const detail = `the model server says that even a fresh conversation exceeds the context window${said ? ` (${said})` : ""}; state its size with --context-window`;
    return { kind: "context_exceeded", detail };
  }
  if (turns.length < cap) return undefined;
  return { kind: "turn_cap", detail: `${cap} turns were not enough to complete it` };
}
