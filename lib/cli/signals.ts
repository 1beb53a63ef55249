/** Signals: the first asks the command to stop, the next ends it at once. And it ends with whoever launched it. */
import { constants } from "node:os";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface Signals {
  /** Without this, the first signal ends the command. */
  onStop(stop: (signal: StopSignal) => void): void;
  /** The first that came. */
  received(): StopSignal | undefined;
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const exitCodeOfSignal = (signal: StopSignal): number => 128 + constants.signals[signal];

/**
 * A terminal's Ctrl-C reaches launcher and command alike, and the launcher forwards what it gets: the same press comes
 * twice, or once if it was sent to one of them. So the two sources are counted apart, and the higher count is true.
 */
export function createSignals({ launched }: { launched: boolean }): Signals {
  const counts = { own: 0, forwarded: 0 };
  let first: StopSignal | undefined;
  let stop: ((signal: StopSignal) => void) | undefined;
  const receive = (source: keyof typeof counts, signal: StopSignal): void => {
    const before = Math.max(counts.own, counts.forwarded);
    counts[source] += 1;
    if (counts[source] <= before) return;
    first ??= signal;
    if (before > 0 || !stop) process.exit(exitCodeOfSignal(signal));
    stop(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, () => receive("own", signal));
  if (launched) followLauncher((signal) => receive("forwarded", signal));
  return {
    onStop: (asked) => {
      stop = asked;
    },
    received: () => first,
  };
}

function followLauncher(receive: (signal: StopSignal) => void): void {
  process.on("message", (message: { signal?: unknown }) => {
    const signal = STOP_SIGNALS.find((known) => known === message.signal);
    if (signal) receive(signal);
  });
  // Killed, with no chance to say so: what was stored is kept, and nobody waits for the rest.
  process.on("disconnect", () => process.exit(exitCodeOfSignal("SIGTERM")));
  process.channel?.unref();
}
