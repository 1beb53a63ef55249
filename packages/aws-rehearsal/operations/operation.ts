/** An AWS request: its operation, and what IAM must allow for it. */
import type { Ask, Deployment, WireRequest } from "../parts.ts";
import type { Problem } from "../sigv4/signature-problem.ts";

export interface Operation {
  /** `TransactWriteItems` */
  name: string;
  /** In short, for people: a table, a key, a function. */
  about: string;
  /** All of them must be allowed. */
  asks: Ask[];
}

export type DeploymentScope = Pick<Deployment, "partition" | "region" | "account" | "resources">;

/** A problem: the operation is not one of those that are played, or its request is wrong. */
export type ReadOperation = (request: WireRequest, place: DeploymentScope) => Operation | Problem;

export const isProblem = (value: object): value is Problem => "code" in value;

export const unknownOperation = (what: string): Problem => ({
  status: 400,
  code: "UnknownOperationException",
  message: `The rehearsal does not know ${what}, and refuses it.`,
});

export const invalid = (message: string): Problem => ({ status: 400, code: "ValidationException", message });

/** The operation's name and its input, in the protocols that speak JSON and name the operation in a header. */
export function readTarget({ method, target, headers, body }: WireRequest, prefix: string): JsonRequest | Problem {
  const [api, name = ""] = (headers["x-amz-target"] ?? "").split(".");
  const isJson = /^application\/x-amz-json-1\.[01]$/.test(headers["content-type"] ?? "");
  if (method !== "POST" || target !== "/" || api !== prefix || !isJson)
    return unknownOperation(`${method} ${target} ${headers["x-amz-target"]} in ${headers["content-type"]}`);
  const input = parsed(body);
  return input
    ? { name, input }
    : { status: 400, code: "SerializationException", message: "The body is no JSON object." };
}

export interface JsonRequest {
  name: string;
  input: Record<string, unknown>;
}

function parsed(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
