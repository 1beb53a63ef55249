/** Sends the spans of a run while this process computes it, and those that its end leaves. A run never fails because of them. */

import type { SpanTarget, Telemetry } from "../../packages/telemetry/index.ts";
import type { Registry } from "../registry/registry.ts";

export interface SpanLoop {
  around<Answer>(runId: string, signal: AbortSignal, compute: () => Promise<Answer>): Promise<Answer>;
  /** The process outlives its computations: they do not wait for what is sent last. */
  stay(): void;
  stop(): void;
}

interface SpanLoopParts {
  registry: Registry;
  telemetry: Telemetry | undefined;
  version: string;
  /** Says once what is wrong. */
  announce: (text: string) => void;
}

const LOOK_MS = 5_000;
/** The user waits for the end of the command. */
const LAST_MS = 3_000;
const LEAVING_MS = 1_000;

export function createSpanLoop({ registry, telemetry, version, announce }: SpanLoopParts): SpanLoop {
  if (!telemetry) return { around: (_runId, _signal, compute) => compute(), stay: () => {}, stop: () => {} };
  const warn = once(announce);
  if ("refused" in telemetry) return refusing(() => warn(`No spans are sent: ${telemetry.refused}.`));
  const { note } = telemetry;
  const sayNote = once(announce);
  const exporter = open(registry, telemetry, version);
  const leaving = new AbortController();
  let stays = false;
  const send = async (runId: string, signal: AbortSignal): Promise<void> => {
    const { why } = await (await exporter()).export(runId, signal);
    if (why !== undefined && !leaving.signal.aborted) warn(notSent(why));
  };
  return {
    async around(runId, signal, compute) {
      if (note !== undefined) sayNote(note);
      let isSending = false;
      const look = async (): Promise<void> => {
        if (isSending) return;
        isSending = true;
        await send(runId, leaving.signal);
        isSending = false;
      };
      const timer = setInterval(() => void look(), LOOK_MS).unref();
      try {
        return await compute();
      } finally {
        clearInterval(timer);
        const within = AbortSignal.timeout(signal.aborted ? LEAVING_MS : LAST_MS);
        const last = send(runId, AbortSignal.any([leaving.signal, within]));
        if (!stays) await Promise.race([last, over(within)]);
      }
    },
    stay() {
      stays = true;
    },
    stop: () => leaving.abort(),
  };
}

/** Nothing of it is loaded before the first run is computed. */
function open(registry: Registry, target: SpanTarget, version: string) {
  const load = async () => {
    const { createSpanExporter, createSpanSender } = await import("../../packages/telemetry/index.ts");
    return createSpanExporter({ source: registry, send: createSpanSender({ target, version }) });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

const notSent = (why: string): string =>
  `Spans were not taken (${why}). The run goes on; l2mac export RUN --format otlp writes them all.`;

const refusing = (warn: () => void): SpanLoop => ({
  around(_runId, _signal, compute) {
    warn();
    return compute();
  },
  stay: () => {},
  stop: () => {},
});

function once(announce: (text: string) => void): (text: string) => void {
  let said = false;
  return (text) => {
    if (!said) announce(text);
    said = true;
  };
}

const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
