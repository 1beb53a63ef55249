/** Progress on standard error: a live view where the terminal can redraw, plain lines everywhere else. */
import type { Event } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import { lineOf } from "./event-line.ts";
import { liveLines } from "./live-lines.ts";
import { applyEvent, emptyView, type ProgressView } from "./progress-view.ts";
import { createScreen } from "./screen.ts";
import type { Shell } from "./shell.ts";
import { shortId } from "./words.ts";

export interface Progress {
  /** What happened before anybody watched. */
  recall(events: Event[]): void;
  show(events: Event[]): void;
  /** A line of another kind. */
  say(line: string): void;
  end(): void;
}

/** `quiet`: the events themselves are read on the same terminal. */
export function createProgress(shell: Shell, run: Run, options: { json: boolean }): Progress {
  const view = emptyView();
  if (options.json && shell.resultOnTerminal) return silentProgress(shell);
  return canRedraw(shell) ? liveProgress(shell, run, view) : plainProgress(shell, view);
}

export const canRedraw = ({ progress, env }: Pick<Shell, "progress" | "env">): boolean =>
  progress.isTTY === true && env.TERM !== "dumb" && (progress.columns ?? 0) >= 20 && (progress.rows ?? 0) >= 4;

const silentProgress = (shell: Shell): Progress => ({
  recall: () => {},
  show: () => {},
  say: (line) => shell.say(line),
  end: () => {},
});

function plainProgress(shell: Shell, view: ProgressView): Progress {
  return {
    recall: (events) => {
      for (const event of events) applyEvent(view, event);
    },
    show: (events) => {
      for (const event of events) {
        applyEvent(view, event);
        // How it ended is said in full afterwards.
        const line = event.type === "ended" ? undefined : lineOf(event, view.total);
        if (line !== undefined) shell.say(event.type === "instruction_accepted" ? `${line} · ${soFar(view)}` : line);
      }
    },
    say: (line) => shell.say(line),
    end: () => {},
  };
}

const soFar = ({ microUsd }: ProgressView): string => `$${(microUsd / 1e6).toFixed(2)} so far`;

/** Often enough to look alive. */
const FRAME_MS = 200;

function liveProgress(shell: Shell, run: Run, view: ProgressView): Progress {
  const { progress: terminal, env } = shell;
  const screen = createScreen(terminal);
  const startedAt = Date.now() - run.activeMs;
  const draw = (): void =>
    screen.draw(
      liveLines({
        view,
        title: `${run.profile.model === "rehearsal" ? "rehearsal" : "run"} ${shortId(run.id)} · ${run.name}`,
        budgetUsd: run.options.budget.usd,
        startedAt,
        now: Date.now(),
        columns: terminal.columns,
        rows: terminal.rows,
        color: !env.NO_COLOR,
      }),
    );
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  terminal.on("resize", draw);
  return {
    recall: (events) => {
      for (const event of events) applyEvent(view, event);
    },
    show: (events) => {
      for (const event of events) applyEvent(view, event);
      draw();
    },
    say: (line) => {
      screen.clear();
      shell.say(line);
      draw();
    },
    end: () => {
      clearInterval(timer);
      terminal.off("resize", draw);
      // What is said now says it better.
      delete view.waiting;
      view.notice = "";
      draw();
    },
  };
}
