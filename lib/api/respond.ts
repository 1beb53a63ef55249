/** Turns a reply into a response. What is too large for one is stored, and answered with a link to it. */
import { sha256 } from "../control/files/digest.ts";
import { MiB } from "../core/limits.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { Asked, Reply } from "./route.ts";

/** A Lambda function answers with 6 MB at most, in base64. */
const ANSWER_BYTES = 1 * MiB;
export const LINK_SECONDS = 15 * 60;

export const answerBytes = ({ parts }: Pick<Asked, "parts">): number => parts.settings.answerBytes ?? ANSWER_BYTES;

export async function respond(reply: Reply, asked: Asked): Promise<Response> {
  const base = { "x-request-id": asked.context.requestId, "cache-control": "no-store" };
  if (reply.status === 303)
    return new Response(null, { status: 303, headers: { ...base, location: wholeLink(reply.location, asked) } });
  const headers = { ...base, ...reply.headers };
  if ("bytes" in reply) return new Response(reply.bytes.slice(), { status: 200, headers });
  const json = new TextEncoder().encode(JSON.stringify(reply.json));
  const { id } = asked.params;
  if (json.length > answerBytes(asked) && id !== undefined) {
    return new Response(null, {
      status: 303,
      headers: { ...headers, location: wholeLink(await stored(json, id, asked), asked) },
    });
  }
  return new Response(json, { status: reply.status, headers: { ...headers, "content-type": "application/json" } });
}

/** Under the name by which the server was asked, where it is a link of its own. */
export const wholeLink = (link: string, { context }: Pick<Asked, "context">): string =>
  link.startsWith("/") ? context.baseUrl + link : link;

async function stored(json: Uint8Array, runId: string, { parts }: Asked): Promise<string> {
  const key = `${fileStoreKeys(runId).root}answers/${sha256(json)}.json`;
  await parts.files.putOnce(key, json);
  return parts.links.get(key, { seconds: LINK_SECONDS, fileName: "answer.json" });
}
