/** A route: its request, its answers and its handler. The same schemas parse requests and document them. */
import type { z } from "zod";
import type { HeaderReader } from "./exchange.ts";
import type { ApiContext, ApiParts } from "./parts.ts";
import type { ProblemStatus } from "./problem.ts";

export interface RouteCall<Query = unknown, Body = unknown> {
  parts: ApiParts;
  context: ApiContext;
  params: Record<string, string>;
  query: Query;
  body: Body;
  headers: HeaderReader;
  signal: AbortSignal;
}

/** Large `json` is stored, and the response links to it. */
export type Reply =
  | { status: 200 | 201 | 202; json: unknown; headers?: Record<string, string> }
  | { status: 200; bytes: Uint8Array; headers: Record<string, string> }
  | { status: 303; location: string };

export interface Answer {
  description: string;
  /** Absent: bytes, or nothing. */
  schema?: z.ZodType;
}

export interface RouteAddress {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** As OpenAPI writes it: `/runs/{id}`. */
  path: string;
  load: () => Promise<Route>;
}

export interface Route<Query = unknown, Body = unknown> {
  name: string;
  description: string;
  params?: Record<string, z.ZodType>;
  query?: z.ZodObject;
  body?: z.ZodType;
  headers?: Record<string, { description: string; required: boolean }>;
  answers: Partial<Record<200 | 201 | 202 | 303, Answer>>;
  problems: ProblemStatus[];
  handle(call: RouteCall<Query, Body>): Promise<Reply>;
}

interface Typed<Query extends z.ZodObject, Body extends z.ZodType>
  extends Omit<Route<z.infer<Query>, z.infer<Body>>, "query" | "body"> {
  query?: Query;
  body?: Body;
}

/** The handler gets what its own schemas parsed; the table of routes cannot express that type. */
export const route = <Query extends z.ZodObject, Body extends z.ZodType>(typed: Typed<Query, Body>): Route =>
  typed as unknown as Route;
