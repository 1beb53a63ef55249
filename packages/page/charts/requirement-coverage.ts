/** Where instructions serve requirements: each its own row and column, or several in one where there are too many. Pure. */
import type { InstructionState } from "../../../lib/core/run/history.ts";
import { pluralize } from "../../../lib/core/text/format.ts";
import type { ChartData } from "./chart.ts";

export interface RequirementUse {
  row: number;
  column: number;
  state: InstructionState;
  /** An instruction with this state. */
  at: number;
  description: string;
}

interface RequirementRow {
  name: string;
  isServed: boolean;
}

/** More than this stand several in a row. */
const ROWS = 100;
/** The least far first: what is not there must not hide behind what is. */
const LEAST_FAR: InstructionState[] = ["stuck", "skipped", "pending", "started", "unchecked", "accepted"];

export function coverageOf(history: ChartData, columnsMost: number) {
  const { requirements, instructions } = history.program;
  const eachRow = Math.ceil(requirements.length / ROWS);
  const each = Math.ceil(instructions.length / Math.max(1, columnsMost));
  const rowOf = new Map(requirements.map(({ id }, index) => [id, Math.floor(index / eachRow)]));
  const states = history.states;
  const servings = new Map<string, RequirementUse & { pairs: string[] }>();
  for (const [index, { title, requirements: served }] of instructions.entries())
    for (const id of new Set(served)) {
      const row = rowOf.get(id);
      if (row === undefined) continue;
      const [column, at, state] = [Math.floor(index / each), index + 1, states[index] ?? "pending"];
      const pair = { row, column, at, state, description: `${id} in ${at}: ${title}, ${state}` };
      const place = `${row} ${column}`;
      servings.set(place, joined(servings.get(place), pair));
    }
  const rows = rowsOf(requirements, eachRow, new Set(instructions.flatMap(({ requirements: served }) => served)));
  return {
    rows,
    columns: Math.ceil(instructions.length / each),
    each,
    servings: [...servings.values()].map(described),
  };
}

function rowsOf(
  requirements: readonly { id: string; text: string }[],
  each: number,
  served: Set<string>,
): RequirementRow[] {
  return Array.from({ length: Math.ceil(requirements.length / each) }, (_, row) => {
    const own = requirements.slice(row * each, (row + 1) * each);
    const [first, last] = [own[0], own.at(-1)];
    const name = own.length === 1 ? `${first?.id} ${first?.text.replace(/\s+/g, " ")}` : `${first?.id} to ${last?.id}`;
    return { name, isServed: own.some(({ id }) => served.has(id)) };
  });
}

type Collected = RequirementUse & { pairs: string[] };

function joined(known: Collected | undefined, { description, ...pair }: RequirementUse): Collected {
  if (!known) return { ...pair, description, pairs: [description] };
  const pairs = [...known.pairs, description];
  const isLess = LEAST_FAR.indexOf(pair.state) < LEAST_FAR.indexOf(known.state);
  return { ...known, ...(isLess ? pair : {}), pairs };
}

/** Most pairs named in a tooltip. */
const MOST_NAMED = 3;

const described = ({ pairs, ...serving }: Collected): RequirementUse => {
  const more = pairs.length - MOST_NAMED;
  return {
    ...serving,
    description: pairs.slice(0, MOST_NAMED).join("; ") + (more > 0 ? `; and ${pluralize(more, "mark")} more` : ""),
  };
};
