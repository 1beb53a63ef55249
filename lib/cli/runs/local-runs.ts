/** The runs of this computer. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { outputTree, packedTree } from "../../control/files/run-tree.ts";
import { readBlob } from "../../control/files/verified-read.ts";
import { dailyUsage } from "../../control/lifecycle/daily-budget.ts";
import { programOf, storedProgram } from "../../control/program/stored-program.ts";
import { isEnded, packInstead, type Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { amendmentsIn } from "../../core/verdict/amendment.ts";
import { runFolders } from "../../host/home.ts";
import type { LocalMachine } from "../../local/open.ts";
import { follow, POLL_MS } from "../../local/server/follow.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { TurnAddress } from "../../registry/read.ts";
import type { Shell } from "../display/shell.ts";
import { dailyUsdOf, homeOf } from "../settings/settings.ts";
import { noRuns } from "./find-run.ts";
import { openExisting, runsOf } from "./open.ts";
import type { Runs, Showing } from "./runs.ts";

export async function openLocalRuns(shell: Shell): Promise<Runs> {
  const machine = await openExisting(shell);
  if (!machine) return nothingIn(homeOf(shell));
  // Only whoever asks for it reads the configuration: the rest works though that is wrong.
  const day = () => dailyUsage({ registry: machine.registry, dailyUsd: dailyUsdOf(shell) });
  return { ...localRuns(machine), day };
}

const PAGE = 500;

/** Page after page. */
async function wholly(page: (after: { after?: TurnAddress }) => Promise<Turn[]>): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (;;) {
    const last = turns.at(-1);
    const found = await page(last ? { after: last } : {});
    turns.push(...found);
    if (found.length < PAGE) return turns;
  }
}

export function localRuns(machine: LocalMachine): Runs {
  const { registry, files } = machine;
  return {
    ...placeOf(machine.home),
    list: (asked) => runsOf(machine, asked),
    run: (id) => registry.run(id),
    isComputed: ({ id }) => machine.isAlive(id),
    day: () => dailyUsage(machine.world),
    async events(id, { after, wait }) {
      // Looked at before the events are, so that the last ones are not missed.
      const over = wait && (await isOver(machine, id));
      const events = await registry.events(id, { after, limit: PAGE });
      if (wait && !over && events.length === 0) await delay(POLL_MS);
      return { events, over: over && events.length < PAGE };
    },
    turns: ({ id }) => wholly(async (after) => registry.turnsAfter(id, { ...after, limit: PAGE })),
    async files(run, at = packInstead(run)) {
      if (at === undefined) return registry.allFiles(run.id);
      return [...(await packedTree(files, run, at))].map(([path, { length }]) => ({ path, bytes: length }));
    },
    async file(run, path, at = packInstead(run)) {
      if (at !== undefined) return (await packedTree(files, run, at)).get(path);
      const entry = await registry.file(run.id, foldPath(path));
      return entry && readBlob(files, run.id, entry.sha256);
    },
    output: (run, at) => (at === undefined ? outputTree(files, run) : packedTree(files, run, at)),
    program: (run) => programOf(machine, run),
    instructions: async (run) => (await storedProgram(machine, run)).instructions,
    amendments: async (run) => (run.amended ? amendmentsIn((await storedProgram(machine, run)).instructions) : []),
    reject: ({ id }) => machine.reject(id),
    cancel: ({ id }) => machine.cancel(id),
    remove: ({ id }) => machine.remove(id),
    replay: ({ id }, pack) => machine.replay(id, pack),
    folder: async ({ options }) => options.out,
    record: ({ id }) => join(machine.home, fileStoreKeys(id).root, "delivered.json"),
    close: () => machine.close(),
  };
}

const placeOf = (home: string) => ({
  where: `in ${home}`,
  remoteFlag: [],
  elsewhere: false,
  leftFolders: () => ({ folder: join(home, "runs"), runs: runFolders(home).length }),
});

function nothingIn(home: string): Runs {
  const place = placeOf(home);
  const none = (): never => {
    throw noRuns(place);
  };
  return {
    ...place,
    list: async () => [],
    run: async () => undefined,
    ...{ isComputed: none, day: none, events: none, turns: none, files: none, file: none, output: none, cancel: none },
    ...{ program: none, instructions: none, amendments: none, reject: none },
    ...{ remove: none, replay: none, folder: none, record: none, close: () => {} },
  };
}

/** Ended, or waiting for somebody: a wait that a live process sleeps through is not over. */
async function isOver(machine: LocalMachine, runId: string): Promise<boolean> {
  const run = await machine.registry.run(runId);
  if (!run || isEnded(run.status)) return true;
  if (machine.isAlive(runId)) return false;
  await machine.sweep();
  return isStill(await machine.registry.run(runId));
}

const isStill = (run: Run | undefined): boolean => !run || isEnded(run.status) || run.status === "waiting";

/** Shows what the registry tells of the run while it is worked on, until both are done. */
export async function workShown(
  { registry }: LocalMachine,
  runId: string,
  { after, show, signal, work }: Showing & { work: (signal: AbortSignal) => Promise<Run> },
): Promise<Run> {
  const working = work(signal);
  const done = working.then(
    () => true,
    () => true,
  );
  const isDone = (): Promise<boolean> => Promise.race([done, Promise.resolve(false)]);
  const pause = async (): Promise<void> => void (await Promise.race([done, delay(POLL_MS)]));
  await follow({ registry, runId, after, show, isOver: isDone, pause });
  return working;
}
