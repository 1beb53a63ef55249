/** What went wrong, as RFC 9457 says it: for people in `detail`, for programs in `type`, `status` and `fields`. */
import * as z from "zod";
import { Damaged, type Remedy, Unreadable, UserError } from "../core/errors.ts";

export const FieldProblem = z.object({ field: z.string(), problem: z.string() });
export type FieldProblem = z.infer<typeof FieldProblem>;

/** What to do about it: a command of the program with its arguments, words, or both. */
export const Next = z.object({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  note: z.string().optional(),
});

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  requestId: z.string(),
  fields: z.array(FieldProblem).optional(),
  next: Next.optional(),
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

/** A request that is answered with a problem. Thrown inside the API only, and caught at its edge. */
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

/** What is damaged is named. Nothing of an unforeseen error leaves: it may name paths, keys or contents. */
export function problemResponse(error: unknown, requestId: string): Response {
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
  return new Response(JSON.stringify(problem), { status, headers });
}

const nextOf = (remedy: Remedy): z.infer<typeof Next> =>
  typeof remedy === "string" ? { note: remedy } : { ...remedy, args: [...remedy.args] };

function refusedFor(error: unknown): Refused {
  if (error instanceof Unreadable) return new Refused(409, error.message, { next: error.remedy });
  if (error instanceof Damaged) return new Refused(500, error.message, { title: "damaged", next: error.remedy });
  return new Refused(500, "Something went wrong that should not. It was noted.");
}

export const badField = (field: string, problem: string, cause?: unknown): Refused =>
  new Refused(400, `${field}: ${problem}`, { fields: [{ field, problem }], cause });

/** What a user can put right is a bad request here, about this field. */
export async function about<Answer>(field: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserError ? badField(field, error.message, error) : error;
  }
}

/** What a user can put right is a conflict with how the run stands, or wrong in a field, with what to do about it. */
export async function unlessConflict<Answer>(work: () => Promise<Answer>): Promise<Answer> {
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
