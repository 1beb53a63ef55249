/** Files that a run starts from, sent as a zip: more than goes into a request. */
import { zipSync } from "fflate";
import type { TestServer } from "../../../test/api/served.ts";

/** The id to submit. */
export async function uploaded(
  server: TestServer,
  files: { path: string; content: string | Uint8Array }[],
): Promise<string> {
  const bytesOf = (content: string | Uint8Array): Uint8Array =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const zip = zipSync(Object.fromEntries(files.map(({ path, content }) => [path, bytesOf(content)])));
  const { json } = await server.post("/uploads", { bytes: zip.length });
  const { status } = await fetch(json.url, { method: "PUT", headers: json.headers, body: zip as BodyInit });
  if (status !== 200) throw new Error(`The upload was answered with ${status}.`);
  return json.id;
}
