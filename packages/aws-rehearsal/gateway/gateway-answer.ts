/** Converts a function's answer to an HTTP response; undefined if API Gateway would call it malformed. Pure. */
import { z } from "zod";
import type { InvocationResult, WireAnswer } from "../parts.ts";
import { isBinary } from "./gateway-event.ts";

const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** Exactly these fields: with another one API Gateway does not know the answer. */
const Answer = z.strictObject({
  statusCode: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{3}$/)
        .transform(Number),
    ])
    .refine((code) => code >= 100 && code < 600),
  headers: z.record(z.string(), plain).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(plain)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export function answerOf(
  { payload, functionError, requestId }: InvocationResult,
  accepting: { binaryMediaTypes: readonly string[]; accept: string | undefined },
): WireAnswer | undefined {
  const read = functionError === undefined ? Answer.safeParse(JSON.parse(payload)) : undefined;
  if (!read?.success) return undefined;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = read.data;
  const decodes = isBase64Encoded === true && isBinary(accepting.binaryMediaTypes, accepting.accept);
  const several = Object.entries(multiValueHeaders ?? {}).map(([name, values]) => [name, values.join(",")] as const);
  const given = [...Object.entries(headers ?? {}), ...several].map(([name, value]) => [renamed(name), value]);
  return {
    status: statusCode,
    headers: { "content-type": "application/json", "x-amzn-requestid": requestId, ...Object.fromEntries(given) },
    body: Buffer.from(body ?? "", decodes ? "base64" : "utf8"),
  };
}

/** API Gateway says these itself, and hands the function's on under another name. */
const ITS_OWN = new Set(["connection", "content-length", "date", "host", "server", "www-authenticate"]);

const renamed = (name: string): string => {
  const lower = name.toLowerCase();
  return ITS_OWN.has(lower) ? `x-amzn-remapped-${lower}` : lower;
};
