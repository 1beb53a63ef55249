/** What an account brings itself: a network, a key, a boundary, endpoints. Each alone, and all together. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

const KEY = "arn:aws:kms:us-east-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef";
const BOUNDARY = "arn:aws:iam::111122223333:policy/teams/Boundary";
const NETWORK = { vpcId: "vpc-0123456789abcdef0", subnetIds: ["subnet-0123456789abcdef0", "subnet-0fedcba9876543210"] };
const ENDPOINTS = ["vpce-0123456789abcdef0", "vpce-0fedcba9876543210"];

const evaluatorOf = ({ ofType }: SynthesisedStack) =>
  ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("EvaluatorFunction"))?.[1].Properties ?? {};

describe("a network of the account", () => {
  it("takes the evaluator into its subnets, with a group of the stack that lets nothing out, and creates no other", () => {
    const stack = synthesise({ evaluator: NETWORK }, { nag: true });
    const made = Object.entries(stack.resources).filter(([, { Type }]) => Type.startsWith("AWS::EC2::"));
    expect(made.map(([, { Type }]) => Type)).toEqual(["AWS::EC2::SecurityGroup"]);
    const [[id = "", group] = []] = made;
    expect(group?.Properties).toMatchObject({
      VpcId: NETWORK.vpcId,
      SecurityGroupEgress: [{ CidrIp: "255.255.255.255/32", IpProtocol: "icmp" }],
    });
    expect(evaluatorOf(stack).VpcConfig).toEqual({
      SubnetIds: NETWORK.subnetIds,
      SecurityGroupIds: [{ "Fn::GetAtt": [id, "GroupId"] }],
    });
    expect(JSON.stringify(stack.ofType("AWS::IAM::Role"))).toContain("ec2:CreateNetworkInterface");
  });

  it("may bring its own security group, which the stack leaves alone", () => {
    const securityGroupId = "sg-0123456789abcdef0";
    const stack = synthesise({ evaluator: { ...NETWORK, securityGroupId } }, { nag: true });
    expect(Object.values(stack.resources).filter(({ Type }) => Type.startsWith("AWS::EC2::"))).toEqual([]);
    expect(evaluatorOf(stack).VpcConfig).toMatchObject({ SecurityGroupIds: [securityGroupId] });
  });
});

describe("a key of the account", () => {
  let stack: SynthesisedStack;
  beforeAll(() => {
    const webhook = { url: "https://hooks.example.org/" };
    stack = synthesise({ kmsKeyArn: KEY, webhook, alarmMail: "somebody@example.org" }, { nag: true });
  });
  const propertiesOf = (type: string): ({ id: string } & Record<string, unknown>)[] =>
    stack.ofType(type).map(([id, { Properties }]) => ({ id, ...Properties }));

  it("encrypts the table, the files, secrets, logs, the topic and the queue", () => {
    expect(propertiesOf("AWS::DynamoDB::Table")).toMatchObject([
      { SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: KEY } },
    ]);
    const algorithms = propertiesOf("AWS::S3::Bucket").map(({ id, BucketEncryption }) => {
      const [rule] = Object(BucketEncryption).ServerSideEncryptionConfiguration;
      const { SSEAlgorithm, KMSMasterKeyID = "" } = rule.ServerSideEncryptionByDefault;
      return `${id.slice(0, -8)} ${SSEAlgorithm} ${KMSMasterKeyID}`.trim();
    });
    expect(algorithms.toSorted()).toEqual(["StorageAccessLog AES256", `StorageFiles aws:kms ${KEY}`]);
    for (const type of ["AWS::SecretsManager::Secret", "AWS::Logs::LogGroup"]) {
      const found = propertiesOf(type);
      expect(found.length).toBeGreaterThan(1);
      for (const { id, KmsKeyId } of found) expect([id, KmsKeyId]).toEqual([id, KEY]);
    }
    expect(propertiesOf("AWS::SNS::Topic")).toMatchObject([{ KmsMasterKeyId: KEY }]);
    expect(propertiesOf("AWS::SQS::Queue")).toMatchObject([{ KmsMasterKeyId: KEY }]);
  });

  it("is used by every function through the services that store for it, and by the evaluator not at all", () => {
    const statements = [...stack.ofType("AWS::IAM::Policy"), ...stack.ofType("AWS::IAM::Role")].flatMap(([id, it]) => {
      const text = JSON.stringify(it.Properties);
      return text.includes("kms:") ? [{ id: id.replace(/Role.*/, ""), text }] : [];
    });
    expect(statements.map(({ id }) => id).toSorted()).toEqual([
      ...["ApiFunction", "ControlUnitDeliver", "ControlUnitExecute", "ControlUnitPlan", "ControlUnitRecordFailure"],
      ...["NotifierNotify", "SweeperSweep"],
    ]);
    for (const { text } of statements) {
      expect(text).toContain('"kms:ViaService"');
      expect(text).not.toMatch(/kms:\*|kms:[A-Za-z]+\*/);
    }
  });
});

it("a key in China is used through services under either suffix of their names", () => {
  const { ofType } = synthesise({ kmsKeyArn: KEY.replace(":aws:", ":aws-cn:").replace("us-east-1", "cn-north-1") });
  const text = JSON.stringify(ofType("AWS::IAM::Policy").concat(ofType("AWS::IAM::Role")));
  for (const suffix of [".amazonaws.com", ".amazonaws.com.cn"]) {
    expect(text).toContain(`["",["secretsmanager.",{"Ref":"AWS::Region"},"${suffix}"]]`);
  }
});

it("a permissions boundary bounds every role", () => {
  const roles = synthesise({ permissionsBoundary: BOUNDARY }, { nag: true }).ofType("AWS::IAM::Role");
  expect(roles.length).toBeGreaterThan(10);
  for (const [id, { Properties }] of roles) expect([id, Properties.PermissionsBoundary]).toEqual([id, BOUNDARY]);
});

describe("a private API", () => {
  it("is reached through its endpoints only, by callers of the account that are allowed to", () => {
    const stack = synthesise({ api: { private: { vpcEndpointIds: ENDPOINTS } } }, { nag: true });
    const [[, rest] = []] = stack.ofType("AWS::ApiGateway::RestApi");
    expect(rest?.Properties.EndpointConfiguration).toEqual({ Types: ["PRIVATE"], VpcEndpointIds: ENDPOINTS });
    const { Statement } = Object(rest?.Properties.Policy) as { Statement: Record<string, unknown>[] };
    const on = { Action: "execute-api:Invoke", Resource: "execute-api:/*" };
    expect(Statement).toEqual([
      // The account: everyone (`*`) would need no permission of their own.
      { ...on, Effect: "Allow", Principal: { AWS: expect.objectContaining({ "Fn::Join": expect.anything() }) } },
      {
        ...{ ...on, Effect: "Deny", Principal: { AWS: "*" } },
        Condition: { StringNotEquals: { "aws:SourceVpce": ENDPOINTS } },
      },
    ]);
    expect(JSON.stringify(Statement[0])).toContain(":root");
    for (const [, { Properties }] of stack.ofType("AWS::ApiGateway::Method"))
      expect(Properties.AuthorizationType).toBe("AWS_IAM");
    const address = JSON.stringify(stack.template.findOutputs("ApiUrl"));
    expect(address).toContain(`-${ENDPOINTS[0]}.execute-api.`);
  });
});

it("all of them go together", () => {
  // CI also checks the template of this with cfn-lint.
  const all = JSON.parse(readFileSync(new URL("account-fields.json", import.meta.url), "utf8"));
  expect(all).toMatchObject({ kmsKeyArn: KEY, permissionsBoundary: BOUNDARY, evaluator: NETWORK });
  expect(() => synthesise(all, { nag: true })).not.toThrow();
});
