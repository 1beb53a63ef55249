/** Sends the spans of runs: what their events say, from where it was sent before. A failure never leaves this file. */
import type { Event } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { createRunTrace, type EndedSpan, type RunTrace } from "./run-trace.ts";
import type { SendSpans } from "./send-spans.ts";

/** What is known of runs. */
export interface SpanSource {
  run(runId: string): Promise<Run | undefined>;
  events(runId: string, range: { after: number; limit: number }): Promise<Event[]>;
  /** The last event whose spans were sent. */
  sentSpans(runId: string): Promise<number>;
  noteSentSpans(runId: string, seq: number): Promise<void>;
}

/** `why`: what a person should know. Absent: nothing is wrong. */
export interface ExportResult {
  /** Whether everything that has ended was sent, or will never be taken. */
  done: boolean;
  why?: string;
}

export interface SpanExporter {
  /** Sends the spans that have ended since. Calls for one run follow one another. */
  export(runId: string, signal?: AbortSignal): Promise<ExportResult>;
}

interface ExporterParts {
  source: SpanSource;
  send: SendSpans;
  now?: () => number;
}

/** What is not sent yet waits in the registry: no more than both is in memory. */
const EVENTS_AT_ONCE = 500;
const SPANS_AT_ONCE = 512;

interface Underway {
  trace: RunTrace;
  /** The last event that was read. */
  read: number;
  /** Spans of events up to this one were sent. */
  sent: number;
  queue: EndedSpan[];
  /** The collector asked for a pause. */
  notBefore: number;
}

export function createSpanExporter({ source, send, now = Date.now }: ExporterParts): SpanExporter {
  const runs = new Map<string, Underway>();
  const begin = async (runId: string): Promise<Underway> => {
    const known = runs.get(runId);
    if (known) return known;
    const sent = await source.sentSpans(runId);
    const underway: Underway = { trace: createRunTrace(runId), read: 0, sent, queue: [], notBefore: 0 };
    runs.set(runId, underway);
    return underway;
  };

  const exportRun = async (runId: string, signal: AbortSignal | undefined): Promise<ExportResult> => {
    const underway = await begin(runId);
    let why: string | undefined;
    for (let isMore = true; ; ) {
      while (isMore && underway.queue.length < SPANS_AT_ONCE) isMore = await readMore(source, runId, underway);
      if (underway.queue.length === 0) break;
      if (now() < underway.notBefore) return { done: false };
      const batch = batchOf(underway.queue);
      const spans = batch.map(({ span }) => span);
      const result = await send(spans, signal);
      if (!result.ok) {
        underway.notBefore = now() + result.again.afterMs;
        return { done: false, why: result.why };
      }
      why ??= result.why;
      underway.queue.splice(0, batch.length);
      underway.sent = batch.at(-1)?.seq ?? underway.sent;
      await source.noteSentSpans(runId, underway.sent);
    }
    // If it is resumed, the registry says where to begin.
    if (!underway.trace.isOpen()) runs.delete(runId);
    return { done: true, ...(why === undefined ? {} : { why }) };
  };

  const turns = new Map<string, Promise<unknown>>();
  return {
    async export(runId, signal) {
      const before = turns.get(runId) ?? Promise.resolve();
      const own = before.then(() => exportRun(runId, signal)).catch(() => UNREADABLE);
      turns.set(runId, own);
      const result = await own;
      if (turns.get(runId) === own) turns.delete(runId);
      return result;
    },
  };
}

const UNREADABLE: ExportResult = { done: false, why: "the registry could not be read" };

/** Whether there may be more. */
async function readMore(source: SpanSource, runId: string, underway: Underway): Promise<boolean> {
  const events = await source.events(runId, { after: underway.read, limit: EVENTS_AT_ONCE });
  const isLast = events.length < EVENTS_AT_ONCE;
  const run = await source.run(runId);
  if (!run) return false;
  for (const event of events) underway.trace.read(event, run);
  underway.read = events.at(-1)?.seq ?? underway.read;
  underway.queue.push(...underway.trace.take(isLast).filter(({ seq }) => seq > underway.sent));
  return !isLast;
}

/** The spans of an event are sent together, so that a number says which were. */
function batchOf(queue: EndedSpan[]): EndedSpan[] {
  const last = queue[SPANS_AT_ONCE - 1]?.seq;
  if (last === undefined) return [...queue];
  const end = queue.findIndex(({ seq }, at) => at >= SPANS_AT_ONCE && seq !== last);
  return queue.slice(0, end < 0 ? queue.length : end);
}
