/** What cannot work in l2mac.cloud.json: named before anything is synthesised, all at once, with the lines of the file. */
import { describe, expect, it } from "vitest";
import { type ConfigOrigin, readCloudConfig } from "../../lib/cloud/config.ts";
import { configWarnings } from "../../lib/cloud/configuration/warnings.ts";
import { UserError } from "../../lib/core/errors.ts";
import { GLOBAL_MODEL } from "../../lib/core/text/bedrock-access.ts";
import { bedrockModelIn } from "../../lib/model/default-model.ts";
import { isKnownModel } from "../../lib/model/known-models.ts";

function problemsOf(source: unknown, origin?: ConfigOrigin): string[] {
  try {
    readCloudConfig([source], origin);
  } catch (error) {
    if (error instanceof UserError) return error.message.split("\n").slice(1);
    throw error;
  }
  return [];
}

const file = (...lines: string[]): string => ["{", ...lines, "}"].join("\n");
const VPC = "vpc-0123456789abcdef0";
const SUBNETS = ["subnet-0123456789abcdef0", "subnet-0fedcba9876543210"];
const KEY = "arn:aws:kms:eu-west-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef";

describe("a file with problems", () => {
  it("has all of them named at once, each with its line, in the order of the file", () => {
    const text = file(
      '  "modle": "m",',
      '  "evaluator": {',
      '    "vpc": "yes",',
      '    "zones": ["eu-west-1a", "nowhere"],',
      '    "subnetIds": ["subnet-0123456789abcdef0"]',
      "  },",
      '  "webhook": {},',
      '  "alarmMail": "somebody"',
    );
    expect(problemsOf(text)).toEqual([
      "line 2: There is no field modle. Did you mean model?",
      'line 4: evaluator.vpc is true or false; "yes" is not.',
      'line 5: evaluator.zones is a list of zones of the region, such as eu-west-1a; "nowhere" is not.',
      "line 6: evaluator.subnetIds needs evaluator.vpcId.",
      expect.stringMatching(/^line 8: webhook\.url is missing: an address/),
      'line 9: alarmMail is a mail address; "somebody" is not.',
    ]);
  });

  it("names a field that is there twice, of which JSON keeps the last without a word", () => {
    expect(problemsOf(file('  "keepData": true,', '  "keepData": false'))).toEqual([
      "line 3: a field is there twice; remove one of them.",
    ]);
  });

  it("names no line for what comes from a flag or from cdk's context", () => {
    const read = () => readCloudConfig([file('  "model": "m"'), { evaluator: { image: "foo" } }]);
    expect(read).toThrow(/\nevaluator\.image is ACCOUNT/);
  });
});

describe("what cannot be combined", () => {
  it.each([
    [
      { evaluator: { vpcId: VPC, subnetIds: SUBNETS, vpc: false } },
      /^evaluator\.vpcId cannot be used with evaluator\.vpc/,
    ],
    [{ evaluator: { vpcId: VPC } }, /^evaluator\.vpcId needs evaluator\.subnetIds/],
    [{ evaluator: { securityGroupId: "sg-01234567" } }, /^evaluator\.securityGroupId needs evaluator\.vpcId/],
    [
      { evaluator: { vpcId: VPC, subnetIds: SUBNETS, zones: ["eu-west-1a"] } },
      /^evaluator\.zones are those of the stack's own/,
    ],
    [{ evaluator: { vpc: false, zones: ["eu-west-1a"] } }, /^evaluator\.zones cannot be used/],
    [{ api: { private: {} } }, /^api\.private\.vpcEndpointIds is missing: a list of interface endpoints/],
    [{ api: { private: { vpcEndpointIds: [] } } }, /^api\.private\.vpcEndpointIds is a list of interface/],
    [{ api: { private: true } }, /^api\.private is an object of fields; true is not/],
    [{ kmsKeyArn: "alias/mine" }, /^kmsKeyArn is the ARN of a key/],
    [{ permissionsBoundary: "Boundary" }, /^permissionsBoundary is the ARN of a managed policy/],
    [{ webhook: { format: "teams", url: "https://example.org" } }, /^webhook\.format is json or slack; "teams" is not/],
    [{ webhook: { url: "http://hooks.example.org" } }, /^webhook\.url must be an https address/],
    [{ stackName: "CDKToolkit" }, /is the stack of CDK itself/],
    [{ tags: { "l2mac:stack": "mine" } }, /^tags: l2mac:stack is set by the stack itself/],
    [{ tags: Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`t${at}`, ""])) }, /^tags has more than 48/],
    [{ baseUrl: "https://x.org", bedrockModels: ["bedrock/amazon.nova-pro-v1:0"] }, /^bedrockModels is a list/],
  ])("%j", (source, says) => {
    expect(problemsOf(source)).toEqual([expect.stringMatching(says)]);
  });

  it.each([
    { evaluator: { vpcId: VPC, subnetIds: SUBNETS, securityGroupId: "sg-0123456789abcdef0" } },
    { api: { private: { vpcEndpointIds: ["vpce-0123456789abcdef0"] } } },
    { kmsKeyArn: KEY, permissionsBoundary: "arn:aws:iam::111122223333:policy/teams/Boundary" },
    { webhook: { format: "slack" } },
  ])("and what can: %j", (source) => {
    expect(problemsOf(source, { region: "eu-west-1" })).toEqual([]);
    // As `l2mac deploy` passes it on to cdk, with all defaults.
    expect(problemsOf(JSON.parse(JSON.stringify(readCloudConfig([source]))), { region: "eu-west-1" })).toEqual([]);
  });
});

describe("what the region does not have", () => {
  it.each([
    ["us-gov-west-1", {}, /^evaluator\.tenants must be false in us-gov-west-1/],
    ["ap-southeast-6", {}, /^evaluator\.tenants must be false/],
    [
      "cn-north-1",
      { evaluator: { tenants: false }, bedrockModels: ["bedrock/amazon.nova-pro-v1:0"] },
      /no Amazon Bedrock/,
    ],
    ["eu-west1", {}, /^There is no region eu-west1\. Did you mean eu-west-1\?$/],
    ["us-iso-east-1", {}, /partition of AWS that is not supported/],
    ["eu-west-3", { kmsKeyArn: KEY }, /^kmsKeyArn is in eu-west-1; the stack is deployed to eu-west-3/],
    ["eu-west-3", { evaluator: { zones: ["eu-west-1a"] } }, /^evaluator\.zones: eu-west-1a is not a zone of eu-west-3/],
  ])("%s, %j", (region, source, says) => {
    expect(problemsOf(source, { region })).toEqual([expect.stringMatching(says)]);
  });

  it("is nothing in a region that is newer than this program", () => {
    expect(problemsOf({}, { region: "ap-southeast-8" })).toEqual([]);
  });
});

describe("what an account may refuse, or was probably not meant", () => {
  const warned = (source: unknown, region?: string) =>
    configWarnings(readCloudConfig([source]), { region, isKnown: isKnownModel, ownModel: bedrockModelIn(region) });
  it.each([
    [{ bedrockModels: ["bedrock/eu.anthropic.claude-sonet-4-6"] }, "eu-west-1", /is not in the table of known models/],
    [{ bedrockModels: ["bedrock/eu.anthropic.claude-sonnet-4-6"] }, "us-east-1", /us-east-1 probably cannot call it/],
    [{ evaluator: { memoryMb: 4_096 } }, undefined, /new accounts allow 3008/],
    [{ program: "program.md", loopLimit: 2_000 }, undefined, /^program has no effect: .* executes every program\.$/],
    [{ alarmSpendPerHourUsd: 50, dailyUsd: 10 }, undefined, /its alarm is never raised/],
    [{ baseUrl: "http://localhost:11434/v1" }, undefined, /baseUrl is the address of this computer/],
    [
      { webhook: { format: "slack", url: "https://hooks.slack.com/services/T/B/x" } },
      undefined,
      /the template contains it/,
    ],
    [{ git: { allowPrivate: true } }, undefined, /git\.allowPrivate has no effect on AWS/],
    [
      { webhook: { url: "https://hooks.example.org", allowPrivate: true } },
      undefined,
      /webhook\.allowPrivate has no effect on AWS/,
    ],
  ])("%j in %s", (source, region, says) => {
    expect(warned(source, region)).toEqual([expect.stringMatching(says)]);
  });

  it("is a region without a default model, for which a profile is named where there may be one", () => {
    const [note = ""] = warned({}, "sa-east-1");
    expect(note).toMatch(/^No default model is known in sa-east-1: runs must name one/);
    expect(note).toContain(`"bedrockModels": ["${GLOBAL_MODEL}"]`);
    expect(note).toMatch(/if Bedrock offers it in sa-east-1/);
    expect(warned({}, "us-gov-west-1")).toEqual([expect.not.stringContaining("global.")]);
    for (const chosen of [{ bedrockModels: [] }, { model: "gpt-5" }, { baseUrl: "https://models.example.org/v1" }])
      expect(warned(chosen, "sa-east-1")).toEqual([]);
    expect([warned({}, "us-east-1"), warned({})]).toEqual([[], []]);
  });

  it("is nothing in an ordinary configuration", () => {
    expect(warned({ bedrockModels: ["bedrock/eu.anthropic.claude-sonnet-4-6"] }, "eu-west-1")).toEqual([]);
  });
});
