/** The error in a server's answer: one shape for the many that servers use. Pure. */
import { isObject, type JsonObject } from "./loose-json.ts";

export interface ErrorBody {
  message: string;
  code: string;
  type: string;
  param: string;
  /** All of it, in lower case, to search for words. */
  words: string;
  /** What the model wrote: Groq refuses a call that it cannot parse, and includes it. */
  failedGeneration: string | undefined;
}

/** Enough to contain the reason; bounds a hostile body. */
const WORDS = 4_000;

export function parseErrorBody(body: string): ErrorBody {
  const details = detailsOf(parsed(body)) ?? {};
  const message = textOf(details.message ?? details.detail ?? details.error) || textOfPage(body);
  return {
    message,
    code: textOf(details.code),
    type: textOf(details.type),
    param: textOf(details.param),
    words: (message === "" ? body : JSON.stringify(details)).slice(0, WORDS).toLowerCase(),
    failedGeneration: typeof details.failed_generation === "string" ? details.failed_generation : undefined,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `{error: {…}}`, `{error: "…"}`, `[{error: {…}}]`, `{message, code}`, `{detail: …}`. */
function detailsOf(value: unknown): JsonObject | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return undefined;
  return isObject(first.error) ? first.error : first;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : "";
}

/** A gateway's error page, or plain text. */
const textOfPage = (body: string): string =>
  body
    .slice(0, WORDS)
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^<>]*>/gi, " ")
    .trim();
