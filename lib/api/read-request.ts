/** Parses a request by the schemas of its route, and names the fields that are wrong. */
import * as z from "zod";
import type { ApiRequest } from "./exchange.ts";
import { badField, type FieldProblem, Refused } from "./problem.ts";
import { bodyOf } from "./read-body.ts";
import type { Route, RouteCall } from "./route.ts";

export interface ApiInput extends Omit<RouteCall, "query" | "body" | "headers" | "signal"> {
  request: ApiRequest;
}

export async function readRequest(route: Route, { request, ...rest }: ApiInput): Promise<RouteCall> {
  for (const [name, schema] of Object.entries(route.params ?? {})) {
    parsed(schema, rest.params[name] ?? "", name);
  }
  const query = parsed(route.query ?? z.strictObject({}), queryIn(request.url, route.query));
  const body = route.body ? parsed(route.body, await readBody(request, rest.parts.settings.bodyBytes)) : undefined;
  return { ...rest, query, body, headers: request.headers, signal: request.signal };
}

function parsed(schema: z.ZodType, value: unknown, at?: string): unknown {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const fields = read.error.issues.flatMap(problemsOf).map(({ field, problem }) => ({
    field: at ?? (field || "body"),
    problem,
  }));
  const detail = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new Refused(400, detail.slice(0, DETAIL_CHARS), { fields: fields.slice(0, FIELDS_NAMED) });
}

const DETAIL_CHARS = 2_000;
const FIELDS_NAMED = 50;

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ field: path.join("."), problem: issue.message }];
  return issue.keys.map((key) => ({
    field: [...path, key.slice(0, 100)].join("."),
    problem: "There is no such field.",
  }));
}

/** Strings, and numbers for number fields. */
function queryIn(url: string, schema: z.ZodObject | undefined): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, text] of new URL(url).searchParams) {
    if (Object.hasOwn(found, name)) throw badField(name, "It is given twice.");
    const field = schema?.shape[name];
    const value = field && isNumber(field) && /^\d{1,15}$/.test(text) ? Number(text) : text;
    Object.defineProperty(found, name, { value, enumerable: true });
  }
  return found;
}

function isNumber(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isNumber(schema.unwrap());
  return schema instanceof z.ZodNumber;
}

/** An empty body counts as an empty object. */
async function readBody(request: ApiRequest, bytesAtMost?: number): Promise<unknown> {
  const bytes = await bodyOf(request, bytesAtMost);
  if (bytes.length === 0) return {};
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    throw new Refused(415, "The body must be JSON, with the header content-type: application/json.");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Refused(400, "The body is not JSON.", {
      fields: [{ field: "body", problem: "It is not JSON." }],
      cause: error,
    });
  }
}
