/** Signals: the first asks the command to stop, the second ends it at once. The command ends with its launcher. */
import { constants } from "node:os";
import { watchForStall } from "./stall-watch.ts";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface Signals {
  /** Without this, the first signal ends the command. */
  onStop(stop: (signal: StopSignal) => void): void;
  /** The first that came. */
  received(): StopSignal | undefined;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const exitCodeOfSignal = (signal: StopSignal): number => 128 + constants.signals[signal];

export function createSignals({ launched }: { launched: boolean }): Signals {
  const press = createPressCount();
  let first: StopSignal | undefined;
  let stop: ((signal: StopSignal) => void) | undefined;
  const receive = (source: PressSource, signal: StopSignal): void => {
    const presses = press(source);
    if (presses === undefined) return;
    first ??= signal;
    if (presses > 1 || !stop) process.exit(exitCodeOfSignal(signal));
    stop(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, () => receive("own", signal));
  if (launched) followLauncher((signal) => receive("forwarded", signal));
  return {
    onStop: (asked) => {
      // A process that can be asked to stop must hear it.
      if (!stop) watchForStall();
      stop = asked;
    },
    received: () => first,
  };
}

type PressSource = "own" | "forwarded";

/**
 * A terminal's Ctrl-C reaches launcher and command alike, and the launcher forwards what it gets: the same press comes
 * twice, or once if it was sent to one of them. So the two sources are counted apart, and the higher count is true.
 * Answers how many presses there were, or undefined where this one was counted already.
 */
export function createPressCount(): (source: PressSource) => number | undefined {
  const counts = { own: 0, forwarded: 0 };
  return (source) => {
    const before = Math.max(counts.own, counts.forwarded);
    counts[source] += 1;
    return counts[source] > before ? counts[source] : undefined;
  };
}

function followLauncher(receive: (signal: StopSignal) => void): void {
  process.on("message", (message: { signal?: unknown }) => {
    const signal = STOP_SIGNALS.find((known) => known === message.signal);
    if (signal) receive(signal);
  });
  // The launcher was killed. Stored work is kept.
  process.on("disconnect", () => process.exit(exitCodeOfSignal("SIGTERM")));
  process.channel?.unref();
}
