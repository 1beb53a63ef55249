/** Computes a run in the foreground: shows its progress, delivers its files and reports how it ended. */

import { followEvents } from "../../client/follow-run.ts";
import { messageOf } from "../../core/errors.ts";
import { draftOf } from "../../core/program/program.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import { writtenOffWords } from "../../core/run/accounts/written-off.ts";
import { startCommandOf } from "../../core/run/delivery-check.ts";
import type { Event } from "../../core/run/event.ts";
import { exitCodeOf } from "../../core/run/exit-codes.ts";
import { filesOf } from "../../core/run/file-count.ts";
import { isEnded, type Run, waitsForApproval } from "../../core/run/run.ts";
import { shownRun } from "../../core/run/shown-run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { deliverTree } from "../../files/delivery.ts";
import { branchAsJson, branchLines } from "../display/branch-lines.ts";
import { endingLines, type KeptWork, leavingLines } from "../display/ending.ts";
import { createProgress, type Progress } from "../display/progress.ts";
import type { Shell } from "../display/shell.ts";
import { showProgram } from "../display/show-program.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { sayReport } from "../display/wrap.ts";
import { askInTerminal } from "../questions/ask-in-terminal.ts";
import { openQuestion, showQuestion } from "../questions/show-question.ts";
import type { Computer, Connection } from "./connection.ts";
import type { Destination } from "./destination.ts";
import { lostIn } from "./lost-calls.ts";
import { endOf } from "./pending-delivery.ts";
import { tryCommand } from "./try-command.ts";

export interface Computation {
  shell: Shell;
  computer: Computer;
  run: Run;
  json: boolean;
  /** No progress is shown, only how it ended. */
  quiet?: boolean;
  /** Events up to this one are known already. */
  after: number;
}

/** Where its files go; neither: nowhere. */
export interface DeliveredComputation extends Computation, Destination {}

/** Answers the exit code. */
export async function computeInForeground(computation: DeliveredComputation): Promise<number> {
  const { shell, computer, run } = computation;
  const ended = await computeShown(computation).catch((error: unknown) => {
    if (computer.elsewhere) for (const line of leavingLines(run, computer, shell.launcher)) shell.say(line);
    throw error;
  });
  const answered = await answeredAtOnce(computation, ended);
  if (answered) return computeInForeground({ ...computation, run: answered, after: ended.events });
  return deliverAndReport(computation, ended);
}

/** Where the user is there, a question is asked at once. */
async function answeredAtOnce({ shell, computer, json, quiet }: Computation, run: Run): Promise<Run | undefined> {
  if (json || quiet || !waitsForAnswer(run) || shell.signals.received()) return undefined;
  const asking = await openQuestion(computer, run);
  const reply = await askInTerminal(shell, asking);
  return reply && computer.answer(run, { ...reply, step: asking.number });
}

/** Answers the exit code. */
export async function deliverAndReport(
  { shell, json, computer, folder, branch }: Omit<DeliveredComputation, "run" | "after">,
  ended: Run,
): Promise<number> {
  const signal = shell.signals.received();
  const interrupted = signal !== undefined && !isEnded(ended.status);
  const asks = !interrupted && (waitsForApproval(ended) || waitsForAnswer(ended));
  const kept: KeptWork =
    interrupted || asks ? { files: filesOf(ended), untouched: [] } : await deliver(computer, ended, { folder, branch });
  const { launcher } = shell;
  const leaves = interrupted && computer.elsewhere;
  const lines = leaves
    ? leavingLines(ended, computer, launcher)
    : endingLines(ended, kept, { place: computer, launcher });
  const lost = leaves ? undefined : await lostIn(computer, ended);
  // Below what was kept, and what it cost.
  if (lost) lines.splice(3, 0, `Reserved: ${writtenOffWords(lost)}.`);
  for (const line of lines) sayReport(shell, line);
  if (kept.branch) for (const line of branchLines(kept.branch, shell.cwd)) shell.say(line);
  if (kept.folder && ended.status === "completed") await showTryCommand(shell, ended, kept.folder);
  if (!computer.elsewhere) shell.say(`See how it went: ${shell.command("open", shortId(ended.id))}`);
  const code = interrupted ? exitCodeOfSignal(signal) : exitCodeOf(ended);
  if (json)
    shell.out(
      `${JSON.stringify({ type: "result", ...shownRun(ended), out: kept.folder ?? null, ...branchAsJson(kept), exitCode: code })}\n`,
    );
  else if (asks && waitsForAnswer(ended)) await showQuestion(shell, computer, ended);
  else if (asks) await showProgram(shell, draftOf(await computer.program(ended.id)));
  else if (kept.folder ?? kept.branch) shell.out(`${kept.folder ?? kept.branch?.name}\n`);
  return code;
}

/** Computes, and shows what happens, until the run ends or waits, or the user wants to stop. */
export async function computeShown(computation: Computation): Promise<Run> {
  const { shell, computer, run, json, quiet = false, after } = computation;
  const progress = createProgress(shell, run, { json, quiet });
  progress.recall(await eventsUpTo(computer, run, after));
  let over = false;
  const show = (events: Event[]): void => {
    if (over) return;
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  try {
    return await computeUntilStopped(computation, { progress, show });
  } finally {
    over = true;
    progress.end();
  }
}

async function eventsUpTo(computer: Computer, { id }: Run, last: number): Promise<Event[]> {
  const events: Event[] = [];
  const isStopped = (): boolean => (events.at(-1)?.seq ?? 0) >= last;
  const show = (more: Event[]): void => void events.push(...more);
  if (last > 0) await followEvents(computer, id, { after: 0, until: "now", show, isStopped });
  return events.filter(({ seq }) => seq <= last);
}

/** A computation that has not stopped by then is left behind; the run is kept all the same. */
const STOP_MS = 1_500;

async function computeUntilStopped(
  { shell, computer, run, after }: Computation,
  { progress, show }: { progress: Progress; show: (events: Event[]) => void },
): Promise<Run> {
  const stop = new AbortController();
  const overdue = new Promise<Run>((resolve, reject) => {
    shell.signals.onStop(() => {
      stop.abort();
      // It goes on without this command: there is nothing to wait for.
      if (computer.elsewhere) return resolve(run);
      progress.say("Stopping; everything up to the last turn is kept. (Again to end at once.)");
      const asItIs = (): void => void computer.run(run.id).then((now) => resolve(now ?? run), reject);
      setTimeout(asItIs, STOP_MS).unref();
    });
  });
  const computed = computer.compute(run, {
    after,
    show,
    showUnderway: progress.showUnderway,
    say: progress.say,
    signal: stop.signal,
  });
  return Promise.race([computed, overdue]);
}

export async function deliver(
  connection: Pick<Connection, "output" | "manifest" | "record" | "program" | "elsewhere">,
  run: Run,
  { folder, branch }: Destination,
): Promise<KeptWork> {
  if (branch) return (await import("./deliver-branch.ts")).deliverBranch(connection, run, branch);
  if (folder === undefined) return { files: 0, untouched: [] };
  const tree = await connection.output(run);
  if (tree.size === 0) return { files: 0, untouched: [] };
  const { kept, ...delivered } = await deliverTree({ tree, folder, record: connection.record(run), end: endOf(run) });
  const unwritten = await deliverManifest(connection, run, delivered.folder);
  return { ...delivered, untouched: [...kept, ...unwritten] };
}

/** The files are delivered, whatever becomes of what lies beside them. */
async function deliverManifest(connection: Pick<Connection, "manifest">, run: Run, folder: string): Promise<string[]> {
  const { removeStale, stemOf, writeBeside } = await import("../../files/provenance/beside.ts");
  try {
    const found = await connection.manifest(run);
    if (found) return await writeBeside(stemOf(folder), found);
    await removeStale(stemOf(folder), run.id);
    return [];
  } catch (error) {
    return [`the manifest beside ${folder} (${messageOf(error)})`];
  }
}

async function showTryCommand(shell: Shell, { smoke, testsTotal }: Run, folder: string): Promise<void> {
  const started = smoke && startCommandOf(smoke);
  const command = await tryCommand(folder, { cwd: shell.cwd, started, tested: testsTotal > 0 });
  if (command) shell.say(`Try it: ${sanitizeLine(command)}`);
}
