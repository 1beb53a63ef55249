/** The HTTP API as functions, over any transport. */
import type { z } from "zod";
import { defined } from "../core/defined.ts";
import { EvidenceTable } from "../core/evidence/table.ts";
import type { AnswerUnderway } from "../core/ports.ts";
import type { DayAccount } from "../core/run/daily.ts";
import type { Event } from "../core/run/event.ts";
import type { BusyLane } from "../core/run/lanes/busy-lane.ts";
import { isEnded, type Run } from "../core/run/run.ts";
import { TaskDocument } from "../core/run/task.ts";
import type { TurnRecord } from "../core/turn/turn.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import {
  DayAnswer,
  Entry,
  EventPage,
  FilePage,
  LanesAnswer,
  OutputLink,
  Program,
  Run as RunAnswer,
  Runs,
  TurnPage,
  WholeFiles,
} from "./answers.ts";
import { type ApiCall, type AskParts, createAsk, readAnswer, refused } from "./ask.ts";
import { type ChangeParts, type Changes, createChanges } from "./changes.ts";
import { createDeliveryReading, type DeliveryReading } from "./delivery.ts";
import { fetchJournal, type Journal } from "./journal.ts";
import { createNamedProgramCalls, type NamedProgramCalls } from "./named-programs.ts";
import { fetchOutput } from "./output.ts";
import { unreachable } from "./refusal.ts";
import { retried } from "./retried.ts";
import type { Answer } from "./send.ts";

export interface Client extends Changes, DeliveryReading, NamedProgramCalls {
  /** The caller's, latest first. */
  runs(listing?: Listing): Promise<Run[]>;
  run(id: string): Promise<Run | undefined>;
  /** How today stands, where all runs together have a ceiling for it. */
  day(id: string): Promise<DayAccount | undefined>;
  /** What each lane does now. Empty: one instruction is executed after the other, or none is. */
  lanes(id: string): Promise<BusyLane[]>;
  /** The current one: while it waits for approval, the one that would be executed. */
  program(id: string): Promise<Program>;
  /** Its requirements, with the evidence of each. */
  evidence(id: string): Promise<EvidenceTable>;
  /** `wait`: holds the request until there are some, for as long as the API does. */
  events(id: string, range: EventRange): Promise<EventsAnswer>;
  /** By instruction; of each those of a lane first, then the run's own. */
  turns(id: string): Promise<TurnRecord[]>;
  /** One of them, with what was answered and what that did. */
  turn(id: string, at: TurnAddress): Promise<Entry | undefined>;
  /** As they are, or as instruction `at` left them. */
  files(id: string, at?: number): Promise<z.infer<typeof FilePage>["files"]>;
  /** `at` may also be a turn: `3.2`, or `3.2@4` of lane 4. */
  file(id: string, query: { path: string; at?: number | string | undefined }): Promise<Uint8Array | undefined>;
  /** What the run delivers now: at its end all, before it what is accepted. Or as instruction `at` left it. */
  output(run: Run, at?: number): Promise<Map<string, Uint8Array>>;
  /** All requests, answers and effects of a run. */
  journal(run: Run): Promise<Journal>;
}

export interface Listing {
  /** Only runs whose id, name or title holds it. */
  like?: string;
  atMost?: number;
  /** Gets the ids of runs that another version of l2mac wrote. */
  onUnreadable?: (ids: string[]) => void;
}

export interface EventsAnswer {
  events: Event[];
  over: boolean;
  /** How soon to ask again, where the API holds no request. */
  pollSeconds?: number | undefined;
  underway?: AnswerUnderway | undefined;
}

export interface EventRange {
  after: number;
  wait: boolean;
  /** Does not wait where the answer underway has another number of characters. */
  written?: number | undefined;
  signal?: AbortSignal | undefined;
}

export type ClientParts = AskParts & Pick<ChangeParts, "newKey" | "keepTree">;

/** Sends nothing yet. */
export function createClient(parts: ClientParts): Client {
  const ask = createAsk(parts);
  const get = async (asking: ApiCall): Promise<Answer> => {
    const asked = await ask(asking);
    if ("answer" in asked) return asked.answer;
    throw unreachable(parts.address.url, asked.lost);
  };
  const run = async (id: string): Promise<Run | undefined> => {
    const answer = await get({ path: `/runs/${id}` });
    return answer.status === 404 ? undefined : readAnswer(parts.address, answer, RunAnswer);
  };
  return {
    run,
    ...createReading(parts, get),
    ...createNamedProgramCalls(parts.address, get),
    ...createChanges({ ...parts, ask, look: run }),
  };
}

type Get = (asking: ApiCall) => Promise<Answer>;

function createReading(parts: ClientParts, get: Get): Omit<Client, keyof (Changes & NamedProgramCalls) | "run"> {
  const read = async <S extends z.ZodType>(schema: S, asking: ApiCall): Promise<z.infer<S>> =>
    readAnswer(parts.address, await get(asking), schema);
  const { address } = parts;
  const output: Client["output"] = async ({ id, status, packed }, at) => {
    if (packed < 0) return new Map();
    const query = { at: at ?? (isEnded(status) ? undefined : packed) };
    const link = await read(OutputLink, { path: `/runs/${id}/output`, query });
    return retried(parts, () => fetchOutput(parts, link));
  };
  const turn: Client["turn"] = async (id, { instruction, turn, lane }) => {
    const answer = await get({ path: `/runs/${id}/turns/${instruction}/${turn}`, query: defined({ lane }) });
    return answer.status === 404 ? undefined : readAnswer(address, answer, Entry);
  };
  const program: Client["program"] = (id) => read(Program, { path: `/runs/${id}/program` });
  return {
    ...createDeliveryReading(parts, get),
    output,
    program,
    evidence: (id) => read(EvidenceTable, { path: `/runs/${id}/evidence` }),
    turn,
    ...createStatus(read),
    runs: (listing) => listRuns(read, listing),
    async events(id, { after, wait, written, signal }) {
      const query = { after, ...(wait ? { wait: WAIT_SECONDS } : {}), ...defined({ written }) };
      const asking = { path: `/runs/${id}/events`, query, signal, patience: FOLLOWING };
      try {
        return await read(EventPage, asking);
      } catch (error) {
        if (signal?.aborted) return { events: [], over: false };
        throw error;
      }
    },
    turns: (id) =>
      paged(async (after) => {
        const query = { limit: TURNS_PAGE, after };
        const { turns, next } = await read(TurnPage, { path: `/runs/${id}/turns`, query });
        return { items: turns, next };
      }),
    files: (id, at) => listFiles(read, { schema: FilePage, id, at }),
    async file(id, query) {
      const answer = await get({ path: `/runs/${id}/file`, query });
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw refused(address, answer);
      return answer.bytes;
    },
    journal: (run) =>
      fetchJournal(
        {
          output,
          program,
          task: (id) => read(TaskDocument, { path: `/runs/${id}/task` }),
          turn,
          wholeFiles: (id) => listFiles(read, { schema: WholeFiles, id }),
          events: (id, { after }) => read(EventPage, { path: `/runs/${id}/events`, query: { after } }),
        },
        run,
      ),
  };
}

/** The API holds a request no longer than it can; and a network that is away for a while ends no following. */
const WAIT_SECONDS = 20;
const FOLLOWING = { tries: 12, mostMs: 10_000 };

const RUNS_PAGE = 100;
const TURNS_PAGE = 1_000;
const FILES_PAGE = 1_000;

/** What the answer about a run has beside the run. */
const createStatus = (read: Read): Pick<Client, "day" | "lanes"> => ({
  day: async (id) => (await read(DayAnswer, { path: `/runs/${id}` })).day,
  lanes: async (id) => (await read(LanesAnswer, { path: `/runs/${id}` })).lanes ?? [],
});

type Read = <S extends z.ZodType>(schema: S, asking: ApiCall) => Promise<z.infer<S>>;

interface Page<Item> {
  items: Item[];
  next: string | undefined;
}

async function paged<Item>(page: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items: more, next } = await page(cursor);
    items.push(...more);
    if (next === undefined) return items;
    cursor = next;
  }
}

function listRuns(read: Read, { like, atMost = Number.POSITIVE_INFINITY, onUnreadable }: Listing = {}): Promise<Run[]> {
  let left = atMost;
  return paged(async (cursor) => {
    const query = { q: like, limit: Math.min(RUNS_PAGE, left), cursor };
    const page = await read(Runs, { path: "/runs", query });
    if (page.unreadable) onUnreadable?.(page.unreadable);
    left -= page.runs.length;
    return { items: page.runs, next: left > 0 ? page.cursor : undefined };
  });
}

const listFiles = <File>(
  read: Read,
  {
    schema,
    id,
    at,
  }: { schema: z.ZodType<{ files: File[]; cursor?: string | undefined }>; id: string; at?: number | undefined },
): Promise<File[]> =>
  paged(async (cursor) => {
    const query = { at, limit: FILES_PAGE, cursor };
    const page = await read(schema, { path: `/runs/${id}/files`, query });
    return { items: page.files, next: page.cursor };
  });
