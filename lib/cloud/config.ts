/** The configuration of a deployment: read from `l2mac.cloud.json` and cdk's context, and validated. */
import * as z from "zod";
import { UserError } from "../core/errors.ts";
import { WebhookTarget } from "../core/notification/webhook.ts";
import { BEDROCK_MODEL } from "./bedrock-models.ts";
import { jsonProblem, type Problem, problemsIn, RETENTION_DAYS } from "./config-problems.ts";
import { conflictsIn } from "./configuration/conflicts.ts";
import { duplicatesIn, lineIn } from "./configuration/positions.ts";

const Architecture = z.enum(["arm64", "x86_64"]);
export type Architecture = z.infer<typeof Architecture>;

const ec2Id = (kind: string) => z.string().regex(new RegExp(`^${kind}-([0-9a-f]{8}|[0-9a-f]{17})$`));

/** The API is reached through interface endpoints of VPCs only. */
const PrivateApi = z.strictObject({ vpcEndpointIds: z.array(ec2Id("vpce")).min(1).max(10) });

/** Without `url` the address is a secret, which the user sets after the deployment. */
const CloudWebhook = WebhookTarget.partial({ url: true });

/** Four ways to isolate the evaluator. Each can be turned off alone, if an account or a Region does not support it. */
const EvaluatorConfig = z.strictObject({
  /** In a network without a route out. */
  vpc: z.boolean().default(true),
  /** The zones of that network. Absent: the first two of the Region. */
  zones: z
    .array(z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/))
    .min(1)
    .max(6)
    .optional(),
  /** A network of the account instead of one of the stack. Its subnets must be isolated. */
  vpcId: ec2Id("vpc").optional(),
  subnetIds: z.array(ec2Id("subnet")).min(1).max(16).optional(),
  /** Absent: one of the stack, which lets nothing in and nothing out. */
  securityGroupId: ec2Id("sg").optional(),
  /** The stack's own network has no DNS. */
  noDns: z.boolean().default(true),
  /** Its role denies every request of the code inside. */
  denyRole: z.boolean().default(true),
  /** Each run has its own execution environments. A change replaces the function. */
  tenants: z.boolean().default(true),
  /** Absent: the architecture of the computer that builds the image. */
  architecture: Architecture.optional(),
  /** An image in ECR, if none can be built: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac@sha256:… or :tag */
  image: z
    .string()
    .regex(/^\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/[a-z0-9._/-]+(@sha256:[0-9a-f]{64}|:[\w.-]+)$/)
    .optional(),
  /** Where the image is built: by this computer's Docker, or in the account. Absent: by Docker, which `l2mac deploy` changes where there is none. */
  build: z.enum(["docker", "codebuild"]).optional(),
  /** New accounts have a quota of 3,008. */
  memoryMb: z.int().min(512).max(10_240).default(2_048),
});

/** The Git server that a token is for. */
const GitConfig = z.strictObject({
  /** As in addresses of its repositories, with a port where it has one. */
  host: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/)
    .default("github.com"),
  /** GitHub's API on a GitHub Enterprise Server, for pull requests: https://HOST/api/v3. github.com needs none. */
  api: z.url({ protocol: /^https?$/ }).optional(),
  /** For rehearsals on one computer: repositories may have loopback or private addresses. Functions on AWS reach none. */
  allowPrivate: z.boolean().optional(),
});

/** A collector that takes OTLP over HTTP. */
const OtelConfig = z.strictObject({
  /** Its base URL, to which /v1/traces is added. */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), "expected an address without a user and a password"),
  /** The name of the header that it asks for. Its value is a secret, set after the deployment. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/)
    .optional(),
  /** Configurations of versions up to 0.2.0 choose one; spans are sent as JSON, which every such collector takes. */
  protocol: z.enum(["http/json", "http/protobuf"]).optional(),
  /** The name of the service in its traces. */
  service: z.string().min(1).max(100).optional(),
});

const KeyArn = z.string().regex(/^arn:aws(-cn|-us-gov)?:kms:[a-z0-9-]+:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/);

const SigningConfig = z.strictObject({
  /** true: a key of the stack. An ARN: a key of the account, ECC_NIST_P256 for SIGN_VERIFY. false: no key. */
  kms: z.union([z.boolean(), KeyArn]),
});

export const CloudConfig = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,49}$/)
    .default("L2mac"),
  /** For runs whose submission names no model. */
  model: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Models of Amazon Bedrock that runs may use, without a key. Absent: the one of the Region, if neither model nor server is set. */
  bedrockModels: z.array(z.string().regex(BEDROCK_MODEL)).max(20).optional(),
  /** Every caller of the API sees all runs submitted from now on; otherwise only those of the same user or role. */
  sharedRuns: z.boolean().default(false),
  /** Loops of an execution before the next one takes over. */
  loopLimit: z.int().min(1).max(2_000).default(1_000),
  /** Configurations of version 0.2.0 name one whose instructions were states of the state machine. It has no effect. */
  program: z.string().min(1).optional(),
  logRetentionDays: z.literal(RETENTION_DAYS).default(30),
  /** Runs survive the stack: table and bucket are kept when it is deleted. */
  keepData: z.boolean().default(true),
  /** The indexes hold whole items, as those of version 0.1.0: CloudFormation cannot narrow an index that is there. */
  wideIndexes: z.boolean().default(false),
  /** Days after its end until a run is deleted with its files. Absent: it is kept until it is deleted. */
  keepRunsDays: z.int().min(1).max(3_650).optional(),
  /** The budget of all runs together for model calls on a UTC date. Absent: none. */
  dailyUsd: z.number().positive().optional(),
  /** The URL that is notified when a run ends, waits for a person, or nears a limit. Absent: none, and no function for it. */
  webhook: CloudWebhook.optional(),
  /** A Git server whose private repositories runs start from and push to; the stack has a secret for its token. */
  git: GitConfig.optional(),
  /** The OpenTelemetry collector that gets the spans of runs. Absent: none. */
  otel: OtelConfig.optional(),
  /** Events of runs are sent to the default event bus of EventBridge. */
  runEvents: z.boolean().default(true),
  /** The mail address that gets alarms. */
  alarmMail: z.email().optional(),
  /** Above this spend of all runs together an alarm goes off. It stops no run: each has its own budget. */
  alarmSpendPerHourUsd: z.number().positive().default(25),
  /** Tags of all resources, besides l2mac:stack: a cost centre, for example. */
  tags: z.record(z.string().regex(/^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/u), z.string().max(256)).default({}),
  /** The customer managed key of table, files, secrets, logs, topic and queues. Absent: keys of AWS. */
  kmsKeyArn: KeyArn.optional(),
  /** Manifests of deliveries are signed. Absent: they are not, since a key costs a dollar a month. */
  signing: SigningConfig.optional(),
  /** The managed policy that bounds every role of the stack. */
  permissionsBoundary: z
    .string()
    .regex(/^arn:aws(-cn|-us-gov)?:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/)
    .optional(),
  api: z.strictObject({ private: PrivateApi.optional() }).prefault({}),
  /** Off by default: new accounts have too little concurrency to reserve any. */
  reservedConcurrency: z
    .strictObject({
      execute: z.int().min(1).optional(),
      evaluator: z.int().min(1).optional(),
      api: z.int().min(1).optional(),
    })
    .prefault({}),
  evaluator: EvaluatorConfig.prefault({}),
});

export type CloudConfig = z.infer<typeof CloudConfig>;

export interface ConfigOrigin {
  /** What the sources are, for messages. */
  where?: string;
  /** Where it is to be deployed. Absent: not known yet. */
  region?: string | undefined;
}

const WHERE = "l2mac.cloud.json, or cdk's context `l2mac`";

/**
 * Later sources win, field by field. A source is an object or its JSON text, as from cdk's command line. The first one is
 * the file, whose lines are named.
 */
export function readCloudConfig(sources: unknown[], { where = WHERE, region }: ConfigOrigin = {}): CloudConfig {
  const merged: Record<string, unknown> = {};
  for (const source of sources.map((each) => asObject(each, where))) {
    for (const [name, value] of Object.entries(source)) {
      const before = merged[name];
      merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
    }
  }
  const read = CloudConfig.safeParse(merged);
  const [file] = sources;
  const problems = [
    ...(typeof file === "string" ? duplicatesIn(file) : []),
    ...(read.success ? [] : problemsIn(read.error, merged)),
    ...conflictsIn(merged, region),
  ];
  if (read.success && problems.length === 0) return read.data;
  const lines = typeof file === "string" ? located(problems, file) : problems.map(({ says }) => says);
  throw wrong(`The configuration is wrong (${where}):\n${[...new Set(lines)].join("\n")}`);
}

/** In the order of the file; what it does not say, such as a flag, comes last. */
const located = (problems: Problem[], file: string): string[] =>
  problems
    .map(({ path, says }) => ({ line: lineIn(file, path), says }))
    .toSorted((one, other) => (one.line ?? Number.POSITIVE_INFINITY) - (other.line ?? Number.POSITIVE_INFINITY))
    .map(({ line, says }) => (line === undefined ? says : `line ${line}: ${says}`));

function asObject(source: unknown, where: string): Record<string, unknown> {
  const given = typeof source === "string" ? parsed(source, where) : source;
  if (given === undefined) return {};
  if (isObject(given)) return given;
  throw wrong(`The configuration is no JSON object (${where}).`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(`The configuration is not JSON (${where}): ${jsonProblem(text, error)}.`);
  }
}

const wrong = (message: string): UserError =>
  new UserError(message, { exitCode: 3, remedy: "docs/deploy.md lists the fields. Nothing was changed." });
