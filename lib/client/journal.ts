/** The whole journal of a run, fetched turn by turn, several at a time. */
import { UserError } from "../core/errors.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { TaskDocument } from "../core/run/task.ts";
import type { FileEntry } from "../core/turn/turn.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import type { Entry, Program } from "./answers.ts";

export interface Journal {
  run: Run;
  task: TaskDocument;
  program: Program;
  /** By instruction; of each those of a lane first. */
  entries: Entry[];
  /** The tree that it started from. */
  start: ReadonlyMap<string, Uint8Array>;
  /** None while the starting files are being loaded. */
  files: FileEntry[];
  /** What was found out of a program with conditions. */
  checks: Event[];
}

/** Where it is fetched from. */
export interface JournalSource {
  task(id: string): Promise<TaskDocument>;
  program(id: string): Promise<Program>;
  /** Undefined: there is none. */
  turn(id: string, at: TurnAddress): Promise<Entry | undefined>;
  wholeFiles(id: string): Promise<FileEntry[]>;
  events(id: string, range: { after: number }): Promise<{ events: Event[] }>;
  output(run: Run, at: number): Promise<Map<string, Uint8Array>>;
}

/** As many as a server of one's own, or API Gateway for one caller, answers without refusing. */
const AT_ONCE = 6;

export async function fetchJournal(api: JournalSource, run: Run): Promise<Journal> {
  const [task, program, files, start] = await Promise.all([
    api.task(run.id),
    api.program(run.id),
    run.toLoad === undefined ? api.wholeFiles(run.id) : [],
    run.options.from && run.packed >= 0 ? api.output(run, 0) : new Map<string, Uint8Array>(),
  ]);
  const found: Entry[][] = [];
  const steps = stepsOf(run, program);
  let next = 0;
  const fetchNext = async (): Promise<void> => {
    for (let index = next++; index < steps.length; index = next++) {
      const step = steps[index];
      if (step) found[index] = await entriesOf(api, run.id, step);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
  const checks = run.walk ? await checksOf(api, run) : [];
  return { run, task, program, files, start, entries: found.flat(), checks };
}

async function checksOf(api: JournalSource, { id, events: latest }: Run): Promise<Event[]> {
  const checks: Event[] = [];
  for (let after = 0; after < latest; ) {
    const { events } = await api.events(id, { after });
    checks.push(...events.filter(({ type }) => type === "checked"));
    after = events.at(-1)?.seq ?? latest;
  }
  return checks;
}

type Step = Omit<TurnAddress, "turn">;

/** What lanes did of instructions that the run has not come to is of its journal, too. */
function stepsOf(run: Run, { instructions }: Program): Step[] {
  const own = Array.from({ length: Math.max(0, run.pc) + 1 }, (_, instruction): Step => ({ instruction }));
  const ahead = instructions.flatMap((each): Step[] =>
    each.ahead ? [{ instruction: each.number, lane: each.ahead.lane }] : [],
  );
  return [...ahead, ...own].toSorted((one, other) => one.instruction - other.instruction);
}

/** Turns are numbered without gaps. */
async function entriesOf(api: JournalSource, id: string, step: Step): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const entry = await entryOf(api, id, { ...step, turn: entries.length + 1 });
    if (!entry) return entries;
    entries.push(entry);
  }
}

/** A server of an earlier version refuses to look for lanes, or answers with the run's own turn. */
async function entryOf(api: JournalSource, id: string, at: TurnAddress): Promise<Entry | undefined> {
  const entry = await api.turn(id, at).catch((error: unknown) => {
    throw at.lane !== undefined && error instanceof UserError && error.exitCode === 2 ? noLanes(id) : error;
  });
  if (entry && entry.turn.lane !== at.lane) throw noLanes(id);
  return entry;
}

const noLanes = (id: string): UserError =>
  new UserError(`Run ${id} was executed in several lanes, and its server is of a version that does not show them.`, {
    exitCode: 2,
    remedy: "Update the server, or run this command on the computer that has the run.",
  });
