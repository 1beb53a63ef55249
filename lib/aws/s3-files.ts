/**
 * The file store in an S3 bucket. The role needs s3:ListBucket: only then does S3 report a missing key as missing.
 * Otherwise it reports "access denied", which is an error here.
 */
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { MiB } from "../core/limits.ts";
import type { FileStore } from "../core/ports.ts";
import { assertStoreKey } from "../core/store/store-key.ts";
import { explained, nameOf, passes, statusOf } from "./failures.ts";
import { createRetry, type RetryParts, type RetryPolicy } from "./retry.ts";

export interface S3FilesParts extends RetryParts {
  client: S3Client;
  bucket: string;
}

/** Besides the client's own retries: interrupted responses and conflicting writes. */
const RETRY_POLICY: RetryPolicy = { tries: 6, firstMs: 50, mostMs: 2_000 };

export function createS3Files(parts: S3FilesParts): FileStore {
  const { client, bucket: Bucket } = parts;
  const retry = createRetry(parts, RETRY_POLICY);

  async function about<T>(Key: string, work: (object: { Bucket: string; Key: string }) => Promise<T>): Promise<T> {
    assertStoreKey(Key);
    return explained(`the file store's bucket ${Bucket}`, () => work({ Bucket, Key }));
  }

  return {
    put: (key, Body) =>
      about(key, async (object) => {
        await client.send(new PutObjectCommand({ ...object, Body }));
      }),
    putOnce: (key, Body) =>
      about(key, async (object) => {
        const command = () => new PutObjectCommand({ ...object, Body, IfNoneMatch: "*" });
        await retry(() => client.send(command()), isConflict).catch(unlessThere);
      }),
    get: (key) => about(key, (object) => retry(() => read(client, object), isBroken)),
    remove: (key) =>
      about(key, async (object) => {
        await client.send(new DeleteObjectCommand(object));
      }),
    removeAll: (prefix, shouldContinue = () => true) =>
      about(prefix.replace(/\/$/, ""), ({ Key }) => removeUnder(client, { Bucket, Prefix: `${Key}/` }, shouldContinue)),
  };
}

async function read(client: S3Client, object: { Bucket: string; Key: string }): Promise<Uint8Array | undefined> {
  try {
    const { Body, ContentLength } = await client.send(new GetObjectCommand(object));
    if (Body && ContentLength !== undefined && ContentLength > STREAMED_BYTES && isStream(Body))
      return await readExactly(Body, ContentLength, object.Key);
    const { buffer, byteOffset, byteLength } = (await Body?.transformToByteArray()) ?? new Uint8Array();
    if (ContentLength !== undefined && byteLength !== ContentLength)
      throw cutShort(byteLength, ContentLength, object.Key);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    if (nameOf(error) === "NoSuchKey") return undefined;
    throw error;
  }
}

/** A larger object is read into one array: collecting its parts first would take its memory twice. */
const STREAMED_BYTES = 4 * MiB;

const isStream = (body: object): body is AsyncIterable<Uint8Array> => Symbol.asyncIterator in body;

async function readExactly(body: AsyncIterable<Uint8Array>, length: number, key: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const chunk of body) {
    if (at + chunk.length > length) throw cutShort(at + chunk.length, length, key);
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < length) throw cutShort(at, length, key);
  return bytes;
}

const cutShort = (sent: number, length: number, key: string): Error =>
  new Error(`S3 sent ${sent} of the ${length} bytes of ${key}.`);

/** The client retries requests, but not interrupted responses; its checksum errors are plain errors, as ours above. */
const isBroken = (error: unknown): boolean => passes(error) || nameOf(error) === "Error";

/** Another write of the same key was in progress. */
const isConflict = (error: unknown): boolean => statusOf(error) === 409;

function unlessThere(error: unknown): void {
  if (statusOf(error) !== 412) throw error;
}

export async function removeUnder(
  client: S3Client,
  under: { Bucket: string; Prefix: string },
  shouldContinue: () => boolean,
): Promise<boolean> {
  // A listing returns at most 1,000 keys, and one deletion takes as many.
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, under)) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length === 0) continue;
    if (!shouldContinue()) return false;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: under.Bucket, Delete: { Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new Error(`S3 did not remove ${Errors.length} keys; ${first.Key}: ${first.Code} ${first.Message}`);
  }
  return true;
}
