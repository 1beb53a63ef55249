/** Asks for all of a run: itself, its program where that may have changed, and the turns that are not known yet. */
import type { ProgramAnswer, RunStatusView } from "../../../lib/api/answers.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { isSameTurn, turnAddress } from "../../../lib/core/turn/turn-address.ts";

export type Ask = <Answer>(path: string, asked: { signal: AbortSignal }) => Promise<Answer>;

export interface Fetched {
  run: RunStatusView;
  program: ProgramAnswer;
  turns: TurnRecord[];
  /** Paths that it started from. */
  start?: string[];
}

export interface FetchParts {
  id: string;
  ask: Ask;
  known: Fetched | undefined;
  isProgramStale: boolean;
  signal: AbortSignal;
}

/** All of it or nothing: where one answer is missing, the next try begins from what was known. */
export async function fetchRun({ id, ask, known, isProgramStale, signal }: FetchParts): Promise<Fetched> {
  const get: Get = (path) => ask(`/runs/${id}${path}`, { signal });
  const run = await get<RunStatusView>("");
  const program = known && !isProgramStale ? known.program : await get<ProgramAnswer>("/program");
  const start = known?.start ?? (run.options.from && run.packed >= 0 ? await startOf(get) : undefined);
  const turns = await turnsAfter(known, get);
  return { run, program, turns, ...(start ? { start } : {}) };
}

type Get = <Answer>(path: string) => Promise<Answer>;

/** The same ones where there are no more. */
async function turnsAfter(known: Pick<Fetched, "run" | "turns"> | undefined, get: Get): Promise<TurnRecord[]> {
  const before = known?.turns ?? [];
  const turns = known ? settled(known) : [];
  for (;;) {
    const last = turns.at(-1);
    const after = last ? `&after=${encodeURIComponent(turnAddress(last))}` : "";
    const page = await get<{ turns: TurnRecord[]; next?: string }>(`/turns?limit=1000${after}`);
    turns.push(...page.turns.filter(({ state }) => state === "committed"));
    if (page.next === undefined) return isSame(turns, before) ? before : turns;
  }
}

/** Lanes take turns of instructions that the run has not come to, in any order. */
const settled = ({ run, turns }: Pick<Fetched, "run" | "turns">): TurnRecord[] =>
  turns.some(({ lane }) => lane !== undefined) || (run.options.parallel ?? 1) > 1
    ? turns.filter(({ instruction }) => instruction < run.pc)
    : [...turns];

const isSame = (turns: TurnRecord[], before: TurnRecord[]): boolean =>
  turns.length === before.length &&
  turns.every((turn, index) => {
    const other = before[index];
    return other !== undefined && isSameTurn(turn, other) && turn.ahead === other.ahead;
  });

async function startOf(get: Get): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor = ""; ; ) {
    const query = `at=0&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await get<{ files: { path: string }[]; cursor?: string }>(`/files?${query}`);
    paths.push(...page.files.map(({ path }) => path));
    if (!page.cursor) return paths;
    cursor = page.cursor;
  }
}
