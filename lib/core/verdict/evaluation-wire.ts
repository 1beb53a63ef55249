/** How a request to the evaluator travels to another machine: one JSON object of texts, within an invocation. Pure. */

import * as z from "zod";
import { fromBase64, toBase64 } from "../base64.ts";
import { defined } from "../defined.ts";
import type { Change, EvaluationRequest, TestScope } from "../ports.ts";
import { decodeText } from "../text/file-text.ts";

/** The base's bytes go with it, or links by which they can be fetched: the evaluator may read nothing by itself. */
export async function encodeEvaluation(request: EvaluationRequest, linked?: LinkedBase): Promise<string> {
  const { base, changes, ...asked } = request;
  const rest: Rest = { ...asked, key: base.key, changes: changes.map(toWire) };
  const envelope: Envelope = {
    // A pack is compressed already.
    base: linked ?? toBase64(await base.load()),
    request: toBase64(await gzip(new TextEncoder().encode(JSON.stringify(rest)))),
  };
  return JSON.stringify(envelope);
}

/** Throws where the payload is not what `encodeEvaluation` makes. */
export async function decodeEvaluation(payload: unknown, fetchBase = withoutLinks): Promise<EvaluationRequest> {
  const envelope = Envelope.parse(payload);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await gunzip(fromBase64(envelope.request)));
  const { key, changes, runId, install, timeoutMs, ...asked } = Rest.parse(JSON.parse(text));
  const { base } = envelope;
  const load = async () => (typeof base === "string" ? fromBase64(base) : fetchBase(base));
  return {
    runId,
    install,
    timeoutMs,
    base: { key, load },
    changes: changes.map(fromWire),
    ...(asked.syntax ? { syntax: withPaths(asked.syntax) } : {}),
    ...(asked.tests ? { tests: { ...withPaths(asked.tests), ...oneByOneOf(asked.tests) } } : {}),
    ...(asked.incremental ? { incremental: true } : {}),
    ...(asked.command ? { command: commandOf(asked.command) } : {}),
    ...(asked.prose ? { prose: proseOf(asked.prose) } : {}),
    ...(asked.smoke ? { smoke: true } : {}),
  };
}

/** Where a base can be fetched from: a whole pack, then changes. */
const LinkedBase = z.object({
  /** Of the store's host: where the evaluator runs there are no names. */
  addresses: z.array(z.string()),
  parts: z.array(z.object({ key: z.string(), url: z.string() })),
});
export type LinkedBase = z.infer<typeof LinkedBase>;

const withoutLinks = (_base: LinkedBase): Promise<Uint8Array> =>
  Promise.reject(new Error("This evaluator fetches nothing."));

const Envelope = z.object({ base: z.union([z.string(), LinkedBase]), request: z.string() });
type Envelope = z.infer<typeof Envelope>;

/** Text as text, so that it compresses; what is no text as base64. */
const WireChange = z.union([
  z.object({ path: z.string(), text: z.string() }),
  z.object({ path: z.string(), base64: z.string() }),
  z.object({ path: z.string(), deleted: z.literal(true) }),
]);
type WireChange = z.infer<typeof WireChange>;

const Scope = z.object({ paths: z.array(z.string()).optional() });
const Command = z.object({
  argv: z.array(z.string()),
  stdin: z.string().optional(),
  timeoutSeconds: z.number().optional(),
  keep: z.array(z.string()).optional(),
});
const Prose = Scope.extend({
  words: z.object({ least: z.number().optional(), most: z.number().optional() }).optional(),
});
const Rest = z.object({
  runId: z.string(),
  key: z.string(),
  changes: z.array(WireChange),
  syntax: Scope.optional(),
  tests: Scope.extend({ oneByOne: z.literal(true).optional() }).optional(),
  incremental: z.literal(true).optional(),
  command: Command.optional(),
  prose: Prose.optional(),
  smoke: z.literal(true).optional(),
  install: z.boolean(),
  timeoutMs: z.number(),
});
type Rest = z.infer<typeof Rest>;

function toWire({ path, content }: Change): WireChange {
  if (content === null) return { path, deleted: true };
  const text = decodeText(content);
  return text === undefined ? { path, base64: toBase64(content) } : { path, text };
}

function fromWire(change: WireChange): Change {
  const { path } = change;
  if ("deleted" in change) return { path, content: null };
  return { path, content: "text" in change ? new TextEncoder().encode(change.text) : fromBase64(change.base64) };
}

const withPaths = ({ paths }: z.infer<typeof Scope>): { paths?: string[] } => (paths ? { paths } : {});

const oneByOneOf = ({ oneByOne }: { oneByOne?: true | undefined }): TestScope => (oneByOne ? { oneByOne } : {});

function proseOf({ paths, words }: z.infer<typeof Prose>): NonNullable<EvaluationRequest["prose"]> {
  const { least, most } = words ?? {};
  const bounds = { ...defined({ least, most }) };
  return { ...withPaths({ paths }), ...(words ? { words: bounds } : {}) };
}

const commandOf = ({ argv, stdin, timeoutSeconds, keep }: z.infer<typeof Command>) => ({
  argv,
  ...defined({ stdin, timeoutSeconds, keep }),
});

const gzip = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => through(bytes, new CompressionStream("gzip"));
const gunzip = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => through(bytes, new DecompressionStream("gzip"));

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
