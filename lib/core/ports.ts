/** What the machine needs from the world. Each port has one written contract test that all its adapters run. */
import type { Environment } from "./prompt/environment.ts";
import type { Effort } from "./run/options.ts";
import type { Json } from "./text/json.ts";
import type { LearnedDialect } from "./turn/model-profile.ts";
import type { Verdict } from "./verdict/verdict.ts";

// ── The registry's table: one table of items, conditional writes, one transaction ──────────────────────────────────

export type Attributes = Record<string, Json>;
export interface ItemKey {
  pk: string;
  sk: string;
}
export type Item = ItemKey & Attributes;

/** A condition on the item before the write. Attributes are top-level ones. */
export type Condition =
  | { attribute: string; is: Json }
  | { attribute: string; isNot: Json }
  | { attribute: string; among: Json[] }
  | { attribute: string; atMost: number }
  | { attribute: string; missing: true }
  | { item: "absent" }
  | { item: "present" };

/** `put` replaces the whole item; `update` changes an existing item (an absent one is refused); `check` only looks. */
export type Write =
  | { put: Item; when?: Condition[] }
  | {
      update: ItemKey;
      set?: Attributes;
      add?: Record<string, number>;
      remove?: string[];
      when?: Condition[];
    }
  | { delete: ItemKey; when?: Condition[] }
  | { check: ItemKey; when: Condition[] };

export type Written = { ok: true } | { ok: false; refused: number[] };

export interface ItemRange {
  prefix: string;
  /** Only items whose sk is greater (less, when reverse) than this. */
  after?: string;
  limit?: number;
  reverse?: boolean;
}

/** Sparse indexes over the attributes that runs carry: `activeShard`+`dueAt`, `owner`+`createdAt`. They hold keys alone. */
export type IndexName = "due" | "owner";
export interface IndexRange {
  partition: string;
  /** Only items whose sort attribute is ≤ this (due) … */
  upTo?: string;
  /** … or that come after this cursor, in the order asked for. */
  cursor?: string;
  limit: number;
  reverse?: boolean;
}
export interface IndexPage {
  /** Keys of the table and of the index, nothing else. */
  items: Item[];
  cursor?: string;
}

export interface Table {
  /** Strongly consistent. */
  get(key: ItemKey): Promise<Item | undefined>;
  /** Strongly consistent, in order of sk. */
  query(pk: string, range: ItemRange): Promise<Item[]>;
  index(name: IndexName, range: IndexRange): Promise<IndexPage>;
  /** All or nothing. At most 100 writes, no item twice. A refused condition is an answer, not an error. */
  transact(writes: Write[]): Promise<Written>;
}

// ── The file store ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Writes unless the key is there; already there is fine. */
  putOnce(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Already gone is fine. */
  remove(key: string): Promise<void>;
  /**
   * Removes every key under the prefix, some at a time while `goOn` holds. Answers whether none is left. Can be called
   * again: after a crash, or to go on.
   */
  removeAll(prefix: string, goOn?: () => boolean): Promise<boolean>;
}

// ── The processor ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them: perhaps not JSON. */
  arguments: string;
}
/** What a provider wants back of an answer, unread: encrypted thoughts. Only the model that wrote it can read it. */
export interface Continuation {
  model: string;
  items: Json[];
}
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; toolCalls?: ToolCall[]; continuation?: Continuation }
  | { role: "tool"; content: string; toolCallId: string; name: string };

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: { [key: string]: Json };
}

export interface ModelRequest {
  messages: ChatMessage[];
  tools: ToolSpec[];
  maxOutputTokens: number;
  temperature?: number;
  seed?: number;
  effort?: Effort;
  /** False: the whole answer arrives at once. */
  stream?: boolean;
  timeoutMs: number;
}

export interface Usage {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /** `cut`: the output limit ended it. */
  finish: "stop" | "tools" | "cut" | "filtered" | "other";
  usage: Usage;
  continuation?: Continuation | undefined;
  /** True where the server gave no usage and it was estimated. */
  usageEstimated?: boolean | undefined;
  /** The server read only a part of the request. */
  truncated?: boolean | undefined;
  /** What the server's refusals have taught about its requests. Absent: nothing was refused. */
  dialect?: LearnedDialect | undefined;
  model: string;
  requestId: string;
  milliseconds: number;
}

export interface Model {
  /** One exchange. Throws ModelError; never waits longer than `timeoutMs`; never retries on its own. */
  ask(request: ModelRequest, signal?: AbortSignal, onProgress?: ShowProgress): Promise<ModelAnswer>;
}

/** How many characters of its answer a model has written, at most once a second and at its end; 0: it answers no more. */
export type ShowProgress = (characters: number, bytes?: number) => void;

/** An answer that a model is writing. */
export interface AnswerUnderway {
  instruction: number;
  turn: number;
  characters: number;
}

// ── The evaluator ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface Change {
  path: string;
  /** null: deleted. */
  content: Uint8Array | null;
}

/** `keep`: globs of files that it writes and that come back with the verdict. */
export interface AskedCommand {
  argv: string[];
  stdin?: string;
  timeoutSeconds?: number;
  keep?: string[];
}

export interface TestScope {
  paths?: string[];
  /** Where a runner runs cases side by side: in the order of their names instead. */
  oneByOne?: true;
}

/** The latest pack, loaded only where the evaluator does not have it yet. */
export interface PackBase {
  /** Names it: it never changes. */
  key: string;
  /** A zip of the whole tree. */
  load(): Promise<Uint8Array>;
  /** What changed since another pack of the run. Undefined: that is not known. */
  changesSince?(key: string): Promise<Change[] | undefined>;
  /** The size of its zip, about. Absent: not known before it is loaded. */
  bytes?: number;
  /** The stored packs that it is made of: one of a whole tree, then changes in their order. */
  parts?(): Promise<PackPart[]>;
}

export interface PackPart {
  key: string;
  /** Absent: not known before it is loaded. */
  bytes?: number;
}

export interface EvaluationRequest {
  runId: string;
  base: PackBase;
  /** What changed since, folded per path. */
  changes: Change[];
  /** Absent: not asked for. Paths: these files and those that depend on them; none: all. */
  syntax?: { paths?: string[] };
  tests?: TestScope;
  /** What the evaluator knows of the rest since its last verdict need not be looked at again. Absent: everything is. */
  incremental?: true;
  command?: AskedCommand;
  /** A book's text. Paths: only these. Words: what this instruction is to write, all its chapters together. */
  prose?: { paths?: string[]; words?: { least?: number; most?: number } };
  /** Whether what the tree delivers can be started, from a copy that nothing else was done in. */
  smoke?: true;
  /** What is delivered is executed: no turn asks for it. */
  delivered?: true;
  /** Whether the project's own manifest may be installed before tests and commands. */
  install: boolean;
  timeoutMs: number;
}

export interface Evaluator {
  /** Throws NotReady when it is throttled or not there yet: that is a wait, never a verdict. */
  evaluate(request: EvaluationRequest, signal?: AbortSignal): Promise<Verdict>;
  isRecorded?: true; // It answers what was found when the run was computed: there is nothing to be asked again.
  /** The run's computation has ended: what is kept ready for it can go. */
  release?(runId: string): Promise<void>;
  /** The names of the programs with which it checks languages. Absent: that is not known before a check. */
  programs?(): readonly string[];
  /** What the code finds where it runs: the same each time. Absent: that is not known. */
  describeEnvironment?(): Environment;
}

// ── Time and chance ────────────────────────────────────────────────────────────────────────────────────────────────

export interface Clock {
  now(): number;
  /** Milliseconds of a monotonic clock: setting the time does not change it. */
  steady(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
