/** Which actions a request needs, for each service that the deployed functions call. */
import { describe, expect, it } from "vitest";
import type { DeployedResource, WireRequest } from "../parts.ts";
import { isProblem } from "./operation.ts";
import { isServiceName, OPERATIONS, type ServiceName } from "./operations.ts";

const SECRET = "arn:aws:secretsmanager:eu-central-1:1:secret:Key-AbCdEf";
const TABLE = "arn:aws:dynamodb:eu-central-1:1:table/registry";
const declared: DeployedResource[] = [
  { logicalId: "Key", type: "AWS::SecretsManager::Secret", ref: SECRET, properties: {} },
  {
    ...{ logicalId: "Table", type: "AWS::DynamoDB::Table", ref: "registry", arn: TABLE },
    properties: { KeySchema: [{ AttributeName: "pk" }, { AttributeName: "sk" }] },
  },
];
const place = {
  ...{ partition: "aws", region: "eu-central-1", account: "1" },
  resources: Object.fromEntries(declared.map((resource) => [resource.logicalId, resource])),
};

const request = (
  method: string,
  target: string,
  given: { headers?: Record<string, string>; body?: unknown } = {},
): WireRequest => {
  const { headers = {}, body = "" } = given;
  return { method, target, headers, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) };
};

/** A request of a protocol that names its operation in a header. */
const named = (target: string, body: unknown, version = "1.0") =>
  request("POST", "/", {
    headers: { "x-amz-target": target, "content-type": `application/x-amz-json-${version}` },
    body,
  });

/** `Name: action on resource, …`, or the problem's code and message. */
function read(service: ServiceName, asked: WireRequest): string {
  const operation = OPERATIONS[service](asked, place);
  if (isProblem(operation)) return `${operation.code}: ${operation.message}`;
  const asks = operation.asks.map(
    ({ action, resource, context }) => `${action} on ${resource}${context ? ` with ${JSON.stringify(context)}` : ""}`,
  );
  return `${operation.name}: ${asks.join(", ")}`;
}

describe("DynamoDB", () => {
  const asked = (operation: string, body: Record<string, unknown>) =>
    read("dynamodb", named(`DynamoDB_20120810.${operation}`, { TableName: "registry", ...body }));
  const key = (sk: string) => ({ pk: { S: "RUN#1" }, sk: { S: sk } });
  const on = (sk: string) => ({ TableName: "registry", Key: key(sk) });

  it.each(["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query"])("%s needs itself on the table", (name) => {
    expect(asked(name, {})).toBe(`${name}: dynamodb:${name} on ${TABLE}`);
  });

  it("a query of an index needs the index, and not the table", () => {
    expect(asked("Query", { IndexName: "owner" })).toBe(`Query: dynamodb:Query on ${TABLE}/index/owner`);
  });

  it("a table may be named by its ARN", () => {
    expect(asked("GetItem", { TableName: TABLE })).toBe(`GetItem: dynamodb:GetItem on ${TABLE}`);
  });

  it("a transaction needs the actions of its items, each once", () => {
    const TransactItems = [
      ...[
        { Put: { TableName: "registry", Item: { ...key("1"), n: { N: "1" } } } },
        { Update: on("2") },
        { Update: on("3") },
      ],
      ...[{ Delete: on("4") }, { ConditionCheck: on("5") }],
    ];
    const actions = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"].map(
      (name) => `dynamodb:${name} on ${TABLE}`,
    );
    expect(asked("TransactWriteItems", { TransactItems })).toBe(`TransactWriteItems: ${actions.join(", ")}`);
    expect(asked("TransactGetItems", { TransactItems: [{ Get: on("1") }, { Get: on("2") }] })).toBe(
      `TransactGetItems: dynamodb:GetItem on ${TABLE}`,
    );
  });

  it("a transaction names no item twice, whatever it does to it, and at most a hundred", () => {
    const twice = [
      { Put: { TableName: "registry", Item: { ...key("1"), n: { N: "1" } } } },
      { ConditionCheck: { TableName: TABLE, Key: key("1") } },
    ];
    expect(asked("TransactWriteItems", { TransactItems: twice })).toBe(
      "ValidationException: Transaction request cannot include multiple operations on one item",
    );
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ Update: on(String(at)) }));
    expect(asked("TransactWriteItems", { TransactItems: many(100) })).toBe(
      `TransactWriteItems: dynamodb:UpdateItem on ${TABLE}`,
    );
    expect(asked("TransactWriteItems", { TransactItems: many(101) })).toMatch(
      /^ValidationException: .*less than or equal to 100$/,
    );
    expect(asked("TransactWriteItems", {})).toMatch(/^ValidationException/);
  });

  it("refuses operations and items that it does not know", () => {
    for (const name of ["Scan", "BatchWriteItem", "DeleteTable", "ExecuteStatement", "toString"])
      expect(asked(name, {})).toMatch(/^UnknownOperationException: The rehearsal does not know DynamoDB's/);
    expect(asked("TransactWriteItems", { TransactItems: [{ Get: on("1") }] })).toMatch(/^UnknownOperationException/);
    expect(read("dynamodb", request("POST", "/", { body: {} }))).toMatch(/^UnknownOperationException/);
    expect(read("dynamodb", named("DynamoDB_20120810.GetItem", "no json"))).toMatch(/^SerializationException/);
    expect(read("dynamodb", named("AWSStepFunctions.StartExecution", {}))).toMatch(/^UnknownOperationException/);
  });
});

describe("S3", () => {
  const BUCKET = "arn:aws:s3:::files";
  it.each([
    ["GET", "/files/runs/1/a%20b/%C3%BC?x-id=GetObject", `GetObject: s3:GetObject on ${BUCKET}/runs/1/a b/ü`],
    ["GET", "/files/runs/1?versionId=3", `GetObject: s3:GetObjectVersion on ${BUCKET}/runs/1`],
    [
      "GET",
      "/files/runs/1?response-content-disposition=attachment&X-Amz-Signature=0&X-Amz-Expires=9",
      `GetObject: s3:GetObject on ${BUCKET}/runs/1`,
    ],
    ["HEAD", "/files/runs/1", `HeadObject: s3:GetObject on ${BUCKET}/runs/1`],
    ["PUT", "/files/runs/1?x-id=PutObject", `PutObject: s3:PutObject on ${BUCKET}/runs/1`],
    ["DELETE", "/files/runs/1?x-id=DeleteObject", `DeleteObject: s3:DeleteObject on ${BUCKET}/runs/1`],
    ["DELETE", "/files/runs/1?versionId=3", `DeleteObject: s3:DeleteObjectVersion on ${BUCKET}/runs/1`],
    ["POST", "/files/runs/1?uploads=", `CreateMultipartUpload: s3:PutObject on ${BUCKET}/runs/1`],
    ["PUT", "/files/runs/1?partNumber=1&uploadId=u", `UploadPart: s3:PutObject on ${BUCKET}/runs/1`],
    ["POST", "/files/runs/1?uploadId=u", `CompleteMultipartUpload: s3:PutObject on ${BUCKET}/runs/1`],
    ["DELETE", "/files/runs/1?uploadId=u", `AbortMultipartUpload: s3:AbortMultipartUpload on ${BUCKET}/runs/1`],
    ["GET", "/files/runs/1?uploadId=u", `ListParts: s3:ListMultipartUploadParts on ${BUCKET}/runs/1`],
    [
      "GET",
      "/files/?list-type=2&prefix=runs%2F1",
      `ListObjectsV2: s3:ListBucket on ${BUCKET} with {"s3:prefix":"runs/1"}`,
    ],
    ["GET", "/files?list-type=2", `ListObjectsV2: s3:ListBucket on ${BUCKET} with {}`],
  ])("%s %s", (method, target, expected) => {
    expect(read("s3", request(method, target))).toBe(expected);
  });

  it("a write that must be the first tells so", () => {
    expect(read("s3", request("PUT", "/files/runs/1", { headers: { "if-none-match": "*" } }))).toBe(
      `PutObject: s3:PutObject on ${BUCKET}/runs/1 with {"s3:if-none-match":"*"}`,
    );
  });

  it("a deletion of many keys needs each of them", () => {
    const body =
      "<Delete><Object><Key>runs/1/a&amp;b</Key></Object><Object><Key>runs/&#252;</Key><VersionId>3</VersionId></Object></Delete>";
    expect(read("s3", request("POST", "/files/?delete=", { body }))).toBe(
      `DeleteObjects: s3:DeleteObject on ${BUCKET}/runs/1/a&b, s3:DeleteObjectVersion on ${BUCKET}/runs/ü`,
    );
    expect(() => read("s3", request("POST", "/files/?delete=", { body: "<Delete/>" }))).toThrow(
      "A deletion names no keys",
    );
  });

  it.each([
    ["GET", "/files/runs/1?acl="],
    ["PUT", "/files/runs/1?tagging="],
    ["GET", "/files/"],
    ["GET", "/"],
    ["PUT", "/files"],
    ["DELETE", "/files"],
    ["GET", "/files?versions="],
    ["POST", "/files/runs/1"],
    ["PATCH", "/files/runs/1"],
  ])("refuses %s %s, which it does not know", (method, target) => {
    expect(read("s3", request(method, target))).toMatch(/^UnknownOperationException: The rehearsal does not know S3's/);
  });

  it.each(["x-amz-acl", "x-amz-copy-source", "x-amz-tagging", "x-amz-grant-read"])(
    "refuses a write with %s, which needs an action more",
    (header) => {
      expect(read("s3", request("PUT", "/files/runs/1", { headers: { [header]: "x" } }))).toContain(`with ${header}`);
    },
  );
});

describe("Secrets Manager", () => {
  const asked = (SecretId: string, name = "GetSecretValue") =>
    read("secretsmanager", named(`secretsmanager.${name}`, { SecretId }, "1.1"));
  it("identifies a secret by its ARN, also if the request uses its name", () => {
    for (const id of [SECRET, "Key"])
      expect(asked(id)).toBe(`GetSecretValue: secretsmanager:GetSecretValue on ${SECRET}`);
    expect(asked("Other")).toBe(
      "GetSecretValue: secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:1:secret:Other",
    );
    expect(asked(SECRET, "PutSecretValue")).toMatch(/^UnknownOperationException/);
  });
});

describe("Lambda", () => {
  const FUNCTION = "arn:aws:lambda:eu-central-1:1:function:evaluator";
  const invoke = (named: string, headers = {}) =>
    read("lambda", request("POST", `/2015-03-31/functions/${encodeURIComponent(named)}/invocations`, { headers }));
  it("identifies a function by its ARN, also if the request uses its name", () => {
    for (const name of ["evaluator", "function:evaluator", FUNCTION])
      expect(invoke(name)).toBe(`Invoke: lambda:InvokeFunction on ${FUNCTION}`);
    expect(invoke("111122223333:function:other")).toContain("arn:aws:lambda:eu-central-1:111122223333:function:other");
  });
  it("refuses what does not wait, other versions, and other operations", () => {
    expect(invoke("evaluator", { "x-amz-invocation-type": "Event" })).toMatch(/^UnknownOperationException/);
    expect(read("lambda", request("POST", "/2015-03-31/functions/f/invocations?Qualifier=1"))).toMatch(
      /^UnknownOperationException/,
    );
    expect(read("lambda", request("GET", "/2015-03-31/functions/f"))).toMatch(/^UnknownOperationException/);
  });
});

describe("Step Functions", () => {
  const asked = (name: string, body: unknown) => read("states", named(`AWSStepFunctions.${name}`, body));
  it("needs the state machine to start, and the execution to look", () => {
    expect(asked("StartExecution", { stateMachineArn: "arn:machine", name: "RUN-1" })).toBe(
      "StartExecution: states:StartExecution on arn:machine",
    );
    expect(asked("DescribeExecution", { executionArn: "arn:execution" })).toBe(
      "DescribeExecution: states:DescribeExecution on arn:execution",
    );
  });
  it("refuses other operations, and requests that say too little", () => {
    expect(asked("StopExecution", { executionArn: "arn:execution" })).toMatch(/^UnknownOperationException/);
    expect(asked("StartExecution", {})).toMatch(/^UnknownOperationException/);
  });
});

it("a service that is not played is none", () => {
  expect(["dynamodb", "s3", "sts", "toString"].map(isServiceName)).toEqual([true, true, false, false]);
});
