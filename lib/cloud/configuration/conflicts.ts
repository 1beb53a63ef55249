/** Fields that cannot work together, or not in the region: found on the values as given, whatever else is wrong. Pure. */
import type { Problem } from "../config-problems.ts";
import { regionProblem, withoutTenants } from "./regions.ts";

/** One rule: undefined where it is kept. */
type Rule = (config: Given, region: string | undefined) => string | undefined;

/** The values as given, without their defaults. */
interface Given {
  at(field: string): unknown;
  text(field: string): string | undefined;
}

const RULES: [field: string, rule: Rule][] = [
  [
    "stackName",
    ({ at }) => (at("stackName") === "CDKToolkit" ? 'stackName "CDKToolkit" is the stack of CDK itself.' : undefined),
  ],
  [
    "bedrockModels",
    ({ at }) =>
      at("baseUrl") !== undefined && Object(at("bedrockModels")).length > 0
        ? 'bedrockModels is a list of models of Amazon Bedrock, without a "baseUrl" beside it: there, such names are those of its own models.'
        : undefined,
  ],
  [
    "bedrockModels",
    ({ at }, region) =>
      region?.startsWith("cn-") && Object(at("bedrockModels")).length > 0
        ? `bedrockModels cannot be used in ${region}: there is no Amazon Bedrock. Set baseUrl and a key.`
        : undefined,
  ],
  [
    "webhook.url",
    ({ at }) =>
      at("webhook") !== undefined && at("webhook.url") === undefined && at("webhook.format") !== "slack"
        ? 'webhook.url is missing: an address, https://…; only with "format": "slack" it can be set after the deployment, as a secret.'
        : undefined,
  ],
  [
    "webhook.url",
    ({ at, text }) =>
      text("webhook.url")?.startsWith("http:") && at("webhook.allowPrivate") !== true
        ? "webhook.url must be an https address: http is for loopback only, with webhook.allowPrivate."
        : undefined,
  ],
  ["evaluator.vpcId", ({ at }) => withoutNetwork(at, "evaluator.vpcId")],
  [
    "evaluator.vpcId",
    ({ at }) =>
      at("evaluator.vpcId") !== undefined && at("evaluator.subnetIds") === undefined
        ? "evaluator.vpcId needs evaluator.subnetIds: the isolated subnets of the VPC that the evaluator may use."
        : undefined,
  ],
  ["evaluator.subnetIds", ({ at }) => needs(at, "evaluator.subnetIds", "evaluator.vpcId")],
  ["evaluator.securityGroupId", ({ at }) => needs(at, "evaluator.securityGroupId", "evaluator.vpcId")],
  [
    "evaluator.zones",
    ({ at }) =>
      at("evaluator.zones") !== undefined && at("evaluator.vpcId") !== undefined
        ? "evaluator.zones are those of the stack's own network; with evaluator.vpcId the subnets decide."
        : undefined,
  ],
  ["evaluator.zones", ({ at }) => withoutNetwork(at, "evaluator.zones")],
  [
    "evaluator.zones",
    ({ at }, region) => {
      const zones = at("evaluator.zones");
      const strange = Array.isArray(zones)
        ? zones.find((zone) => typeof zone === "string" && region !== undefined && !zone.startsWith(region))
        : undefined;
      return strange === undefined ? undefined : `evaluator.zones: ${strange} is not a zone of ${region}.`;
    },
  ],
  [
    "evaluator.tenants",
    ({ at }, region) =>
      region !== undefined && withoutTenants(region) && at("evaluator.tenants") !== false
        ? `evaluator.tenants must be false in ${region}: Lambda has no tenant isolation there.`
        : undefined,
  ],
  [
    "evaluator.build",
    ({ at }) =>
      at("evaluator.build") !== undefined && at("evaluator.image") !== undefined
        ? 'evaluator.build cannot be used with an "evaluator.image": that image is built already.'
        : undefined,
  ],
  ["kmsKeyArn", ({ text }, region) => elsewhere("kmsKeyArn", text("kmsKeyArn")?.split(":")[3], region)],
  ["signing.kms", ({ text }, region) => elsewhere("signing.kms", text("signing.kms")?.split(":")[3], region)],
  [
    "signing.kms",
    ({ text }) =>
      text("signing.kms") !== undefined && text("signing.kms") === text("kmsKeyArn")
        ? "signing.kms is the key of kmsKeyArn, which encrypts: a key of KMS either encrypts or signs."
        : undefined,
  ],
  [
    "tags",
    ({ at }) =>
      Object.keys(Object(at("tags"))).length > 48
        ? "tags has more than 48 fields: a resource of AWS has at most 50 tags, and CDK and this stack set their own."
        : undefined,
  ],
  [
    "tags",
    ({ at }) =>
      Object.hasOwn(Object(at("tags")), "l2mac:stack") ? "tags: l2mac:stack is set by the stack itself." : undefined,
  ],
];

const withoutNetwork = (at: Given["at"], field: string): string | undefined =>
  at(field) !== undefined && at("evaluator.vpc") === false
    ? `${field} cannot be used with evaluator.vpc: false, which leaves the network out.`
    : undefined;

const needs = (at: Given["at"], field: string, other: string): string | undefined =>
  at(field) !== undefined && at(other) === undefined ? `${field} needs ${other}.` : undefined;

const elsewhere = (field: string, of: string | undefined, region: string | undefined): string | undefined =>
  of !== undefined && region !== undefined && of !== region
    ? `${field} is in ${of}; the stack is deployed to ${region}, and needs a key there.`
    : undefined;

export function conflictsIn(given: unknown, region: string | undefined): Problem[] {
  const at = (field: string): unknown => field.split(".").reduce<unknown>((found, name) => Object(found)[name], given);
  const text = (field: string): string | undefined => {
    const value = at(field);
    return typeof value === "string" ? value : undefined;
  };
  const unknown = region === undefined ? undefined : regionProblem(region);
  return [
    ...(unknown === undefined ? [] : [{ path: [], says: unknown }]),
    ...RULES.flatMap(([field, rule]) => {
      const says = rule({ at, text }, region);
      return says === undefined ? [] : [{ path: field.split("."), says }];
    }),
  ];
}
