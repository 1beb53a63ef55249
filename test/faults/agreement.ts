/** Whether all that is stored of a run agrees: directory, journal, pack, events and accounts. */

import { sha256 } from "../../lib/control/files/digest.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import type { World } from "../../lib/control/world.ts";
import type { Table } from "../../lib/core/ports.ts";
import type { Event } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Turn } from "../../lib/core/turn/turn.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { readLedger } from "../../lib/registry/daily-ledger.ts";
import { noteOrder } from "./lanes/lane-order.ts";
import type { Note } from "./watched-storage.ts";

interface Agreeing {
  world: World;
  table: Table;
  run: Run;
  note: Note;
}

export async function noteAgreement({ world, table, run, note }: Agreeing): Promise<Event[]> {
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
  const ahead = (await Promise.all(instructions.map((number) => registry.aheadTurns(run.id, number)))).flat();
  const own = turns.filter(({ copied }) => copied === undefined);
  const stored = own.length + ahead.length;
  if (stored !== run.turns) note("I2", `${stored} turns are stored, and ${run.turns} counted`);
  await noteBooks(table, run, note);
  const events = await registry.events(run.id, { after: 0, limit: 1_000_000 });
  noteEvents(events, run, note);
  noteEventPerTurn(events, { ahead: ahead.filter(({ state }) => state === "committed"), own }, note);
  await noteLanes(table, run, note);
  noteOrder(events, await registry.instructions(run.id), note);
  return events;
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
}

/** A turn of a lane has an event too. */
function noteEventPerTurn(events: Event[], { ahead, own }: { ahead: Turn[]; own: Turn[] }, note: Note): void {
  const shown = countsOf(events.flatMap((event) => (event.type === "turn" ? [event] : [])));
  const stored = countsOf([...ahead, ...own]);
  for (const [place, count] of shown) {
    if (count !== stored.get(place)) note("I2", `${count} events of ${stored.get(place) ?? 0} turns at ${place}`);
  }
}

function countsOf(turns: Pick<Turn, "instruction" | "turn">[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { instruction, turn } of turns) {
    const place = `${instruction}.${turn}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

/** Nothing is in flight in a lane, and the pool holds what was spent. */
async function noteLanes(table: Table, run: Run, note: Note): Promise<void> {
  const lanes = await table.query(`RUN#${run.id}`, { prefix: "LANE#" });
  const held = lanes.filter(
    ({ reservedMicroUsd, reservedTokens }) => Number(reservedMicroUsd) + Number(reservedTokens),
  );
  if (held.length > 0) note("I4", `${held.length} lanes hold reservations, and nothing is in flight`);
  const pool = await table.get({ pk: `RUN#${run.id}`, sk: "POOL" });
  if (!pool) return;
  const { committedMicroUsd, committedTokens } = pool;
  if (committedMicroUsd !== run.microUsd)
    note("I4", `the pool holds ${committedMicroUsd} micro-dollars, and the run has spent ${run.microUsd}`);
  const tokens = run.inputTokens + run.outputTokens;
  if (committedTokens !== tokens)
    note("I4", `the pool holds ${committedTokens} tokens, and the run has used ${tokens}`);
}

const paidIn = (event: Event) => (event.type === "turn" || event.type === "written_off" ? event : undefined);
