/** Turns a reply into an answer. A reply too large for one is stored, and the answer links to it. */
import { sha256 } from "../control/files/digest.ts";
import { MiB } from "../core/limits.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { ApiAnswer } from "./exchange.ts";
import type { Reply, RouteCall } from "./route.ts";

/** A Lambda function can answer with 6 MB at most, in base64. */
const ANSWER_BYTES = 1 * MiB;
export const LINK_SECONDS = 15 * 60;

export const answerBytes = ({ parts }: Pick<RouteCall, "parts">): number => parts.settings.answerBytes ?? ANSWER_BYTES;

export async function answerOf(reply: Reply, call: RouteCall): Promise<ApiAnswer> {
  const base = { "x-request-id": call.context.requestId, "cache-control": "no-store" };
  if (reply.status === 303)
    return { status: 303, headers: { ...base, location: wholeLink(reply.location, call) }, body: null };
  const headers = { ...base, ...reply.headers };
  if ("bytes" in reply) return { status: 200, headers, body: reply.bytes };
  const json = new TextEncoder().encode(JSON.stringify(reply.json));
  const { id } = call.params;
  if (json.length > answerBytes(call) && id !== undefined) {
    const location = wholeLink(await stored(json, id, call), call);
    return { status: 303, headers: { ...headers, location }, body: null };
  }
  return { status: reply.status, headers: { ...headers, "content-type": "application/json" }, body: json };
}

/** A path of this server becomes a URL under the address that the caller used. */
export const wholeLink = (link: string, { context }: Pick<RouteCall, "context">): string =>
  link.startsWith("/") ? context.baseUrl + link : link;

async function stored(json: Uint8Array, runId: string, { parts }: RouteCall): Promise<string> {
  const key = `${fileStoreKeys(runId).root}answers/${sha256(json)}.json`;
  await parts.files.putOnce(key, json);
  return parts.links.get(key, { seconds: LINK_SECONDS, fileName: "answer.json" });
}
