/** A run as it stood at one of its turns: files, program and sums, folded from the turns until then. Pure. */
import type { Draft } from "../core/program.ts";
import type { Run } from "../core/run.ts";
import type { ToldTurn } from "../core/turn.ts";

export interface FileThen {
  path: string;
  /** Undefined: it came with the task. */
  last?: ToldTurn;
}

export type InstructionState = "to come" | "begun" | "done" | "skipped";

export interface InstructionThen {
  number: number;
  title: string;
  requirements: string[];
  state: InstructionState;
  turns: number;
  microUsd: number;
  milliseconds: number;
}

export interface Then {
  files: FileThen[];
  instructions: InstructionThen[];
  microUsd: number;
  passed: number;
  failed: number;
}

export function standingAt(turns: readonly ToldTurn[], program: Draft, start: readonly string[] = []): Then {
  const files = new Map<string, FileThen>(start.map((path) => [path, { path }]));
  const instructions = program.instructions.map(({ title, requirements }, index): InstructionThen => {
    const none = { turns: 0, microUsd: 0, milliseconds: 0 };
    return { number: index + 1, title, requirements, state: "to come", ...none };
  });
  const then: Then = { files: [], instructions, microUsd: 0, passed: 0, failed: 0 };
  for (const turn of turns) {
    for (const { path, sha256 } of turn.changes) {
      if (sha256 === null) files.delete(path);
      else files.set(path, { path, last: turn });
    }
    then.microUsd += turn.microUsd;
    then.passed = turn.found?.passed ?? then.passed;
    then.failed = turn.found?.failed ?? then.failed;
    const instruction = instructions[turn.instruction - 1];
    if (instruction) count(instruction, turn);
  }
  then.files = [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return then;
}

function count(instruction: InstructionThen, turn: ToldTurn): void {
  instruction.turns += 1;
  instruction.microUsd += turn.microUsd;
  instruction.milliseconds += turn.milliseconds;
  instruction.state = turn.outcome === "accepted" ? "done" : turn.outcome === "discarded" ? "skipped" : "begun";
}

/** The place of a turn among all, or that of the last one of an instruction. */
export function placeOf(turns: readonly ToldTurn[], at: { instruction: number; turn?: number }): number {
  return turns.findLastIndex(
    ({ instruction, turn }) => instruction === at.instruction && (at.turn === undefined || turn === at.turn),
  );
}

export const nameOf = ({ instruction, turn }: Pick<ToldTurn, "instruction" | "turn">): string =>
  instruction === 0 ? `planning, turn ${turn}` : `instruction ${instruction}, turn ${turn}`;

/** What is being done with a run, and what may be done. */
export function actionsFor({ status, reason }: Pick<Run, "status" | "reason">): string[] {
  if (status === "waiting" && reason === "approval") return ["approve", "reject", "delete"];
  if (status === "completed") return ["delete"];
  if (["partial", "failed", "cancelled"].includes(status)) return ["resume", "delete"];
  if (status === "waiting" && reason === "interrupted") return ["resume", "delete"];
  return ["cancel"];
}
