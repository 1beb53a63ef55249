/** What a turn asks of DynamoDB and S3: late in a run and early, with many files and with few. It must be the same. */
import { compute, mustStand } from "./acts/act.ts";
import type { Hop } from "./parts.ts";
import { openStage, type Stage } from "./stage.ts";

export interface TurnCalls {
  where: string;
  dynamodb: number;
  s3: number;
}

/** The scripted model writes the files of a part, and completes it. */
const TURNS = 2;
const FIRST_PART = 100;

const program = (instructions: number) =>
  Array.from({ length: instructions }, (_, at) => ({
    title: `Part ${at}`,
    text: `MARK-${FIRST_PART + at}-BEGINS Write the files of this part.`,
  }));

export async function measureTurnCalls(instructions: number, manyFiles: number): Promise<TurnCalls[]> {
  const counting = createCounting();
  const stage = await openStage({ config: {}, hop: counting.hop });
  try {
    // One more than is looked at: the invocation of the last instruction tries the delivery, too, once in a run.
    const long = await counted(stage, counting, { program: program(instructions + 1) });
    const few = await counted(stage, counting, { program: program(3), files: filesOf(10) });
    const many = await counted(stage, counting, { program: program(3), files: filesOf(manyFiles) });
    return [
      { where: "at instruction 10", ...perTurn(long[9]) },
      { where: `at instruction ${instructions}`, ...perTurn(long[instructions - 1]) },
      { where: "with 10 files", ...perTurn(few[1]) },
      { where: `with ${manyFiles} files`, ...perTurn(many[1]) },
    ];
  } finally {
    await stage.stop();
  }
}

/** All alike, so that they are one blob: how long thousands take to be stored is not asked here. */
const filesOf = (many: number) =>
  Array.from({ length: many }, (_, at) => ({ path: `kept/file-${at}.txt`, content: "kept\n" }));

interface Calls {
  dynamodb: number;
  s3: number;
}

/** Of each invocation of Execute: with a model that answers at once, one for each instruction. */
function createCounting() {
  let now: Calls = { dynamodb: 0, s3: 0 };
  let invocations: Calls[] = [];
  return {
    hop({ from, to }: Hop): void {
      if (from.startsWith("ControlUnitExecuteRole") && (to === "dynamodb" || to === "s3")) now[to] += 1;
      if (from !== "Lambda" || !to.startsWith("ControlUnitExecute")) return;
      invocations.push(now);
      now = { dynamodb: 0, s3: 0 };
    },
    taken(): Calls[] {
      const taken = invocations;
      invocations = [];
      return taken;
    },
  };
}

async function counted(stage: Stage, counting: ReturnType<typeof createCounting>, body: Record<string, unknown>) {
  const run = await compute(stage, { task: "Write the parts.", ...body });
  mustStand(run, "completed");
  const taken = counting.taken();
  if (taken.length < run.instructions || run.turns !== TURNS * run.instructions)
    throw new Error(`${run.instructions} instructions took ${taken.length} invocations and ${run.turns} turns.`);
  return taken;
}

const perTurn = (calls: Calls | undefined): Calls => {
  if (!calls) throw new Error("There was no such invocation.");
  return { dynamodb: calls.dynamodb / TURNS, s3: calls.s3 / TURNS };
};

/** The largest difference between two places. */
export function differenceOf(measured: TurnCalls[]): number {
  const totals = measured.map(({ dynamodb, s3 }) => dynamodb + s3);
  return Math.max(...totals) - Math.min(...totals);
}

export const turnCallsTable = (measured: TurnCalls[]): string[] =>
  measured.map(({ where, dynamodb, s3 }) => `  ${where.padEnd(22)} ${dynamodb} DynamoDB + ${s3} S3 calls a turn`);
