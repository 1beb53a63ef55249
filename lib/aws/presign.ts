/** Presigned URLs to files of the store. They expire with the session of the role that signed them: create one per request, never store it. */
import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { assertStoreKey } from "../core/store/store-key.ts";

export interface Presigner {
  /** For programs: the object as it is. */
  read(key: string, asked: { seconds: number }): Promise<string>;
  /** Browsers save the download under this name, and display nothing of it. */
  get(key: string, asked: { seconds: number; fileName: string }): Promise<string>;
  /** Stores exactly this many bytes, if the key does not exist yet. `headers` are signed, so the upload must send them. */
  put(
    key: string,
    asked: { seconds: number; bytes: number },
  ): Promise<{ url: string; headers: Record<string, string> }>;
}

/** `client`: made by `linkClient`. */
export const createPresigner = ({ client, bucket }: { client: S3Client; bucket: string }): Presigner => ({
  async get(key, { seconds, fileName }) {
    assertStoreKey(key);
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ResponseContentDisposition: attachment(fileName),
      ResponseContentType: "application/octet-stream",
    });
    return sign(client, command, seconds);
  },
  async read(key, { seconds }) {
    assertStoreKey(key);
    return sign(client, new GetObjectCommand({ Bucket: bucket, Key: key }), seconds);
  },
  async put(key, { seconds, bytes }) {
    assertStoreKey(key);
    // The length is signed, and every HTTP client sends it: S3 refuses other lengths.
    const command = new PutObjectCommand({ Bucket: bucket, Key: key, ContentLength: bytes, IfNoneMatch: "*" });
    const url = await sign(client, command, seconds);
    return { url, headers: { "if-none-match": "*" } };
  },
});

/** Late: most calls of functions sign no link. */
async function sign(client: S3Client, command: GetObjectCommand | PutObjectCommand, seconds: number): Promise<string> {
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
  return getSignedUrl(client, command, { expiresIn: seconds });
}

/** RFC 6266: an ASCII name for old clients, the exact one for others. Names come from users and are escaped. */
function attachment(fileName: string): string {
  const name = fileName.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["%/;\\]/g, "_");
  const exact = encodeURIComponent(name).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
