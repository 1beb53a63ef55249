/** Error messages for a deployment's configuration. Pure. */
import type { z } from "zod";
import { nearestWord } from "../core/text/nearest-word.ts";

/** The retention periods that CloudWatch accepts. */
export const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 180, 365] as const;

const SWITCH = "true or false";
const FIELDS = "an object of fields";
const COUNT = "a whole number from 1";

/** What each field expects, for the message about a wrong value. */
export const MEANINGS: Record<string, string> = {
  stackName: "a name of letters, digits and dashes, which begins with a letter and has at most 50",
  model: "the name of a model",
  baseUrl: "the address of a model server, https://… or http://…",
  bedrockModels: 'a list of models such as "bedrock/eu.anthropic.claude-sonnet-4-6", without a "baseUrl" beside it',
  sharedRuns: SWITCH,
  loopLimit: "a whole number from 1 to 2000",
  program: "absent, or the path of a program",
  logRetentionDays: `one of ${RETENTION_DAYS.join(", ")}`,
  keepData: SWITCH,
  wideIndexes: SWITCH,
  keepRunsDays: "a whole number of days, from 1 to 3650",
  dailyUsd: "a number of US dollars above 0",
  webhook: FIELDS,
  "webhook.url": "an address without a user and a password, https://…",
  "webhook.allowPrivate": SWITCH,
  "webhook.format": "json or slack",
  runEvents: SWITCH,
  otel: FIELDS,
  "otel.endpoint": "the base URL of a collector, without a user and a password, https://…",
  "otel.header": "the name of a header, such as authorization",
  "otel.protocol": "http/json, or absent",
  "otel.service": "a name of at most 100 characters",
  git: FIELDS,
  "git.host": "the host of a Git server, such as github.com",
  "git.api": "the address of GitHub's API, https://HOST/api/v3",
  "git.allowPrivate": SWITCH,
  alarmMail: "a mail address",
  alarmSpendPerHourUsd: "a number of US dollars above 0",
  tags: "an object of tags and their values",
  kmsKeyArn: "the ARN of a key, arn:aws:kms:REGION:ACCOUNT:key/…; an alias does not work",
  signing: FIELDS,
  "signing.kms":
    "true, false, or the ARN of a key that signs, arn:aws:kms:REGION:ACCOUNT:key/…; an alias does not work",
  permissionsBoundary: "the ARN of a managed policy, arn:aws:iam::ACCOUNT:policy/…",
  api: FIELDS,
  "api.private": FIELDS,
  "api.private.vpcEndpointIds": "a list of interface endpoints for execute-api, such as vpce-0123456789abcdef0",
  reservedConcurrency: FIELDS,
  "reservedConcurrency.execute": COUNT,
  "reservedConcurrency.evaluator": COUNT,
  "reservedConcurrency.api": COUNT,
  evaluator: FIELDS,
  "evaluator.vpc": SWITCH,
  "evaluator.zones": "a list of zones of the region, such as eu-west-1a",
  "evaluator.vpcId": "the id of a VPC, vpc-…",
  "evaluator.subnetIds": "a list of isolated subnets of the VPC, subnet-…",
  "evaluator.securityGroupId": "the id of a security group of the VPC, sg-…",
  "evaluator.noDns": SWITCH,
  "evaluator.denyRole": SWITCH,
  "evaluator.tenants": SWITCH,
  "evaluator.architecture": "arm64 or x86_64",
  "evaluator.image": "ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG, or …/NAME@sha256:…",
  "evaluator.build": 'docker or codebuild, without an "evaluator.image" beside it',
  "evaluator.memoryMb": "a whole number from 512 to 10240",
};

export interface Problem {
  /** Of the field, from the top. */
  path: readonly PropertyKey[];
  says: string;
}

export const problemsIn = (error: z.ZodError, given: unknown): Problem[] =>
  error.issues.flatMap(({ path, ...issue }): Problem[] => {
    const within = path.filter((name) => typeof name === "string").join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key], says: unknownField(within, key) }));
    return [{ path, says: wrongValue(path, given, issue.message) }];
  });

/** An element of a list is named by its value: the field expects the whole list. */
function wrongValue(path: PropertyKey[], given: unknown, message: string): string {
  const field = path.filter((name) => typeof name === "string").join(".");
  const value = path.reduce<unknown>((found, name) => Object(found)[name], given);
  const [known] = [field, field.slice(0, field.lastIndexOf("."))].filter((name) => Object.hasOwn(MEANINGS, name));
  const meaning = known === undefined ? message : MEANINGS[known];
  if (value === undefined) return `${field} is missing: ${meaning}.`;
  return `${field} is ${meaning}; ${JSON.stringify(value)} is not.`;
}

function unknownField(within: string, key: string): string {
  const field = within ? `${within}.${key}` : key;
  const known = Object.keys(MEANINGS);
  const meant = nearestWord(field, known) ?? known.find((name) => name.endsWith(`.${key}`));
  return `There is no field ${field}.${meant ? ` Did you mean ${meant}?` : ""}`;
}

/** Where JSON.parse fails: its message names a position, or only a character. */
export function jsonProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("Unexpected end")) return "it ends too early";
  const [place] = /line \d+ column \d+/.exec(message) ?? [];
  const [what = message] = message.split(/ in JSON at| is not valid JSON|, "/);
  const where = place ?? foundPlace(text, message);
  return where ? `${what}, at ${where}` : what;
}

/** The shortest prefix of the text that fails on the same character ends at the position. */
function foundPlace(text: string, message: string): string | undefined {
  const [token] = /^Unexpected token '.'/su.exec(message) ?? [];
  if (token === undefined) return undefined;
  for (let end = 1; end <= text.length; end += 1) {
    if (failureOf(text.slice(0, end))?.startsWith(token)) {
      const lines = text.slice(0, end).split("\n");
      return `line ${lines.length} column ${lines.at(-1)?.length}`;
    }
  }
  return undefined;
}

function failureOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
