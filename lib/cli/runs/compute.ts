/** Computes a run in front of somebody: progress while it goes, its files and a clear ending when it stops. */

import type { Event } from "../../core/run/event.ts";
import { exitCodeOf } from "../../core/run/exit-codes.ts";
import { isEnded, type Run, waitsForApproval } from "../../core/run/run.ts";
import { shownRun } from "../../core/run/shown-run.ts";
import { shortId } from "../../core/text/format.ts";
import { deliverTree } from "../../files/delivery.ts";
import { endingLines, type Kept, leavingLines } from "../display/ending.ts";
import { createProgress, type Progress } from "../display/progress.ts";
import type { Shell } from "../display/shell.ts";
import { showProgram } from "../display/show-program.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { type Computer, type Runs, type Showing, showEvents } from "./runs.ts";
import { tryCommand } from "./try-command.ts";
import { endOf } from "./undelivered.ts";

export interface Following {
  shell: Shell;
  runs: Pick<Runs, "events" | "run" | "elsewhere">;
  run: Run;
  json: boolean;
  /** Events up to this one are known already. */
  after: number;
  compute: (showing: Showing) => Promise<Run>;
}

export interface Computing {
  shell: Shell;
  computer: Computer;
  run: Run;
  json: boolean;
  after: number;
  /** Where its files go; absent: nowhere. */
  folder: string | undefined;
}

/** Answers the exit code. */
export async function computeInFront(asked: Computing): Promise<number> {
  const { shell, computer } = asked;
  const compute = (showing: Showing): Promise<Run> => computer.compute(asked.run, showing);
  const ended = await computeFollowed({ ...asked, runs: computer, compute }).catch((error: unknown) => {
    if (computer.elsewhere) for (const line of leavingLines(asked.run, computer, shell.launcher)) shell.say(line);
    throw error;
  });
  return endInFront(asked, ended);
}

/** Delivers, and says how the run stands. Answers the exit code. */
export async function endInFront(asked: Omit<Computing, "run" | "after">, ended: Run): Promise<number> {
  const { shell, json, computer, folder } = asked;
  const signal = shell.signals.received();
  const interrupted = signal !== undefined && !isEnded(ended.status);
  const asks = !interrupted && waitsForApproval(ended);
  const kept = interrupted || asks ? { files: ended.files, untouched: [] } : await deliver(computer, ended, folder);
  const { launcher } = shell;
  const leaves = interrupted && computer.elsewhere;
  const lines = leaves
    ? leavingLines(ended, computer, launcher)
    : endingLines(ended, kept, { place: computer, launcher });
  for (const line of lines) shell.say(line);
  if (kept.folder && ended.status === "completed") await sayHowToTry(shell, kept.folder);
  if (!computer.elsewhere) shell.say(`See how it went: ${shell.command("open", shortId(ended.id))}`);
  const code = interrupted ? exitCodeOfSignal(signal) : exitCodeOf(ended);
  if (json)
    shell.out(`${JSON.stringify({ type: "result", ...shownRun(ended), out: kept.folder ?? null, exitCode: code })}\n`);
  else if (asks) await showProgram(shell, await computer.program(ended));
  else if (kept.folder) shell.out(`${kept.folder}\n`);
  return code;
}

/** Computes, and shows what happens, until the run stands still or somebody wants to stop. */
export async function computeFollowed(asked: Following): Promise<Run> {
  const { shell, runs, run, json, after } = asked;
  const progress = createProgress(shell, run, { json });
  progress.recall(await eventsUntil(runs, run, after));
  let over = false;
  const show = (events: Event[]): void => {
    if (over) return;
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  try {
    return await stoppable(asked, { progress, show });
  } finally {
    over = true;
    progress.end();
  }
}

async function eventsUntil(runs: Pick<Runs, "events">, { id }: Run, last: number): Promise<Event[]> {
  const events: Event[] = [];
  const isBeyond = (): boolean => (events.at(-1)?.seq ?? 0) >= last;
  const show = (more: Event[]): void => void events.push(...more);
  if (last > 0) await showEvents(runs, id, { after: 0, until: "now", show, stopped: isBeyond });
  return events.filter(({ seq }) => seq <= last);
}

/** The user is told at once; what does not stop by then is left to its fate, and the run is kept all the same. */
const STOP_MS = 1_500;

async function stoppable(
  { shell, runs, run, after, compute }: Following,
  { progress, show }: { progress: Progress; show: (events: Event[]) => void },
): Promise<Run> {
  const stop = new AbortController();
  const overdue = new Promise<Run>((resolve, reject) => {
    shell.signals.onStop(() => {
      stop.abort();
      // It goes on without this command: there is nothing to wait for.
      if (runs.elsewhere) return resolve(run);
      progress.say("Stopping; everything up to the last turn is kept. (Again to end at once.)");
      const asItIs = (): void => void runs.run(run.id).then((now) => resolve(now ?? run), reject);
      setTimeout(asItIs, STOP_MS).unref();
    });
  });
  return Promise.race([compute({ after, show, say: progress.say, signal: stop.signal }), overdue]);
}

export async function deliver(
  runs: Pick<Runs, "output" | "record">,
  run: Run,
  folder: string | undefined,
): Promise<Kept> {
  if (folder === undefined) return { files: 0, untouched: [] };
  const tree = await runs.output(run);
  if (tree.size === 0) return { files: 0, untouched: [] };
  const { kept, ...delivered } = await deliverTree({ tree, folder, record: runs.record(run), end: endOf(run) });
  return { ...delivered, untouched: kept };
}

async function sayHowToTry(shell: Shell, folder: string): Promise<void> {
  const command = await tryCommand(folder, shell.cwd);
  if (command) shell.say(`Try it: ${command}`);
}
