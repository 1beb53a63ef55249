import { NoSuchKey } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import { s3Client } from "./clients.ts";
import { createS3Files } from "./s3-files.ts";

function rig(script: Script) {
  const clock = fakeClock();
  const client = s3Client({ region: "us-east-1" });
  const sent = scriptClient(client, script);
  return { sent, clock, files: createS3Files({ client, bucket: "files", clock, random: () => 0.5 }) };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const body = (text: string, ContentLength = text.length) => ({
  Body: { transformToByteArray: async () => bytes(text) },
  ContentLength,
});
const brokenBody = (error: Error) => ({
  Body: { transformToByteArray: () => Promise.reject(error) },
  ContentLength: 5,
});
const there = awsError("PreconditionFailed", { status: 412 });
const contested = awsError("ConditionalRequestConflict", { status: 409 });
const denied = awsError("AccessDenied", { status: 403, message: "not authorized to perform: s3:ListBucket" });

describe("putOnce", () => {
  it("writes on the condition that nothing is there, and already there is fine", async () => {
    const { files, sent } = rig([there]);
    await files.putOnce("runs/1/blobs/a", bytes("x"));
    expect(sent).toMatchObject([
      { command: "PutObjectCommand", input: { Bucket: "files", Key: "runs/1/blobs/a", IfNoneMatch: "*" } },
    ]);
  });

  it.each([
    ["wins", {}],
    ["loses", there],
  ])("asks again when it meets another writer, whether it then %s", async (_, then) => {
    const { files, sent, clock } = rig([contested, contested, then]);
    await files.putOnce("k", bytes("x"));
    expect(sent).toHaveLength(3);
    expect(clock.slept).toEqual([25, 50]);
  });

  it("gives up after some tries, and passes every other refusal on", async () => {
    const { files, sent } = rig([contested]);
    await expect(files.putOnce("k", bytes("x"))).rejects.toThrow("ConditionalRequestConflict");
    expect(sent).toHaveLength(6);
    await expect(rig([awsError("SlowDown", { status: 503 })]).files.putOnce("k", bytes("x"))).rejects.toThrow(
      "SlowDown",
    );
  });
});

describe("get", () => {
  it("what is not there is undefined", async () => {
    const { files, sent } = rig([new NoSuchKey({ message: "none", $metadata: { httpStatusCode: 404 } })]);
    expect(await files.get("k")).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it("access denied is never taken for not there: a store that hides its files is not an empty one", async () => {
    await expect(rig([denied]).files.get("k")).rejects.toMatchObject({
      name: "L2mac.Denied",
      exitCode: 3,
      message: expect.stringMatching(/bucket files.*s3:ListBucket/),
    });
  });

  it.each([
    ["ends early", body("ab", 5)],
    ["breaks off", brokenBody(awsError("Error", { code: "ECONNRESET", message: "aborted" }))],
    ["was damaged on its way", brokenBody(new Error("Checksum mismatch"))],
  ])("an answer that %s is asked for again", async (_, broken) => {
    const { files, sent } = rig([broken, body("whole")]);
    expect(await files.get("k")).toEqual(bytes("whole"));
    expect(sent).toHaveLength(2);
  });

  it("half an answer is never given", async () => {
    const { files, sent } = rig([body("ab", 5)]);
    await expect(files.get("k")).rejects.toThrow("2 of the 5 bytes");
    expect(sent).toHaveLength(6);
  });
});

describe("removal", () => {
  it("of everything under a prefix goes listing by listing, and says what S3 kept", async () => {
    const listed = (keys: string[], NextContinuationToken?: string) => ({
      Contents: keys.map((Key) => ({ Key })),
      IsTruncated: NextContinuationToken !== undefined,
      NextContinuationToken,
    });
    const refusal = { Errors: [{ Key: "runs/1/c", Code: "InternalError", Message: "later" }] };
    const { files, sent } = rig([listed(["runs/1/a", "runs/1/b"], "more"), {}, listed(["runs/1/c"]), refusal]);
    await expect(files.removeAll("runs/1")).rejects.toThrow("runs/1/c: InternalError later");
    expect(sent.map(({ command }) => command)).toEqual([
      ...["ListObjectsV2Command", "DeleteObjectsCommand", "ListObjectsV2Command", "DeleteObjectsCommand"],
    ]);
    expect(sent[0]?.input).toMatchObject({ Bucket: "files", Prefix: "runs/1/" });
    expect(sent[1]?.input).toMatchObject({
      Delete: { Objects: [{ Key: "runs/1/a" }, { Key: "runs/1/b" }], Quiet: true },
    });
    expect(sent[2]?.input).toMatchObject({ ContinuationToken: "more" });
  });

  it("stops before the next listing's keys once there is no time, and says that some are left", async () => {
    const page = { Contents: [{ Key: "runs/1/a" }], IsTruncated: true, NextContinuationToken: "more" };
    const { files, sent } = rig([page, {}, { Contents: [{ Key: "runs/1/b" }] }]);
    let left = 1;
    const goOn = () => {
      left -= 1;
      return left >= 0;
    };
    expect(await files.removeAll("runs/1", goOn)).toBe(false);
    expect(sent.map(({ command }) => command)).toEqual([
      ...["ListObjectsV2Command", "DeleteObjectsCommand", "ListObjectsV2Command"],
    ]);
  });

  it("of nothing deletes nothing", async () => {
    const { files, sent } = rig([{}]);
    await files.removeAll("runs/1/");
    expect(sent.map(({ command }) => command)).toEqual(["ListObjectsV2Command"]);
  });
});
