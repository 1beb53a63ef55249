/** The adapters of AWS keep the contracts, on emulators that others wrote: the wire is the judge, not our reading of it. */
import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientSettings, dynamoClient, s3Client } from "../../lib/aws/clients.ts";
import { createDynamoTable } from "../../lib/aws/dynamo-table.ts";
import { createPresigner } from "../../lib/aws/presign.ts";
import { createS3Files } from "../../lib/aws/s3-files.ts";
import type { Condition } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/host/system-clock.ts";
import {
  dynamoDbLocal,
  dynoxide,
  type Emulator,
  moto,
  type Running,
} from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { tableDefinition } from "../doubles/table-definition.ts";
import { describeFileStore } from "./file-store.contract.ts";
import { describeRegistry } from "./registry.contract.ts";
import { describeTable } from "./table.contract.ts";

const waiting = { clock: systemClock, random: Math.random };
let opened = 0;
const FIRST_REQUEST = {
  "content-type": "application/x-amz-json-1.0",
  "x-amz-target": "DynamoDB_20120810.ListTables",
  authorization:
    "AWS4-HMAC-SHA256 Credential=emulated/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
};

/** One at a time, and none left behind. */
function onEmulator(emulator: Emulator, tests: (place: () => ClientSettings) => void): void {
  describe.skipIf(!emulator.isThere)(emulator.title, () => {
    let running: Running;
    beforeAll(async () => {
      running = await emulator.start();
      // Its first answer takes longer than a client waits, where the computer is busy.
      await fetch(running.endpoint, { method: "POST", headers: FIRST_REQUEST, body: "{}" }).catch(() => {});
    });
    afterAll(() => running?.stop());
    const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };
    tests(() => ({ endpoint: running.endpoint, region: "us-east-1", credentials }));
  });
}

async function openTable(place: ClientSettings) {
  const client = dynamoClient(place);
  const other = dynamoClient(place);
  opened += 1;
  const tableName = `l2mac-${opened}`;
  await client.send(new CreateTableCommand(tableDefinition(tableName)));
  return {
    tableName,
    table: createDynamoTable({ client, tableName, ...waiting }),
    another: createDynamoTable({ client: other, tableName, ...waiting }),
    async close() {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      client.destroy();
      other.destroy();
    },
  };
}

onEmulator(dynamoDbLocal, (place) => {
  describeTable("DynamoDB", () => openTable(place()));
  describeRegistry("DynamoDB", () => openTable(place()));
  describeLostAnswers(place);
});

// Not the table's contract: its begins_with takes upper and lower case for the same.
onEmulator(dynoxide, (place) => {
  describeRegistry("DynamoDB", () => openTable(place()));
  describeLostAnswers(place);
});

// Not the table's contract: it takes what is missing for null, and its transactions are not isolated.
onEmulator(moto, (place) => {
  describeFileStore("S3", () => openBucket(place()));

  it("a link gives the file to anyone who has it, to be saved under its name", async () => {
    const { client, bucket, store, close } = await openBucket(place());
    await store.put("runs/1/output/größe.zip", new Uint8Array([1, 2, 3]));
    const presigner = createPresigner({ client, bucket });
    const link = await presigner.get("runs/1/output/größe.zip", { seconds: 60, fileName: 'grö"ße.zip' });
    const answer = await fetch(link);
    expect(answer.status).toBe(200);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="gr___e.zip"; filename*=UTF-8''gr%C3%B6%22%C3%9Fe.zip`,
    );
    await close();
  });

  it("removes more keys than one listing holds", async () => {
    const { store, client, bucket, close } = await openBucket(place());
    const keys = Array.from({ length: 1_005 }, (_, index) => `runs/1/blobs/${index}`);
    // The emulator answers one at a time; a thousand at once would wait for it longer than the client does.
    for (let at = 0; at < keys.length; at += 16) {
      await Promise.all(keys.slice(at, at + 16).map((key) => store.put(key, new Uint8Array(1))));
    }
    await store.put("runs/2/task.json", new Uint8Array(1));
    await store.removeAll("runs/1/");
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(Contents.map(({ Key }) => Key)).toEqual(["runs/2/task.json"]);
    await close();
  });
});

async function openBucket(place: ClientSettings) {
  const client = s3Client(place);
  opened += 1;
  const bucket = `l2mac-${opened}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const store = createS3Files({ client, bucket, ...waiting });
  return { client, bucket, store, close: async () => client.destroy() };
}

function describeLostAnswers(place: () => ClientSettings): void {
  it("a transaction that was carried out, but whose answer was lost, is not carried out again", async () => {
    const opened = await openTable(place());
    const client = dynamoClient(place());
    loseFirstAnswer(client);
    const table = createDynamoTable({ client, tableName: opened.tableName, ...waiting });
    const counter = { pk: "RUN#1", sk: "COUNT", n: 0 };
    await opened.table.transact([{ put: counter }]);
    const when: Condition[] = [{ attribute: "n", is: 0 }];
    expect(await table.transact([{ update: counter, add: { n: 1 }, when }])).toEqual({ ok: true });
    expect(await opened.table.get(counter)).toEqual({ ...counter, n: 1 });
    client.destroy();
    await opened.close();
  });
}

/** The server has done its work when the connection breaks. */
function loseFirstAnswer(client: DynamoDBClient): void {
  let lost = false;
  client.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      if (lost) return answer;
      lost = true;
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    },
    { step: "deserialize" },
  );
}
