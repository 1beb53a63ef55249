/** Where S3's answer follows from what the principal may do, and not only from what is stored. */
import type { Operation } from "../operations/operation.ts";
import type { Ask, Denied, WireAnswer } from "../parts.ts";

/** What IAM has to be asked before a missing key may be called missing; undefined: the answer can stay as it is. */
export function asksBeforeNotFound({ name, asks }: Operation, { status, body }: WireAnswer): Ask[] | undefined {
  const isRead = name === "GetObject" || name === "HeadObject";
  // The answer to HEAD has no body that could say why.
  const isMissing = status === 404 && (body.length === 0 || body.includes("<Code>NoSuchKey</Code>"));
  if (!isRead || !isMissing) return undefined;
  // A read brings no prefix.
  return asks.map(({ resource }) => ({ action: "s3:ListBucket", resource: resource.slice(0, resource.indexOf("/")) }));
}

/** Of a deletion of many keys S3 tells each denial for itself, in an answer that is none. */
export const deniedDeletions = (asks: readonly Ask[], denials: readonly Denied[]): WireAnswer => {
  const errors = asks.map(({ resource }, at) => {
    const key = escaped(resource.slice(resource.indexOf("/") + 1));
    return `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>${escaped(denials[at]?.message ?? "")}</Message></Error>`;
  });
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<DeleteResult>${errors.join("")}</DeleteResult>`),
  };
};

export const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
