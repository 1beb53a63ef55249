/** The errors that are thrown: the state machine names them in Retry and Catch. Everything else is a value. */

/** Another attempt owns the run now, or the run ended: the caller ends quietly. */
export class Fenced extends Error {
  override readonly name = "L2mac.Fenced";
}

/** The run was asked to stop. */
export class Cancelled extends Error {
  override readonly name = "L2mac.Cancelled";
}

/** What a model server's refusal means for the run. */
export type ModelErrorKind =
  | "credentials" // 401, 403: the key is missing, wrong or not allowed
  | "unknown_model" // 404, or a 400 that names the model
  | "refused" // any other 4xx: the same request will be refused again
  | "context_exceeded" // the request is larger than the model's window
  | "rate_limited" // 429
  | "quota" // 429 that says the account's money is used up
  | "unavailable" // 5xx, closed socket before an answer
  | "unreachable" // no connection could be made
  | "broken_answer" // 200 that is not an answer
  | "timed_out";

export interface ModelErrorFields {
  kind: ModelErrorKind;
  status?: number;
  retryAfterMs?: number;
  /** True where the server may have worked, and charged, before it failed. */
  perhapsPaid: boolean;
  /** What the model had written of its answer. Absent: it is not known. */
  received?: string | undefined;
  cause?: unknown;
}

export class ModelError extends Error {
  override readonly name = "L2mac.ModelError";
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly perhapsPaid: boolean;
  readonly received: string | undefined;
  constructor(message: string, fields: ModelErrorFields) {
    super(message, { cause: fields.cause });
    this.kind = fields.kind;
    this.status = fields.status;
    this.retryAfterMs = fields.retryAfterMs;
    this.perhapsPaid = fields.perhapsPaid;
    this.received = fields.received;
  }
}

/** The evaluator is throttled, asleep or starting. */
export class NotReady extends Error {
  override readonly name = "L2mac.NotReady";
  readonly retryAfterMs: number;
  /** For how long waiting may help. Absent: as long as a run waits for its evaluator. */
  readonly patienceMs: number | undefined;
  constructor(message: string, retryAfterMs: number, patienceMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.patienceMs = patienceMs;
  }
}

/** A command of this program, as data: each client writes it as its user would type it. */
export interface NextCommand {
  command: string;
  args: readonly string[];
  /** What it does, or what has to be done first. */
  note?: string;
}

/** A command, or an instruction in words where no command of this program helps. */
export type Remedy = NextCommand | string;

export interface UserErrorFields {
  exitCode: number;
  remedy?: Remedy;
  alternatives?: readonly Remedy[];
  field?: string;
  cause?: unknown;
}

/** Something the user can put right. `field`: the part of the request that it is about. */
export class UserError extends Error {
  override readonly name: string = "L2mac.UserError";
  readonly exitCode: number;
  readonly remedy: Remedy | undefined;
  /** Other remedies, of which each would do. */
  readonly alternatives: readonly Remedy[];
  readonly field: string | undefined;
  constructor(message: string, fields: UserErrorFields) {
    super(message, { cause: fields.cause });
    this.exitCode = fields.exitCode;
    this.remedy = fields.remedy;
    this.alternatives = fields.alternatives ?? [];
    this.field = fields.field;
  }
}

/** AWS does not allow a role something. Permissions that were changed seconds ago may not be in force yet. */
export class Denied extends UserError {
  override readonly name = "L2mac.Denied";
}

/** What was stored of a run is gone, or is not what was stored: nothing goes on as if it were there. */
export class Damaged extends UserError {
  constructor(message: string, fields: { remedy?: Remedy; cause?: unknown }) {
    super(message, { exitCode: 6, ...fields });
  }
}

/** A record that this version cannot read: of another format, or damaged. It is left as it is. */
export class Unreadable extends UserError {
  readonly owner: string | undefined;
  constructor(message: string, fields: { owner?: string; remedy?: Remedy; cause?: unknown }) {
    super(message, { exitCode: 3, ...fields });
    this.owner = fields.owner;
  }
}

/** The message of whatever was thrown: libraries throw plain objects too. */
export const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
