/** A deployed stack's API, or that of `l2mac serve`, as functions. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import type { DayAccount } from "../core/run/daily.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { TaskDocument } from "../core/run/task.ts";
import type { ToldTurn } from "../core/turn/turn.ts";
import { type Address, readAddress } from "./address.ts";
import { again } from "./again.ts";
import {
  Entry,
  EventPage,
  FilePage,
  OutputLink,
  Program,
  Run as RunAnswer,
  Runs,
  Standing,
  TurnPage,
  WholeFiles,
} from "./answers.ts";
import { type Ask, type Asked, type AskParts, createAsk, readAnswer, refused } from "./ask.ts";
import { type Changes, createChanges } from "./changes.ts";
import { findCredentials, sourceOf } from "./credentials.ts";
import { fetchJournal, type Journal, type JournalAsked } from "./journal.ts";
import { fetchOutput } from "./output.ts";
import { unreachable } from "./refusal.ts";
import type { Credentials } from "./sign.ts";

export interface Api extends Changes {
  /** Without a slash at the end. */
  url: string;
  /** Who asks, in words. */
  as: string;
  /** The caller's, latest first. `like`: whose id, name or title holds it. */
  runs(asked?: { like?: string; atMost?: number; unreadable?: (ids: string[]) => void }): Promise<Run[]>;
  run(id: string): Promise<Run | undefined>;
  /** How today stands, where all runs of the stack together have a ceiling for it. */
  day(id: string): Promise<DayAccount | undefined>;
  /** As it stands: while it waits for approval, the one that would be executed. */
  program(id: string): Promise<Program>;
  /** `wait`: holds the request until there are some, for as long as the API does. */
  events(id: string, asked: EventsAsked): Promise<{ events: Event[]; over: boolean }>;
  turns(id: string): Promise<ToldTurn[]>;
  files(id: string, at?: number): Promise<z.infer<typeof FilePage>["files"]>;
  file(id: string, asked: { path: string; at?: number | undefined }): Promise<Uint8Array | undefined>;
  /** What an ended run made; `at`: as an instruction left it. */
  output(id: string, at?: number): Promise<Map<string, Uint8Array>>;
  /** All that was said and done in a run. */
  journal(run: Run): Promise<Journal>;
}

export interface EventsAsked {
  after: number;
  wait: boolean;
  signal?: AbortSignal | undefined;
}

export interface ApiParts {
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Absent: as the AWS tools find them. */
  credentials?: () => Promise<Credentials>;
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random?: () => number;
  newKey?: () => string;
}

/** Nothing is asked yet. */
export async function openApi(parts: ApiParts): Promise<Api> {
  const { env, random = Math.random, sleep = pause, newKey = randomUUID } = parts;
  const address = readAddress(parts.url, env);
  const { region, url } = address;
  const patient = { sleep, random };
  const sign = region === undefined ? undefined : await signer(parts, region);
  const ask = createAsk({ address, sign, ...patient });
  const run = (id: string): Promise<Run | undefined> => showRun(address, ask, id);
  return {
    url,
    as: region === undefined ? "whoever uses this computer" : sourceOf(env),
    ...createReading(address, ask, patient),
    run,
    day: (id) => showDay(address, ask, id),
    ...createChanges({ address, ask, newKey, look: run, ...patient }),
  };
}

async function signer({ credentials = findCredentials() }: ApiParts, region: string) {
  // Its library is not loaded for a server of this computer.
  const { createSigner } = await import("./sign.ts");
  return createSigner({ credentials, region, now: Date.now });
}

const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, signal ? { signal } : {});

type Reading = Pick<Api, "runs" | "program" | "events" | "turns" | "files" | "file" | "output" | "journal">;

function createReading(address: Address, ask: Ask, patient: Pick<AskParts, "sleep" | "random">): Reading {
  const output: Api["output"] = async (id, at) => {
    const answer = answered(address, await ask({ path: `/runs/${id}/output`, query: { at } }));
    const link = readAnswer(address, answer, OutputLink);
    return again(patient, () => fetchOutput(address, link));
  };
  return {
    output,
    journal: (run) => fetchJournal({ ...journalReading(address, ask), output }, run),
    program: (id) => showProgram(address, ask, id),
    runs: (asked) => listRuns(address, ask, asked),
    events: async (id, { after, wait, signal }) => {
      const query = { after, ...(wait ? { wait: WAIT_SECONDS } : {}) };
      const asked = await ask({ path: `/runs/${id}/events`, query, signal, patience: FOLLOWING });
      if (signal?.aborted) return { events: [], over: false };
      return readAnswer(address, answered(address, asked), EventPage);
    },
    turns: (id) => listTurns(address, ask, id),
    files: (id, at) => listFiles({ address, ask, id, at, schema: FilePage }),
    async file(id, query) {
      const answer = answered(address, await ask({ path: `/runs/${id}/file`, query }));
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw refused(address, answer);
      return answer.bytes;
    },
  };
}

function journalReading(address: Address, ask: Ask): Omit<JournalAsked, "output"> {
  return {
    async task(id) {
      return readAnswer(address, answered(address, await ask({ path: `/runs/${id}/task` })), TaskDocument);
    },
    async turn(id, { instruction, turn }) {
      const answer = answered(address, await ask({ path: `/runs/${id}/turns/${instruction}/${turn}` }));
      return answer.status === 404 ? undefined : readAnswer(address, answer, Entry);
    },
    program: (id) => showProgram(address, ask, id),
    wholeFiles: (id) => listFiles({ address, ask, id, at: undefined, schema: WholeFiles }),
  };
}

/** The API holds a request no longer than it can; and whoever follows bears with a network that is away for a while. */
const WAIT_SECONDS = 20;
const FOLLOWING = { tries: 12, mostMs: 10_000 };

function answered({ url }: Address, asked: Asked) {
  if ("answer" in asked) return asked.answer;
  throw unreachable(url, asked.lost);
}

async function showRun(address: Address, ask: Ask, id: string): Promise<Run | undefined> {
  const answer = answered(address, await ask({ path: `/runs/${id}` }));
  return answer.status === 404 ? undefined : readAnswer(address, answer, RunAnswer);
}

const showDay = async (address: Address, ask: Ask, id: string): Promise<DayAccount | undefined> =>
  readAnswer(address, answered(address, await ask({ path: `/runs/${id}` })), Standing).day;

const showProgram = async (address: Address, ask: Ask, id: string): Promise<Program> =>
  readAnswer(address, answered(address, await ask({ path: `/runs/${id}/program` })), Program);

const RUNS_PAGE = 100;

async function listRuns(
  address: Address,
  ask: Ask,
  { like, atMost = Number.POSITIVE_INFINITY, unreadable }: NonNullable<Parameters<Api["runs"]>[0]> = {},
): Promise<Run[]> {
  const runs: Run[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { q: like, limit: Math.min(RUNS_PAGE, atMost - runs.length), cursor };
    const page = readAnswer(address, answered(address, await ask({ path: "/runs", query })), Runs);
    runs.push(...page.runs);
    if (page.unreadable) unreadable?.(page.unreadable);
    cursor = page.cursor;
    if (cursor === undefined || runs.length >= atMost) return runs;
  }
}

const TURNS_PAGE = 1_000;

async function listTurns(address: Address, ask: Ask, id: string): Promise<ToldTurn[]> {
  const turns: ToldTurn[] = [];
  for (let after: string | undefined; ; ) {
    const query = { limit: TURNS_PAGE, after };
    const page = readAnswer(address, answered(address, await ask({ path: `/runs/${id}/turns`, query })), TurnPage);
    turns.push(...page.turns);
    after = page.next;
    if (after === undefined) return turns;
  }
}

const FILES_PAGE = 1_000;

async function listFiles<File extends z.infer<typeof FilePage>["files"][number]>({
  address,
  ask,
  id,
  at,
  schema,
}: {
  address: Address;
  ask: Ask;
  id: string;
  at: number | undefined;
  schema: z.ZodType<{ files: File[]; cursor?: string | undefined }>;
}): Promise<File[]> {
  const files: File[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { at, limit: FILES_PAGE, cursor };
    const page = readAnswer(address, answered(address, await ask({ path: `/runs/${id}/files`, query })), schema);
    files.push(...page.files);
    cursor = page.cursor;
    if (cursor === undefined) return files;
  }
}
