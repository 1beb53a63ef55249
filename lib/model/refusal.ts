/** Turns a server's refusal, or a missing answer, into a ModelError with a helpful message. Pure. */
import { ModelError, type ModelErrorKind } from "../core/errors.ts";
import { amount } from "../core/text/format.ts";
import type { Refusal } from "./bedrock/refusal.ts";
import { isNearby } from "./endpoint.ts";
import { type ErrorBody, parseErrorBody } from "./error-body.ts";
import type { Redact } from "./redact.ts";
import type { Reply, Silence } from "./wire.ts";

/** What error messages contain about the server. */
export interface Server {
  host: string;
  model: string;
  hasKey: boolean;
  /** The environment variable of the key. Absent: OPENAI_API_KEY. */
  keyName?: string;
  redact: Redact;
  /** What its own names of errors mean. */
  refusal?: (reply: Reply, errorBody: ErrorBody) => Refusal | undefined;
}

export function errorOfReply(reply: Reply, server: Server, now: number): ModelError {
  const errorBody = parseErrorBody(reply.text);
  const own = server.refusal?.(reply, errorBody);
  const kind = own?.kind ?? kindOf(reply.status, errorBody);
  const said = server.redact(errorBody.message) || "nothing more";
  const retryAfterMs = retryAfterMsOf(reply.headers, now);
  return new ModelError(
    `The model server at ${server.host} answered ${reply.status}: ${ended(said)}${own?.hint ?? hint(kind, server)}`,
    {
      kind,
      status: reply.status,
      perhapsPaid: WORKED_BEFORE_FAILING.has(reply.status) || reply.received !== undefined,
      received: reply.received,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

export function errorOfSilence(
  { silence, code, sent, received, idleMs }: Silence,
  server: Server,
  timeoutMs: number,
): ModelError {
  const seconds = Math.round(timeoutMs / 1_000);
  const after = received === undefined ? "" : `, after ${amount(received.length)} characters of it`;
  const why = code ? ` (${code})` : "";
  switch (silence) {
    case "aborted":
      return sent
        ? new ModelError(`The model server at ${server.host} ${lateWords(seconds, idleMs)}${after}.`, {
            kind: "timed_out",
            perhapsPaid: true,
            received,
          })
        : unreachable(`within ${seconds} s`, server);
    case "unreachable":
      return unreachable(why.trim(), server);
    case "closed":
      return new ModelError(
        `The model server at ${server.host} closed the connection before its answer was complete${after}${why}.`,
        {
          kind: "unavailable",
          perhapsPaid: sent,
          received,
        },
      );
    case "unsigned":
      return new ModelError(`Nothing was sent to ${server.host}: ${server.redact(code)}`, {
        kind: "credentials",
        perhapsPaid: false,
      });
    case "too_large":
      return brokenAnswer("it is larger than any model's answer", server);
  }
}

const lateWords = (seconds: number, idleMs: number | undefined): string =>
  idleMs === undefined
    ? `gave no answer within ${seconds} s`
    : `sent nothing more of its answer for ${Math.round(idleMs / 1_000)} s`;

/** Status 200 without an answer: the call may have been charged. */
export const brokenAnswer = (why: string, server: Server, received?: string): ModelError =>
  new ModelError(`The model server at ${server.host} gave an answer that cannot be read: ${why}.`, {
    kind: "broken_answer",
    status: 200,
    perhapsPaid: true,
    received,
  });

const whatToCheck = (host: string, keyName: string | undefined): string => {
  if (keyName === "AWS_REGION") return "Is it a region that has Bedrock?";
  const isNear = isNearby(`http://${host}`);
  return isNear ? "Is it running, and is the base URL right?" : "Is this computer online, and is the base URL right?";
};

const unreachable = (detail: string, { host, keyName }: Server): ModelError =>
  new ModelError(`No connection to the model server at ${host} ${detail}. ${whatToCheck(host, keyName)}`, {
    kind: "unreachable",
    perhapsPaid: false,
  });

/** Models that failed at work. What answers with an error of the server is an outage: that costs nothing. */
const WORKED_BEFORE_FAILING = new Set([408, 424]);

const CONTEXT =
  /context[_ ]length[_ ]exceeded|context[_ ]?window[_ ]?exceeded|exceed_context_size|maximum (context|prompt) length|max(imum)? context length|exceeds? (the )?(available |model'?s? )?context|exceeds? .{0,40}context (length|size|window|limit)|reduce the length|prompt is too long|input is too long|request too large|`inputs` tokens|max_tokens must be at least 1|longer than the (maximum )?model('s)? (max(imum)?|context)|too many (input )?tokens|input token count .{0,20}exceeds/;
const NO_MODEL =
  /model_not_found|deploymentnotfound|unknown model|invalid model|no such model|model[^.]{0,100}(not found|not exist|does not exist|identifier is invalid|is not supported on this)|not a valid model/;
const NO_MONEY =
  /insufficient_quota|insufficient balance|exceeded your current quota|billing[_ ]hard[_ ]limit|credit balance|payment required|out of credits/;

/** LiteLLM without a database, of a key that is not its own. */
const NO_KEY = /no_db_connection/;

/** A quota that refills is a rate limit, although some servers call it a quota. */
const PER_MINUTE = /per ?(minute|day)|retrydelay/;

export function kindOf(status: number, { words }: ErrorBody): ModelErrorKind {
  if (status === 401 || status === 403 || NO_KEY.test(words)) return "credentials";
  if (status === 402) return "quota";
  if (status === 429) return NO_MONEY.test(words) && !PER_MINUTE.test(words) ? "quota" : "rate_limited";
  if (status === 413 || CONTEXT.test(words)) return "context_exceeded";
  if (status === 404) return "unknown_model";
  if (status >= 500 || TRY_LATER.has(status)) return "unavailable";
  if (NO_MODEL.test(words)) return "unknown_model";
  return NO_MONEY.test(words) ? "quota" : "refused";
}

/** The server's own timeouts, conflicts, and "too early". */
const TRY_LATER = new Set([408, 409, 425, 499]);

function hint(kind: ModelErrorKind, { model, hasKey, keyName = "OPENAI_API_KEY" }: Server): string {
  switch (kind) {
    case "credentials":
      return hasKey ? ` Check ${keyName}, and that it belongs to this server.` : ` No key was given: set ${keyName}.`;
    case "unknown_model":
      return ` Check the model (${model}) and the base URL, which mostly ends in /v1.`;
    case "quota":
      return " The account has no credit left: add some, then resume the run.";
    default:
      return "";
  }
}

const ended = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

/** `retry-after-ms` in milliseconds; `Retry-After` in seconds, or as a date. A proxy may pass them on with a prefix. */
function retryAfterMsOf(headers: Record<string, string>, now: number): number | undefined {
  const inMs = headers["retry-after-ms"] ?? headers["llm_provider-retry-after-ms"];
  const given = headers["retry-after"] ?? headers["llm_provider-retry-after"];
  return milliseconds(inMs, 1) ?? milliseconds(given, 1_000) ?? until(given, now);
}

function milliseconds(text: string | undefined, unit: number): number | undefined {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.min(Math.ceil(value * unit), YEAR_MS) : undefined;
}

/** Longer than any run waits, and still a date. */
const YEAR_MS = 365 * 24 * 3_600_000;

function until(text: string | undefined, now: number): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), YEAR_MS);
}
