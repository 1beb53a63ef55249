/** The result of a question to AWS: a value, or the reason of the refusal with what to do about it. */
import { remedyFor } from "./error-remedies.ts";

export type AwsResult<Value> = { value: Value } | { refusal: Refusal };

export interface Refusal {
  reason: string;
  remedy: string;
}

export async function askAws<Value>(ask: () => Promise<Value>): Promise<AwsResult<Value>> {
  try {
    return { value: await ask() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** Pure. */
export function refusalOf(error: unknown): Refusal {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [first = ""] = message.split("\n", 1);
  return {
    reason: first.replace(/(?<!\.)\.+$/, "") || name || "AWS answered with an error without a message",
    remedy: remedyFor(`${name} ${code} ${message}`) ?? "Try again.",
  };
}

/** Whether the error only says that the resource does not exist. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  (/NotFound|NoSuch/.test(error.name) || (error.name === "ValidationError" && /does not exist/.test(error.message)));
