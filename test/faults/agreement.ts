/** Whether all that is stored of a run agrees: directory, journal, pack, events and accounts. */

import { sha256 } from "../../lib/control/files/digest.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import type { World } from "../../lib/control/world.ts";
import type { Table } from "../../lib/core/ports.ts";
import type { Event } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { readLedger } from "../../lib/registry/daily-ledger.ts";
import type { Note } from "./watched-storage.ts";

interface Agreeing {
  world: World;
  table: Table;
  run: Run;
  note: Note;
}

export async function noteAgreement({ world, table, run, note }: Agreeing): Promise<void> {
  const { registry, files } = world;
  const instructions = Array.from({ length: run.instructions + 1 }, (_, number) => number);
  const turns = (await Promise.all(instructions.map((number) => registry.turns(run.id, number)))).flat();
  const directory = new Map((await registry.allFiles(run.id)).map(({ path, sha256: sha }) => [path, sha]));
  const journal = new Map<string, string>();
  for (const { path, sha256: sha, was } of turns.flatMap(({ changes }) => changes)) {
    if ((journal.get(path) ?? null) !== was) note("I2", `a turn changed ${path}, which was not as it says`);
    if (sha === null) journal.delete(path);
    else journal.set(path, sha);
  }
  if (differ(directory, journal)) note("I2", "the directory is not what the committed turns made");
  const pack = unpackTree(await readPack(files, run.id, run.packed));
  const packed = new Map([...pack].map(([path, bytes]) => [path, sha256(bytes)]));
  if (differ(directory, packed)) note("I2", "the last pack is not the directory");
  if (turns.some(({ state }) => state === "answered")) note("I1", "an answer was paid for, and never used");
  if (turns.length !== run.turns) note("I2", `${turns.length} turns are stored, and ${run.turns} counted`);
  await noteBooks(table, run, note);
  noteEvents(await registry.events(run.id, { after: 0, limit: 1_000_000 }), run, note);
}

const DAYS = 14;

/** The days' books hold what the only run there is has spent, and nothing is in flight. */
async function noteBooks(table: Table, { createdAt, microUsd }: Run, note: Note): Promise<void> {
  const dates = Array.from({ length: DAYS }, (_, day) => Date.parse(createdAt) + day * 86_400_000);
  const books = await Promise.all(dates.map((date) => readLedger(table, date)));
  const spent = books.reduce((sum, day) => sum + day.microUsd, 0);
  const inFlight = books.reduce((sum, day) => sum + day.reservedMicroUsd, 0);
  if (spent !== microUsd) note("I4", `the days' books hold ${spent} micro-dollars, and the run has spent ${microUsd}`);
  if (inFlight !== 0) note("I4", `the days' books hold ${inFlight} micro-dollars in flight, and nothing is`);
}

const differ = (one: Map<string, string>, other: Map<string, string>): boolean =>
  one.size !== other.size || [...one].some(([path, sha]) => other.get(path) !== sha);

function noteEvents(events: Event[], run: Run, note: Note): void {
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0 || events.length !== run.events) note("I2", `an event is missing or doubled at ${gap + 1}`);
  const spent = events.reduce((sum, event) => sum + (paidIn(event)?.microUsd ?? 0), 0);
  if (spent !== run.microUsd) note("I4", `the events tell of ${spent} micro-dollars, and the run of ${run.microUsd}`);
  if (run.reservedMicroUsd + run.reservedTokens > 0) note("I4", "a reservation outlived the run");
  const turns = events.filter((event) => event.type === "turn");
  const places = new Set(turns.map(({ instruction, turn }) => `${instruction}.${turn}`));
  if (places.size !== turns.length) note("I2", "a turn has two events");
}

const paidIn = (event: Event) => (event.type === "turn" || event.type === "written_off" ? event : undefined);
