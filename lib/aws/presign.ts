/** Links to files of the store, for people without credentials. They die with the role that signed them: mint, never keep. */
import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { assertStoreKey } from "../core/store/store-key.ts";

export interface Presigner {
  /** A browser saves what it gets under this name, and shows nothing of it. */
  get(key: string, asked: { seconds: number; fileName: string }): Promise<string>;
  /** Stores exactly so many bytes, where nothing is yet. `headers` are signed: whoever uses the link sends them too. */
  put(
    key: string,
    asked: { seconds: number; bytes: number },
  ): Promise<{ url: string; headers: Record<string, string> }>;
}

/** `client`: one for links (`linkClient`). */
export const createPresigner = ({ client, bucket }: { client: S3Client; bucket: string }): Presigner => ({
  async get(key, { seconds, fileName }) {
    assertStoreKey(key);
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ResponseContentDisposition: attachment(fileName),
      ResponseContentType: "application/octet-stream",
    });
    return getSignedUrl(client, command, { expiresIn: seconds });
  },
  async put(key, { seconds, bytes }) {
    assertStoreKey(key);
    // The length is signed, and every HTTP client sends it: S3 refuses more, and less.
    const command = new PutObjectCommand({ Bucket: bucket, Key: key, ContentLength: bytes, IfNoneMatch: "*" });
    const url = await getSignedUrl(client, command, { expiresIn: seconds });
    return { url, headers: { "if-none-match": "*" } };
  },
});

/** RFC 6266: a plain name for the old, the exact one for the others. Names come from users: nothing in them ends early. */
function attachment(fileName: string): string {
  const name = fileName.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["%/;\\]/g, "_");
  const exact = encodeURIComponent(name).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
