/** Problem details (RFC 9457): `detail` for people; `type`, `status`, `fields` and `next` for programs. */
import * as z from "zod";
import { Damaged, type Remedy, Unreadable, UserError } from "../core/errors.ts";
import { type ApiAnswer, responseOf } from "./exchange.ts";
import { requestFor } from "./next-request.ts";

export const FieldProblem = z.object({ field: z.string(), problem: z.string() });
export type FieldProblem = z.infer<typeof FieldProblem>;

export const Next = z.object({
  command: z.string().optional().describe("A command of l2mac."),
  args: z.array(z.string()).optional(),
  note: z.string().optional().describe("What it does, or what to do where no command helps."),
  request: z
    .object({ method: z.string(), path: z.string(), body: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .describe("The request of this API that does the same."),
});

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  requestId: z.string(),
  fields: z.array(FieldProblem).optional(),
  next: Next.optional().describe("What to do about it."),
});
export type Problem = z.infer<typeof Problem>;

const TITLES = {
  400: "bad request",
  403: "forbidden",
  404: "not found",
  405: "method not allowed",
  409: "conflict",
  412: "changed meanwhile",
  413: "too large",
  415: "unsupported media type",
  422: "idempotency key used before",
  428: "condition missing",
  500: "internal error",
  502: "no answer",
};
export type ProblemStatus = keyof typeof TITLES;

interface RefusedFields {
  title?: string;
  fields?: FieldProblem[];
  next?: Remedy | undefined;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** Answers the request with a problem. Thrown and caught inside the API only. */
export class Refused extends Error {
  override readonly name = "L2mac.Refused";
  readonly status: ProblemStatus;
  readonly more: RefusedFields;
  constructor(status: ProblemStatus, detail: string, more: RefusedFields = {}) {
    super(detail, { cause: more.cause });
    this.status = status;
    this.more = more;
  }
}

export const PROBLEM_TYPE = "application/problem+json";

/** Damaged data is named. Unexpected errors are not described: they may hold paths, keys or contents. */
export function problemAnswer(error: unknown, requestId: string): ApiAnswer {
  const refused = error instanceof Refused ? error : refusedFor(error);
  const { status, message, more } = refused;
  const title = more.title ?? TITLES[status];
  const problem: Problem = {
    type: `urn:l2mac:problem:${title.replaceAll(" ", "-")}`,
    title,
    status,
    detail: message,
    requestId,
    ...(more.fields ? { fields: more.fields } : {}),
    ...(more.next ? { next: nextOf(more.next) } : {}),
  };
  const headers = { ...more.headers, "content-type": PROBLEM_TYPE, "x-request-id": requestId };
  return { status, headers, body: JSON.stringify(problem) };
}

export const problemResponse = (error: unknown, requestId: string): Response =>
  responseOf(problemAnswer(error, requestId));

function nextOf(remedy: Remedy): z.infer<typeof Next> {
  if (typeof remedy === "string") return { note: remedy };
  const request = requestFor(remedy);
  return { ...remedy, args: [...remedy.args], ...(request ? { request } : {}) };
}

function refusedFor(error: unknown): Refused {
  if (error instanceof Unreadable) return new Refused(409, error.message, { next: error.remedy });
  if (error instanceof Damaged) return new Refused(500, error.message, { title: "damaged", next: error.remedy });
  return new Refused(500, "An internal error. It was logged.");
}

export const badField = (field: string, problem: string, cause?: unknown): Refused =>
  new Refused(400, `${field}: ${problem}`, { fields: [{ field, problem }], cause });

/** Turns a user error into a bad request about this field. */
export async function asFieldError<Answer>(field: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserError ? badField(field, error.message, error) : error;
  }
}

/** Turns a user error into a conflict with the state of the run, or into a bad request if it names a field. */
export async function asConflict<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { field, message: problem, remedy: next } = error;
    throw field === undefined
      ? new Refused(409, problem, { next, cause: error })
      : new Refused(400, problem, { fields: [{ field, problem }], next, cause: error });
  }
}
