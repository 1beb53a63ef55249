/** Sends a request whose answer arrives as a stream, and returns the reply that the server would send without one. */
import { defined } from "../../core/defined.ts";
import type { ShowProgress } from "../../core/ports.ts";
import type { OutgoingRequest, Reply, Send, Silence } from "../wire.ts";
import type { Assembly, StartAssembly } from "./assembly.ts";
import { createEventReader, type EventReader } from "./event-reader.ts";

export interface StreamSettings {
  startAssembly: StartAssembly;
  /** How long nothing may arrive once the model writes: before, it reads and thinks, some without a sign. */
  idleMs: number;
  /** How much the model has written, at most once a second and at the end. */
  onProgress?: ShowProgress | undefined;
  now?: () => number;
  /** Absent: server-sent events. */
  events?: EventFormat | undefined;
}

export interface EventFormat {
  contentType: string;
  createReader: () => EventReader;
}

const SERVER_SENT: EventFormat = { contentType: "text/event-stream", createReader: createEventReader };

export const IDLE_MS = 60_000;
const PROGRESS_MS = 1_000;
/** No model answers in so many, and each is read, and answered, by itself. */
const BLOCKS_AT_MOST = 10_000;

/** A reply that is no stream is returned as it is: refusals are none, and some servers answer whole whatever they are asked. */
export async function sendStreaming(
  send: Send,
  sending: OutgoingRequest,
  { startAssembly, idleMs, onProgress, now = Date.now, events: format = SERVER_SENT }: StreamSettings,
): Promise<Reply | Silence> {
  const reader = format.createReader();
  const assembly = startAssembly();
  const [idle, flood] = [new AbortController(), new AbortController()];
  let timer: NodeJS.Timeout | undefined;
  let shownAt = now();
  const onPart = (part: Uint8Array): void => {
    const events = reader.read(part);
    for (const event of events) assembly.add(event);
    if (assembly.size.blocks > BLOCKS_AT_MOST) flood.abort();
    clearTimeout(timer);
    if (assembly.size.characters > 0) timer = setTimeout(() => idle.abort(), idleMs);
    if (!onProgress || events.length === 0 || now() - shownAt < PROGRESS_MS) return;
    shownAt = now();
    show();
  };
  const show = (): void => {
    const { characters, bytes } = assembly.size;
    onProgress?.(characters, bytes);
  };
  const signal = AbortSignal.any([sending.signal, idle.signal, flood.signal]);
  try {
    const outcome = await send({ ...sending, signal, onPart });
    if (flood.signal.aborted) return withReceived({ silence: "too_large", code: "", sent: true }, assembly);
    if ("silence" in outcome) return withReceived(outcome, assembly, idle.signal.aborted ? idleMs : undefined);
    for (const event of reader.end()) assembly.add(event);
    return isStream(outcome, format) ? assembled(outcome, assembly) : outcome;
  } finally {
    clearTimeout(timer);
    show();
  }
}

const isStream = ({ status, headers }: Reply, { contentType }: EventFormat): boolean =>
  status >= 200 && status <= 299 && (headers["content-type"] ?? "").includes(contentType);

const CLOSED: Silence = { silence: "closed", code: "", sent: true };

function assembled(reply: Reply, assembly: Assembly): Reply | Silence {
  const body = assembly.body();
  const isWhole = body !== undefined && assembly.isComplete();
  if (!isWhole) return withReceived(CLOSED, assembly);
  const received = body.error === undefined ? undefined : assembly.received() || undefined;
  return { ...reply, text: JSON.stringify(body), ...defined({ received }) };
}

const withReceived = (silence: Silence, assembly: Assembly, idleMs?: number): Silence => ({
  ...silence,
  ...defined({ received: assembly.received() || undefined, idleMs }),
});
