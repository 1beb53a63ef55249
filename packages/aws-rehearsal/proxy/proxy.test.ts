/** The proxy between the deployed adapters and the emulators, under the roles of the template. */
import { GetItemCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ClientSettings,
  dynamoClient,
  lambdaClient,
  linkClient,
  s3Client,
  secretsClient,
  sfnClient,
} from "../../../lib/aws/clients.ts";
import { createDynamoTable } from "../../../lib/aws/dynamo-table.ts";
import { createLambdaEvaluator } from "../../../lib/aws/lambda-evaluator.ts";
import { createPresigner } from "../../../lib/aws/presign.ts";
import { createS3Files } from "../../../lib/aws/s3-files.ts";
import { createSecretReader } from "../../../lib/aws/secret.ts";
import { createExecutionStarter } from "../../../lib/aws/sfn-runs.ts";
import { indexEntry } from "../../../lib/core/store/table-indexes.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { deployQuickly, PLACE, resourceIn } from "../cloudformation/quick-deployment.ts";
import { createDisturbances } from "../disturbances.ts";
import { dynoxide, moto } from "../emulators/emulators.ts";
import { createIam, type PlayedIam } from "../iam/iam.ts";
import type { Deployment, Hop, Principal, Service, WireRequest } from "../parts.ts";
import { createSecrets, type Secrets } from "../storage/secrets-service.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import { type AwsCall, type CallTrouble, type RunningProxy, startProxy } from "./proxy.ts";

let deployed: Deployment;
let iam: PlayedIam;
let storage: Storage;
let proxy: RunningProxy;
let secrets: Secrets;
let clock: () => number = Date.now;
const hops: Hop[] = [];
const played: WireRequest[] = [];
const disturbed = createDisturbances<AwsCall, CallTrouble>();

const there = dynoxide.isThere && moto.isThere;
const answering =
  (body: unknown): Service =>
  async (request) => {
    played.push(request);
    return {
      status: 200,
      headers: { "content-type": "application/x-amz-json-1.0" },
      body: Buffer.from(JSON.stringify(body)),
    };
  };

beforeAll(async () => {
  if (!there) return;
  deployed = deployQuickly();
  iam = createIam(deployed);
  storage = await openStorage(deployed);
  secrets = createSecrets(deployed);
  const services = {
    secretsmanager: secrets.service,
    states: answering({ executionArn: "arn", startDate: 1 }),
    lambda: answering({}),
  };
  proxy = await startProxy({
    deployed,
    iam,
    upstreams: storage.upstreams,
    services,
    hop: (hop) => hops.push(hop),
    now: () => clock(),
    disturbed,
  });
});
afterAll(async () => {
  await proxy?.stop();
  await storage?.stop();
});
beforeEach(() => {
  clock = Date.now;
  hops.length = 0;
  disturbed.clear();
  iam?.remove();
});

const waiting = { clock: systemClock, random: Math.random };
const roleArn = (begins: string) => resourceIn(deployed, "AWS::IAM::Role", begins).arn ?? "";
const as = (role: string): Principal => iam.assume(roleArn(role), "lambda.amazonaws.com");
const place = ({ credentials }: Principal): ClientSettings => ({
  endpoint: proxy.endpoint,
  region: PLACE.region,
  credentials,
});
const tableOf = (who: Principal) =>
  createDynamoTable({ client: dynamoClient(place(who)), tableName: storage.tableName, ...waiting });
const filesOf = (who: Principal) =>
  createS3Files({ client: s3Client(place(who)), bucket: storage.bucketName, ...waiting });
const nameOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: Error) => error.name,
  );
const causeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    ({ message, cause }: Error) => String((cause as Error | undefined)?.message ?? message),
  );

const [EXECUTE, RECORD_FAILURE, API, SWEEP] = [
  "ControlUnitExecuteRole",
  "ControlUnitRecordFailureRole",
  "ApiFunctionRole",
  "SweeperSweepRole",
];

describe.skipIf(!there)(`between the adapters and ${dynoxide.title}, ${moto.title}`, () => {
  it("what the role allows goes through: items, transactions, pages of an index", async () => {
    const table = tableOf(as(API));
    const item = { pk: "RUN#1", sk: "META", owner: "ada", createdAt: "2026", many: "x".repeat(1_500) };
    expect(await table.transact([{ put: item, when: [{ item: "absent" }] }])).toEqual({ ok: true });
    expect(await table.transact([{ put: item, when: [{ item: "absent" }] }])).toMatchObject({ ok: false });
    expect(await table.get({ pk: "RUN#1", sk: "META" })).toEqual(item);
    expect(await table.query("RUN#1", { prefix: "" })).toEqual([item]);
    expect((await table.index("owner", { partition: "ada", limit: 5 })).items).toEqual([indexEntry("owner", item)]);
    expect(hops[0]).toMatchObject({ to: "dynamodb", what: "TransactWriteItems 1 items", answer: "200, 5 write units" });
    const counted = proxy
      .counts()
      .filter(({ principal, service }) => principal.startsWith(API) && service === "dynamodb");
    expect(counted.find(({ operation }) => operation === "TransactWriteItems")).toMatchObject({
      requests: 2,
      errors: 1,
      write: 9,
    });
    expect(counted.find(({ operation }) => operation === "GetItem")).toMatchObject({ requests: 1, errors: 0, read: 1 });
  });

  it("a planned failure replaces the effect, and the caller gets the service's own error", async () => {
    const client = dynamoClient(place(as(API)));
    const put = (sk: string) =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [{ Put: { TableName: storage.tableName, Item: { pk: { S: "RUN#2" }, sk: { S: sk } } } }],
        }),
      );
    const meets = ({ who, service, operation, body }: AwsCall) =>
      who.startsWith(API) && service === "dynamodb" && operation === "TransactWriteItems" && body.includes("RUN#2");
    const answer = { status: 400, code: "ThrottlingException", message: "Slower." };
    const busy = disturbed.plan({ meets, trouble: { takesEffect: false, answer } });
    expect(await nameOf(put("A"))).toBe("ThrottlingException");
    expect(busy.happened()).toBe(1);
    expect(await tableOf(as(API)).query("RUN#2", { prefix: "" })).toEqual([]);
  });

  it("the effect remains if only the answer is lost, and a retry with the same token is recognised", async () => {
    const died: string[] = [];
    disturbed.plan({
      meets: ({ operation }) => operation === "TransactWriteItems",
      trouble: { takesEffect: true, meanwhile: () => died.push("before the answer"), answer: "closed" },
    });
    const item = { pk: "RUN#3", sk: "META" };
    const when = [{ item: "absent" as const }];
    expect(await tableOf(as(API)).transact([{ put: item, when }])).toEqual({ ok: true });
    expect(died).toEqual(["before the answer"]);
    expect(hops.filter(({ what }) => what.startsWith("Transact"))).toMatchObject([
      { answer: "500 Unanswered" },
      { answer: expect.stringMatching(/^200/) },
    ]);
  });

  it("a transaction needs the actions of its items", async () => {
    const deleting = [{ delete: { pk: "RUN#1", sk: "FILE#a" } }];
    expect(await tableOf(as(EXECUTE)).transact(deleting)).toEqual({ ok: true });
    const who = as(RECORD_FAILURE);
    expect(await causeOf(tableOf(who).transact(deleting))).toBe(
      `User: ${who.arn} is not authorized to perform: dynamodb:DeleteItem on resource: ${resourceIn(deployed, "AWS::DynamoDB::Table").arn} because no identity-based policy allows the dynamodb:DeleteItem action`,
    );
    expect(hops.at(-1)).toMatchObject({
      from: who.name,
      what: "TransactWriteItems 1 items",
      answer: "400 AccessDeniedException",
    });
  });

  it("an index that is not the role's is closed", async () => {
    expect(await causeOf(tableOf(as(API)).index("due", { partition: "0", limit: 5 }))).toMatch(
      /dynamodb:Query on resource: \S+\/index\/due because/,
    );
    expect(await nameOf(tableOf(as(SWEEP)).index("due", { partition: "0", limit: 5 }))).toBe("done");
  });

  it("files go through whole, whatever they are called", async () => {
    const files = filesOf(as(EXECUTE));
    const body = new Uint8Array(300_000).map((_, at) => at % 251);
    for (const key of ["runs/1/blobs/a", "runs/1/files/ein (1) ü+&'.txt", "runs/1/a:b"]) {
      await files.put(key, body);
      expect(await files.get(key)).toEqual(body);
    }
    await files.putOnce("runs/1/blobs/a", new Uint8Array([1]));
    expect(await files.get("runs/1/blobs/a")).toEqual(body);
    await files.remove("runs/1/blobs/a");
    expect(await files.get("runs/1/blobs/a")).toBeUndefined();
    expect(hops.at(-1)).toMatchObject({ to: "s3", what: "GetObject runs/1/blobs/a", answer: "404" });
  });

  it("a missing key is reported as denied to callers that may not list the bucket", async () => {
    const [owner, name] = [resourceIn(deployed, "AWS::IAM::Role", EXECUTE).logicalId, storage.bucketName];
    const who = as(EXECUTE);
    expect(await filesOf(who).get("runs/1/missing")).toBeUndefined();
    const use = iam.ledger.uses.find(({ principal, action }) => principal === owner && action === "s3:ListBucket");
    expect(use).toBeDefined();
    if (use) iam.remove(...(use ? [use] : []));
    expect(await causeOf(filesOf(who).get("runs/1/missing"))).toBe(
      `User: ${who.arn} is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::${name}" because no identity-based policy allows the s3:ListBucket action`,
    );
    const head = new HeadObjectCommand({ Bucket: name, Key: "runs/1/missing" });
    await expect(s3Client(place(who)).send(head)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    iam.remove();
    await expect(s3Client(place(who)).send(head)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  });

  it("keys outside of runs/ are closed, and so is what a role only writes", async () => {
    const outside = new GetObjectCommand({ Bucket: storage.bucketName, Key: "other/1" });
    expect(await nameOf(s3Client(place(as(EXECUTE))).send(outside))).toBe("AccessDenied");
    const files = filesOf(as(RECORD_FAILURE));
    await files.put("runs/1/report.json", new Uint8Array([1]));
    expect(await causeOf(files.get("runs/1/report.json"))).toMatch(/s3:GetObject on resource/);
    const list = new ListObjectsV2Command({ Bucket: storage.bucketName, Prefix: "runs/" });
    expect(await nameOf(s3Client(place(as(RECORD_FAILURE))).send(list))).toBe("AccessDenied");
    expect((await s3Client(place(as(EXECUTE))).send(list)).KeyCount).toBeGreaterThan(0);
  });

  it("a deletion of many keys reports each denial", async () => {
    const command = new DeleteObjectsCommand({
      Bucket: storage.bucketName,
      Delete: { Objects: [{ Key: "runs/1/a&b" }] },
    });
    const { Errors } = await s3Client(place(as(RECORD_FAILURE))).send(command);
    expect(Errors).toMatchObject([{ Key: "runs/1/a&b", Code: "AccessDenied" }]);
    expect(await nameOf(filesOf(as(EXECUTE)).removeAll("runs/1/files/"))).toBe("done");
  });

  it("a presigned URL is its signer's, when it is used", async () => {
    const who = as(API);
    await filesOf(who).put("runs/1/packs/1.zip", new Uint8Array([80, 75]));
    const links = createPresigner({ client: s3Client(place(who)), bucket: storage.bucketName });
    const asked = { seconds: 900, fileName: "what it made.zip" };
    const url = await links.get("runs/1/packs/1.zip", asked);
    const answer = await fetch(url);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="what it made.zip"/);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([80, 75]));

    const owner = resourceIn(deployed, "AWS::IAM::Role", API).logicalId;
    const use = iam.ledger.uses.find(({ principal, action }) => principal === owner && action === "s3:GetObject");
    if (use) iam.remove(...(use ? [use] : []));
    expect((await fetch(url)).status).toBe(403);
    iam.remove();
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(await links.get("elsewhere/1.zip", asked))).status).toBe(403);
    expect((await fetch(url.replace("1.zip", "2.zip"))).status).toBe(403);
    clock = () => Date.now() + 901_000;
    const late = await fetch(url);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("Request has expired")]);
    clock = Date.now;
    iam.expire(who);
    expect(await (await fetch(url)).text()).toContain("ExpiredToken");
  });

  it("what is stored is what its checksum says, in a header or in a link", async () => {
    const who = as(EXECUTE);
    const put = { Bucket: storage.bucketName, Key: "runs/1/checked", Body: "content" };
    const wrong = new PutObjectCommand({ ...put, ChecksumCRC32: "AAAAAA==" });
    expect(await nameOf(s3Client(place(who)).send(wrong))).toBe("BadDigest");
    expect(await nameOf(s3Client(place(who)).send(new PutObjectCommand(put)))).toBe("done");
    // A client that is not made for links signs the checksum of nothing into them.
    const link = await getSignedUrl(
      s3Client(place(as(API))),
      new PutObjectCommand({ Bucket: put.Bucket, Key: put.Key }),
    );
    const uploaded = await fetch(link, { method: "PUT", body: "content" });
    expect([uploaded.status, await uploaded.text()]).toEqual([400, expect.stringContaining("BadDigest")]);
    const other = new PutObjectCommand({ ...put, ChecksumAlgorithm: "SHA1" });
    expect(await nameOf(s3Client(place(who)).send(other))).toBe("UnknownOperationException");
  });

  it("an upload's link takes the bytes that it was made for, once", async () => {
    const client = linkClient(place(as(API)));
    const links = createPresigner({ client, bucket: storage.bucketName });
    const { url, headers } = await links.put("runs/1/uploaded", { seconds: 900, bytes: 7 });
    const put = async (body: string, sent: Record<string, string> = headers) =>
      (await fetch(url, { method: "PUT", headers: sent, body })).status;
    expect(await put("too many")).toBe(403);
    expect(await put("content", {})).toBe(403);
    expect(await put("content")).toBe(200);
    expect(await put("another")).toBe(412);
  });

  it("the secret is there for those who may read it, without a value until it is set", async () => {
    const secretId = resourceIn(deployed, "AWS::SecretsManager::Secret").ref;
    const readerOf = (who: Principal) =>
      createSecretReader({ client: secretsClient(place(who)), secretId, clock: systemClock });
    expect(await readerOf(as(EXECUTE)).read()).toBeUndefined();
    secrets.set("a key");
    expect(await readerOf(as(EXECUTE)).read()).toBe("a key");
    expect(await causeOf(readerOf(as(SWEEP)).read())).toMatch(/secretsmanager:GetSecretValue on resource/);
  });

  it("executions and functions are asked through it", async () => {
    const machine = resourceIn(deployed, "AWS::StepFunctions::StateMachine");
    const startAs = (who: Principal) =>
      createExecutionStarter({ client: sfnClient(place(who)), stateMachineArn: machine.ref });
    await startAs(as(API)).start("RUN", 1);
    expect(JSON.parse(played.at(-1)?.body.toString() ?? "")).toMatchObject({ name: "RUN-1" });
    expect(await causeOf(startAs(as(EXECUTE)).start("RUN", 1))).toMatch(/states:StartExecution on resource/);
    expect(await nameOf(startAs(as(SWEEP)).find("RUN", 1))).toBe("done");
    expect(await causeOf(startAs(as(API)).find("RUN", 1))).toMatch(/states:DescribeExecution on resource/);

    const { ref: functionName } = resourceIn(deployed, "AWS::Lambda::Function", "EvaluatorFunction");
    const evaluator = (who: Principal) =>
      createLambdaEvaluator({ client: lambdaClient(place(who)), functionName, tenantIsolation: true });
    const base = { key: "packs/1.zip", load: async () => new Uint8Array([80, 75, 5, 6]) };
    const request = { runId: "RUN", base, changes: [], syntax: {}, install: false, timeoutMs: 1_000 };
    await nameOf(evaluator(as(EXECUTE)).evaluate(request));
    expect(played.at(-1)?.headers["x-amz-tenant-id"]).toBe("RUN");
    // It may be an update of the stack: the run waits.
    expect(await causeOf(evaluator(as(API)).evaluate(request))).toMatch(/may not call the evaluator that it knows/);
  });

  it("code in the evaluator can do nothing, though a policy of its role allows it to Lambda", async () => {
    const who = as("EvaluatorRole");
    expect(await causeOf(tableOf(who).get({ pk: "a", sk: "b" }))).toMatch(
      /dynamodb:GetItem on resource: \S+ with an explicit deny in an identity-based policy$/,
    );
    const network = { action: "ec2:CreateNetworkInterface", resource: "*" };
    expect(iam.authorise(who, [network])).toBeUndefined();
  });

  it("unknown callers, unsigned requests and unknown operations are refused", async () => {
    const unknown = { ...as(API), credentials: { accessKeyId: "AKIANOBODY", secretAccessKey: "no" } };
    const key = { pk: { S: "a" }, sk: { S: "b" } };
    expect(
      await nameOf(dynamoClient(place(unknown)).send(new GetItemCommand({ TableName: storage.tableName, Key: key }))),
    ).toBe("UnrecognizedClientException");
    expect((await fetch(`${proxy.endpoint}/${storage.bucketName}/runs/1/report.json`)).status).toBe(403);
    const tagged = new PutObjectCommand({ Bucket: storage.bucketName, Key: "runs/1/a", Body: "a", Tagging: "a=b" });
    expect(await nameOf(s3Client(place(as(API))).send(tagged))).toBe("UnknownOperationException");
    expect(proxy.failures).toEqual([]);
  });

  it("an item that occurs twice in a transaction is refused as DynamoDB does", async () => {
    const put = { Put: { TableName: storage.tableName, Item: { pk: { S: "a" }, sk: { S: "b" } } } };
    const command = new TransactWriteItemsCommand({ TransactItems: [put, put] });
    await expect(dynamoClient(place(as(API))).send(command)).rejects.toMatchObject({
      name: "ValidationException",
      message: "Transaction request cannot include multiple operations on one item",
    });
  });

  it("answers thousands of requests in seconds", async () => {
    const table = tableOf(as(EXECUTE));
    const before = process.cpuUsage();
    for (let round = 0; round < 40; round += 1)
      await Promise.all(Array.from({ length: 25 }, () => table.get({ pk: "RUN#1", sk: "META" })));
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});
