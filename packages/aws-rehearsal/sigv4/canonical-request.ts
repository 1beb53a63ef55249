/** The canonical request of AWS Signature Version 4, written from the public specification. Pure. */
import { createHash } from "node:crypto";
import type { WireRequest } from "../parts.ts";

export interface Canonical {
  request: Pick<WireRequest, "method" | "target" | "headers">;
  service: string;
  signedHeaders: readonly string[];
  payloadHash: string;
}

export function canonicalRequest({ request, service, signedHeaders, payloadHash }: Canonical): string {
  const { path, query } = partsOf(request.target);
  const headers = signedHeaders.map((name) => `${name}:${collapsed(request.headers[name] ?? "")}\n`);
  return [
    request.method,
    service === "s3" ? once(path) : twice(path),
    canonicalQuery(query),
    headers.join(""),
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

export const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

export function partsOf(target: string): { path: string; query: [name: string, value: string][] } {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const written = at < 0 ? "" : target.slice(at + 1);
  const query = written
    .split("&")
    .filter((each) => each !== "")
    .map((each): [string, string] => {
      const equals = each.indexOf("=");
      return equals < 0 ? [decoded(each), ""] : [decoded(each.slice(0, equals)), decoded(each.slice(equals + 1))];
    });
  return { path: path === "" ? "/" : path, query };
}

/** S3 signs a path as it names the object; whatever way the client has written it. */
const once = (path: string): string =>
  path
    .split("/")
    .map((segment) => encoded(decoded(segment)))
    .join("/");

/** Other services sign the path as it was sent, encoded once more, without empty segments and dots. */
function twice(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(encoded(segment));
  }
  return `/${segments.join("/")}${segments.length > 0 && path.endsWith("/") ? "/" : ""}`;
}

const SIGNATURE = "X-Amz-Signature";

function canonicalQuery(query: [string, string][]): string {
  const pairs = query
    .filter(([name]) => name !== SIGNATURE)
    .map(([name, value]): [string, string] => [encoded(name), encoded(value)]);
  return pairs
    .toSorted(([name, value], [otherName, otherValue]) => inOrder(name, otherName) || inOrder(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** RFC 3986: letters, digits and -._~ stand for themselves. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** What cannot be decoded stays as it is, and will match no signature. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const collapsed = (value: string): string => value.trim().replace(/ +/g, " ");
