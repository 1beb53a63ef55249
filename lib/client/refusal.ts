/** Words a refused request for the user of the command: what happened, and what to do. Pure. */
import * as z from "zod";
import { type Remedy, UserError } from "../core/errors.ts";
import type { Answer } from "./send.ts";

const text = z.string().catch("");

const Next = z.object({
  command: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  args: z.array(z.string()).max(20).catch([]),
  note: z.string().optional(),
});

/** API Gateway's own refusals have less than the API's, and before it knows which API is meant only a message. */
const Problem = z
  .object({
    title: text,
    detail: text,
    requestId: text,
    message: text,
    Message: text,
    next: Next.optional().catch(undefined),
  })
  .transform(({ detail, message, Message, ...rest }) => ({ ...rest, detail: detail || message || Message }));
type Problem = z.infer<typeof Problem>;

const DETAIL_CHARS = 1_000;

export function refusalOf(answer: Answer, url: string): UserError {
  const problem = problemIn(answer);
  const { status } = answer;
  if (status === 401 || status === 403) return notLetIn(problem, url);
  if (status === 429) return busy(url);
  if (status >= 500) return broken(status, problem, url);
  if (status === 404 && isNoSuchPath(problem)) return notAnApi(url);
  const keyMissing = status === 409 && problem.title === "model key not set";
  return new UserError(problem.detail || `The API at ${url} refuses the request (HTTP ${status}).`, {
    exitCode: keyMissing ? 3 : 2,
    remedy: remedyIn(problem) ?? REMEDIES[status] ?? `Is the address right? This command speaks to ${url}`,
  });
}

/** The API's own word for it; whatever is no API tells nothing of the kind. */
const isNoSuchPath = ({ title, detail }: Problem): boolean => title === "no such path" || title + detail === "";

function notAnApi(url: string): UserError {
  const { pathname } = new URL(url);
  const path = pathname === "/" ? "it has no path" : `its path is ${pathname}`;
  return new UserError(`The address ${url} leads to no L2MAC API (HTTP 404): ${path}.`, {
    exitCode: 2,
    remedy:
      "Give the address that the server shows, or the stack's output ApiUrl: https://….execute-api.<region>.amazonaws.com/v1",
  });
}

const REMEDIES: Record<number, Remedy> = {
  400: { command: "help", args: ["run"] },
  404: { command: "list", args: [] },
  413: "Send less; at most 100 MiB of packed files and 3 MiB of everything else fit.",
  422: "Run the same command again.",
};

function problemIn({ bytes }: Answer): Problem {
  const read = Problem.safeParse(jsonIn(bytes) ?? {});
  const { title, detail, requestId, next } = read.success ? read.data : Problem.parse({});
  return { title, detail: harmless(detail), requestId: requestId.slice(0, 100), next };
}

/** A refused signature is answered with all that was signed, the caller's session token among it. */
const harmless = (detail: string): string =>
  (detail.split(/The Canonical String/i, 1)[0] ?? "")
    .replace(/[A-Za-z0-9+/=_-]{100,}/g, "…")
    .trim()
    .slice(0, DETAIL_CHARS);

/** What the API advises, as data. */
function remedyIn({ next }: Problem): Remedy | undefined {
  if (next?.command === undefined) return next?.note;
  const { command, args, note } = next;
  return { command, args, ...(note === undefined ? {} : { note }) };
}

function notLetIn({ detail }: Problem, url: string): UserError {
  const said = detail ? `: ${detail}` : ".";
  return new UserError(`The API at ${url} does not let these credentials in${said}`, {
    exitCode: 3,
    remedy: remedyFor(detail),
  });
}

function remedyFor(detail: string): string {
  if (/expired|not yet current/i.test(detail)) {
    return "Sign in again (aws sso login), and see that this computer's clock is right.";
  }
  if (/not authorized to perform/i.test(detail)) {
    return "Ask the operator of the stack to allow you execute-api:Invoke on its API.";
  }
  if (/missing authentication token/i.test(detail)) return "Is the address right? It ends with the stage: …/v1";
  return "aws sts get-caller-identity says whose credentials are used; AWS_PROFILE chooses others.";
}

const busy = (url: string): UserError =>
  new UserError(`The API at ${url} is asked too much at the moment.`, {
    exitCode: 6,
    remedy: "Run the same command again in a minute.",
  });

function broken(status: number, problem: Problem, url: string): UserError {
  const { detail: what, requestId } = problem;
  const request = requestId ? ` (request ${requestId})` : "";
  return new UserError(`The API at ${url} failed with HTTP ${status}${request}${what ? `: ${what}` : "."}`, {
    exitCode: 6,
    remedy: remedyIn(problem) ?? "Run the same command again; if it stays so, the log of the API's function says more.",
  });
}

export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export const unreachable = (url: string, why: string): UserError =>
  new UserError(`The API at ${url} cannot be reached: ${why}.`, {
    exitCode: 3,
    remedy: "Is the address right, and is there a network? Runs that were submitted go on meanwhile.",
  });

export const notUnderstood = (url: string, what: string): UserError =>
  new UserError(`The API at ${url} answers what this version of l2mac does not understand: ${what}.`, {
    exitCode: 6,
    remedy: "Is it the address of an L2MAC stack? If it is of another version, use that version's l2mac.",
  });
