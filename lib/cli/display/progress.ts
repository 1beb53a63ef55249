/** Progress on standard error: a live view where the terminal can redraw, plain lines everywhere else. */
import type { AnswerUnderway } from "../../core/ports.ts";
import type { Event } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { applyEvent, emptyProgress, type RunProgress } from "../../core/run/run-progress.ts";
import { money, shortId } from "../../core/text/format.ts";
import { lineOf } from "./event-line.ts";
import { heartbeatLine } from "./heartbeat-line.ts";
import { liveLines } from "./live-lines.ts";
import { createScreen } from "./screen.ts";
import type { Shell } from "./shell.ts";
import { mindSuspension } from "./suspended.ts";

export interface Progress {
  /** Events from before the command started watching. */
  recall(events: Event[]): void;
  show(events: Event[]): void;
  /** How much of an answer has arrived; nothing: it is whole. */
  showUnderway(underway: AnswerUnderway | undefined): void;
  /** A line of another kind. */
  say(line: string): void;
  end(): void;
}

/** Silent where the events themselves are read on the same terminal. */
export function createProgress(shell: Shell, run: Run, options: { json: boolean; quiet?: boolean }): Progress {
  const view = emptyProgress();
  if (options.quiet || (options.json && shell.resultOnTerminal)) return silentProgress(shell);
  return canRedraw(shell) ? liveProgress(shell, run, view) : plainProgress(shell, view);
}

export const canRedraw = ({ progress, env }: Pick<Shell, "progress" | "env">): boolean =>
  progress.isTTY === true &&
  env.TERM !== "dumb" &&
  !isOn(env.CI) &&
  (progress.columns ?? 0) >= 20 &&
  (progress.rows ?? 0) >= 4;

/** Local models and rehearsals cost nothing; an unknown price may. */
const isFree = ({ models, profile }: Run): boolean =>
  (models ?? [profile]).every(({ price }) => price?.input === 0 && price.output === 0);

/** A log keeps every frame that is drawn. */
const isOn = (variable: string | undefined): boolean =>
  variable !== undefined && !/^(0|false|no|off)?$/i.test(variable);

const silentProgress = (shell: Shell): Progress => ({
  recall: () => {},
  show: () => {},
  showUnderway: () => {},
  say: (line) => shell.say(line),
  end: () => {},
});

function plainProgress(shell: Shell, view: RunProgress): Progress {
  let saidAt = Date.now();
  const say = (line: string): void => {
    saidAt = Date.now();
    shell.say(line);
  };
  let newsAt = saidAt;
  const timer = setInterval(() => {
    if (Date.now() - saidAt >= HEARTBEAT_MS) say(heartbeatLine(view, { now: Date.now(), newsAt }));
  }, HEARTBEAT_MS / 10);
  timer.unref();
  return {
    recall: (events) => {
      for (const event of events) applyEvent(view, event);
    },
    show: (events) => {
      for (const event of events) {
        applyEvent(view, event);
        newsAt = Date.now();
        const line = isReportedAfterwards(event) ? undefined : lineOf(event, view.total);
        if (line !== undefined) say(event.type === "instruction_accepted" ? `${line} · ${soFar(view)}` : line);
      }
    },
    showUnderway: (underway) => {
      view.underway = underway;
    },
    say,
    end: () => clearInterval(timer),
  };
}

/** A pipe is never silent for longer while a run is computed. */
const HEARTBEAT_MS = 25_000;

/** The end, and waiting for a person, are reported in full afterwards. */
const isReportedAfterwards = (event: Event): boolean =>
  event.type === "ended" || (event.type === "waiting" && event.until === undefined);

const soFar = ({ microUsd }: RunProgress): string => `${money(microUsd)} so far`;

const sayAbove = (shell: Shell, screen: ReturnType<typeof createScreen>, draw: () => void) => (line: string) => {
  screen.clear();
  shell.say(line);
  draw();
};

/** Often enough to look alive. */
const FRAME_MS = 200;

function liveProgress(shell: Shell, run: Run, view: RunProgress): Progress {
  const { progress: terminal, env } = shell;
  const screen = createScreen(terminal);
  const startedAt = Date.now() - run.activeMs;
  const draw = (): void =>
    screen.draw(
      liveLines({
        view,
        title: `${run.profile.model === "rehearsal" ? "rehearsal" : "run"} ${shortId(run.id)} · ${run.name}`,
        budgetUsd: run.options.budget.usd,
        isFree: isFree(run),
        startedAt,
        now: Date.now(),
        // The last column stays free: a terminal that wraps early wraps nothing.
        columns: terminal.columns - 1,
        rows: terminal.rows,
        color: !env.NO_COLOR,
      }),
    );
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  terminal.on("resize", draw);
  // However the command ends.
  process.on("exit", screen.leave);
  const mindNoMore = mindSuspension({ leave: screen.leave, redraw: draw });
  const say = sayAbove(shell, screen, draw);
  return {
    recall: (events) => {
      for (const event of events) applyEvent(view, event);
    },
    show: (events) => {
      for (const event of events) {
        applyEvent(view, event);
        // It has no row.
        if (event.type === "created") say(lineOf(event, 0) ?? "");
      }
      draw();
    },
    // The next frame shows it.
    showUnderway: (underway) => {
      view.underway = underway;
    },
    say,
    end: () => {
      clearInterval(timer);
      terminal.off("resize", draw);
      process.off("exit", screen.leave);
      mindNoMore();
      // What is said now says it better.
      delete view.waiting;
      delete view.headline;
      delete view.underway;
      for (const line of view.instructions) delete line.activity;
      // Ctrl-C has left its mark below.
      screen.clear();
      draw();
      screen.leave();
    },
  };
}
