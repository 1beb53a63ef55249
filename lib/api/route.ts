/** A route: what it takes, what it answers, and how. Requests are read and documented by the same schemas. */
import type { z } from "zod";
import type { ApiContext, ApiParts } from "./parts.ts";
import type { ProblemStatus } from "./problem.ts";

export interface Asked<Query = unknown, Body = unknown> {
  parts: ApiParts;
  context: ApiContext;
  params: Record<string, string>;
  query: Query;
  body: Body;
  headers: Headers;
  signal: AbortSignal;
}

/** `json` beyond what one answer holds is stored, and answered with where it is. */
export type Reply =
  | { status: 200 | 201 | 202; json: unknown; headers?: Record<string, string> }
  | { status: 200; bytes: Uint8Array; headers: Record<string, string> }
  | { status: 303; location: string };

export interface Answer {
  says: string;
  /** Absent: bytes, or nothing. */
  schema?: z.ZodType;
}

export interface Route<Query = unknown, Body = unknown> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** As OpenAPI writes it: `/runs/{id}`. */
  path: string;
  name: string;
  says: string;
  params?: Record<string, z.ZodType>;
  query?: z.ZodObject;
  body?: z.ZodType;
  headers?: Record<string, { says: string; required: boolean }>;
  answers: Partial<Record<200 | 201 | 202 | 303, Answer>>;
  problems: ProblemStatus[];
  handle(asked: Asked<Query, Body>): Promise<Reply>;
}

interface Typed<Query extends z.ZodObject, Body extends z.ZodType>
  extends Omit<Route<z.infer<Query>, z.infer<Body>>, "query" | "body"> {
  query?: Query;
  body?: Body;
}

/** The handler is given what its own schemas have read, which the table of routes cannot say. */
export const route = <Query extends z.ZodObject, Body extends z.ZodType>(typed: Typed<Query, Body>): Route =>
  typed as unknown as Route;
