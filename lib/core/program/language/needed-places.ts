/** What a step of a program with blocks needs, as places of the program. Pure. */
import { nodeAt } from "./advance.ts";
import type { Frame, Frames } from "./frames.ts";
import { listsIn } from "./nodes.ts";
import type { Program, ProgramNode } from "./schema.ts";

export interface NeededPlace {
  /** The blocks around both, in the rounds of the step that needs it. */
  inside: Frames;
  /** From there: the blocks around it, and the instruction itself, which may be a block. */
  way: Turn[];
}

interface Turn {
  at: number;
  /** Of an `if`, which of its lists. */
  round?: number;
}

interface Needing {
  frames: Frames;
  needs?: readonly string[] | undefined;
  /** Of the step before it. */
  previous?: Frames | undefined;
}

/** Undefined: neither it nor a block that it is the first step of says what it needs. An id that a loop executes again names the last time. */
export function neededPlaces(program: Program, step: Needing): NeededPlace[] | undefined {
  const needing = neededIn(program, step);
  if (!needing) return undefined;
  const scope = callAround(needing.around);
  const ways = waysTo(listInside(program, scope), new Set(needing.needs));
  return needing.needs.flatMap((id) => {
    const way = ways.get(id);
    return way ? [shared({ inside: scope, way }, step.frames)] : [];
  });
}

/** Whether a step is at that place or below it. */
export function isAtPlace(frames: Frames, { inside, way }: NeededPlace): boolean {
  if (!inside.every((frame, depth) => isSame(frame, frames[depth]))) return false;
  return way.every(({ at, round }, index) => {
    const frame = frames[inside.length + index];
    return frame?.at === at && (round === undefined || roundOf(frame) === round);
  });
}

/** Below 0: the step is before all that the place is in. Steps are executed in this order. */
export function orderTo(frames: Frames, { inside, way }: NeededPlace): number {
  for (const [depth, frame] of inside.entries()) {
    const { at, round = 1 } = frames[depth] ?? { at: -1 };
    const order = at - frame.at || round - roundOf(frame);
    if (order !== 0) return order;
  }
  return (frames[inside.length]?.at ?? -1) - (way[0]?.at ?? 0);
}

function neededIn(
  program: Program,
  { frames, needs, previous }: Needing,
): { needs: readonly string[]; around: Frames } | undefined {
  if (needs) return { needs, around: frames.slice(0, -1) };
  for (let depth = frames.length - 2; depth >= 0; depth -= 1) {
    const around = frames.slice(0, depth);
    const isFirst = !previous || !isAtPlace(previous, { inside: around, way: [{ at: frames[depth]?.at ?? 0 }] });
    if (!isFirst) return undefined;
    const own = nodeAt(program, frames.slice(0, depth + 1))?.needs;
    if (own) return { needs: own, around };
  }
  return undefined;
}

/** A called program has ids of its own, each time that it is called. */
const callAround = (frames: Frames): Frames =>
  frames.slice(0, frames.findLastIndex(({ call }) => call !== undefined) + 1);

function listInside(program: Program, around: Frames): ProgramNode[] {
  if (around.length === 0) return program.instructions;
  const node = nodeAt(program, around);
  return (node && listsIn(node)[0]?.[1]) ?? [];
}

function waysTo(list: ProgramNode[], ids: ReadonlySet<string>): Map<string, Turn[]> {
  const ways = new Map<string, Turn[]>();
  const look = (nodes: ProgramNode[], trail: Turn[]): void => {
    for (const [at, node] of nodes.entries()) {
      if (node.id !== undefined && ids.has(node.id) && !ways.has(node.id)) ways.set(node.id, [...trail, { at }]);
      if (node.kind === "call") continue;
      for (const [index, [, inner]] of listsIn(node).entries())
        look(inner, [...trail, node.kind === "if" ? { at, round: index + 1 } : { at }]);
    }
  };
  look(list, []);
  return ways;
}

/** Blocks around both count in the same round alone. */
function shared({ inside, way }: NeededPlace, frames: Frames): NeededPlace {
  const [turn, ...rest] = way;
  const frame = frames[inside.length];
  const isAround = frame && turn && rest.length > 0 && inside.length < frames.length - 1 && frame.at === turn.at;
  if (!isAround || (turn.round !== undefined && turn.round !== roundOf(frame))) return { inside, way };
  return shared({ inside: [...inside, frame], way: rest }, frames);
}

const roundOf = ({ round = 1 }: Frame): number => round;
const isSame = (one: Frame, other: Frame | undefined): boolean =>
  other !== undefined && one.at === other.at && roundOf(one) === roundOf(other);
