/** Computes a run in front of somebody: progress while it goes, its files and a clear ending when it stops. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { outputTree } from "../control/run-tree.ts";
import type { Event } from "../core/event.ts";
import { exitCodeOf, isEnded, type Run } from "../core/run.ts";
import { deliverTree } from "../local/delivery.ts";
import { eventsAfter, follow, POLL_MS } from "../local/follow.ts";
import type { LocalMachine } from "../local/open.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { endingLines, type Kept } from "./ending.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { Shell } from "./shell.ts";
import { exitCodeOfSignal } from "./signals.ts";
import { tryCommand } from "./try-command.ts";

export interface Computing {
  shell: Shell;
  machine: LocalMachine;
  run: Run;
  json: boolean;
  /** Events up to this one are known already. */
  after: number;
  work: (signal: AbortSignal) => Promise<Run>;
  /** Where what takes its time is announced; replaced by the progress. */
  listen?: (say: (line: string) => void) => void;
}

/** Answers the exit code. */
export async function computeInFront(asked: Computing): Promise<number> {
  const { shell, json } = asked;
  const ended = await computeFollowed(asked);
  const signal = shell.signals.received();
  const interrupted = signal !== undefined && !isEnded(ended.status);
  const kept = interrupted ? { files: ended.files, untouched: [] } : await deliver(asked.machine, ended);
  for (const line of endingLines(ended, kept)) shell.say(line);
  if (kept.folder && ended.status === "completed") await sayHowToTry(shell, kept.folder);
  const code = interrupted ? exitCodeOfSignal(signal) : exitCodeOf(ended);
  if (json) shell.out(`${JSON.stringify({ type: "result", ...ended, out: kept.folder ?? null, exitCode: code })}\n`);
  else if (kept.folder) shell.out(`${kept.folder}\n`);
  return code;
}

/** Computes, and shows what the registry tells of it, until both are done. */
export async function computeFollowed(asked: Computing): Promise<Run> {
  const { shell, machine, run, json, after } = asked;
  const { registry } = machine;
  const progress = createProgress(shell, run, { json });
  progress.recall(after > 0 ? (await eventsAfter(registry, run.id, 0)).filter(({ seq }) => seq <= after) : []);
  asked.listen?.(progress.say);
  const working = stoppable(asked, progress);
  const done = working.then(
    () => true,
    () => true,
  );
  const show = (events: Event[]): void => {
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  const isOver = (): Promise<boolean> => Promise.race([done, Promise.resolve(false)]);
  const pause = async (): Promise<void> => void (await Promise.race([done, delay(POLL_MS)]));
  try {
    await follow({ registry, runId: run.id, after, show, isOver, pause });
  } finally {
    progress.end();
  }
  return working;
}

/** The user is told at once; what does not stop by then is left to its fate, and the run is kept all the same. */
const STOP_MS = 1_500;

async function stoppable({ shell, machine, run, work }: Computing, progress: Progress): Promise<Run> {
  const stop = new AbortController();
  const overdue = new Promise<Run>((resolve, reject) => {
    shell.signals.onStop(() => {
      progress.say("Stopping; everything up to the last turn is kept. (Again to end at once.)");
      stop.abort();
      const asItIs = (): void => void machine.registry.run(run.id).then((now) => resolve(now ?? run), reject);
      setTimeout(asItIs, STOP_MS).unref();
    });
  });
  return Promise.race([work(stop.signal), overdue]);
}

export async function deliver(machine: LocalMachine, run: Run, folder = run.options.out): Promise<Kept> {
  const tree = await outputTree(machine.files, run);
  if (folder === undefined || tree.size === 0) return { files: 0, untouched: [] };
  const record = join(machine.home, fileStoreKeys(run.id).root, "delivered.json");
  const delivered = await deliverTree({ tree, folder, record });
  return { folder: delivered.folder, files: delivered.files, untouched: delivered.kept };
}

async function sayHowToTry(shell: Shell, folder: string): Promise<void> {
  const command = await tryCommand(folder, shell.cwd);
  if (command) shell.say(`Try it: ${command}`);
}
