/** Checks that the deployed API refuses unsigned requests, in the form of its other refusals. */
import type { Finding } from "./finding.ts";

export interface UnsignedAnswer {
  status: number;
  type: string;
  body: string;
}

const TIMEOUT_MS = 15_000;

/** Undefined: the API cannot be reached, which other checks report better. */
export async function callUnsigned(url: string): Promise<UnsignedAnswer | undefined> {
  try {
    const answer = await fetch(`${url.replace(/(?<!\/)\/+$/, "")}/runs`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", body: await answer.text() };
  } catch {
    return undefined;
  }
}

/** Pure. */
export function apiAuthFinding({ status, type, body }: UnsignedAnswer): Finding {
  const what = "door";
  if (status !== 403 && status !== 401) {
    return {
      what,
      state: "missing",
      says: `unsigned requests are answered with HTTP ${status}, not 403: anyone can call the API`,
      next: [{ command: "destroy", args: [], note: "or check the API's authorization in the console now" }],
    };
  }
  const isProblem = type.startsWith("application/problem+json") && /"requestId":"[^"]+"/.test(body);
  if (isProblem) return { what, state: "ok", says: `unsigned requests are refused (HTTP ${status})` };
  return {
    what,
    state: "note",
    says: `unsigned requests are refused (HTTP ${status}), but not as problem+json: the stage's gateway responses are not the deployed ones`,
    next: [{ command: "deploy", args: [] }],
  };
}
