/** Whether an API on AWS turns away who has not signed, in the form in which it refuses everything. */
import type { Finding } from "./finding.ts";

export interface Knocked {
  status: number;
  type: string;
  body: string;
}

const PATIENCE_MS = 15_000;

/** Without credentials, as anybody could. Undefined: nobody answers, which others will tell better. */
export async function knock(url: string): Promise<Knocked | undefined> {
  try {
    const answer = await fetch(`${url.replace(/\/+$/, "")}/runs`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", body: await answer.text() };
  } catch {
    return undefined;
  }
}

/** Pure. */
export function doorFinding({ status, type, body }: Knocked): Finding {
  const what = "door";
  if (status !== 403 && status !== 401) {
    return {
      what,
      state: "missing",
      says: `whoever does not sign is answered with HTTP ${status}, not 403: anybody may come in`,
      next: [{ command: "destroy", args: [], note: "or look at the API's authorisation in the console at once" }],
    };
  }
  const isProblem = type.startsWith("application/problem+json") && /"requestId":"[^"]+"/.test(body);
  if (isProblem) return { what, state: "ok", says: `whoever does not sign is turned away (HTTP ${status})` };
  return {
    what,
    state: "note",
    says: `whoever does not sign is turned away (HTTP ${status}), but not as problem+json: the stage's responses are not those that were deployed`,
    next: [{ command: "deploy", args: [] }],
  };
}
