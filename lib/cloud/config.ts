/** What can be chosen about a deployment: read from `l2mac.cloud.json` and from cdk's context, every value checked. */
import { z } from "zod";
import { UserError } from "../core/errors.ts";
import { WebhookTarget } from "../core/run/webhook.ts";
import { jsonProblem, problemsIn, RETENTION_DAYS } from "./config-problems.ts";

const Architecture = z.enum(["arm64", "x86_64"]);
export type Architecture = z.infer<typeof Architecture>;

/** Four ways to shut the evaluator in. Each can be turned off alone, where an account or a Region refuses it. */
const EvaluatorConfig = z.strictObject({
  /** In a network without a way out. */
  vpc: z.boolean().default(true),
  /** That network has no name server either. */
  noDns: z.boolean().default(true),
  /** Its role denies whatever code in it asks for. */
  denyRole: z.boolean().default(true),
  /** Each run has execution environments of its own. Changing this replaces the function. */
  tenants: z.boolean().default(true),
  /** Absent: as the computer that builds the image. */
  architecture: Architecture.optional(),
  /** An image in ECR, where none can be built: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac@sha256:… or :tag */
  image: z
    .string()
    .regex(/^\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/[a-z0-9._/-]+(@sha256:[0-9a-f]{64}|:[\w.-]+)$/)
    .optional(),
  memoryMb: z.int().min(512).max(10_240).default(2_048),
});

export const CloudConfig = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,49}$/)
    .default("L2mac"),
  /** What runs are computed with, where their submission does not say. */
  model: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Whoever may call the API sees all runs that are submitted from then on; else those of the own user or role. */
  sharedRuns: z.boolean().default(false),
  /** Loops of an execution before the next one takes over. */
  loopLimit: z.int().min(1).max(2_000).default(1_000),
  logRetentionDays: z.literal(RETENTION_DAYS).default(30),
  /** Runs survive the stack: table and bucket are kept when it is deleted. */
  keepData: z.boolean().default(true),
  /** Days after its end that a run is removed, with all that it made. Absent: it is kept until somebody deletes it. */
  keepRunsDays: z.int().min(1).max(3_650).optional(),
  /** The most that all runs together may spend on model calls on a UTC date. Absent: no such ceiling. */
  dailyUsd: z.number().positive().optional(),
  /** Who is told when a run ends, waits for somebody, or nears a ceiling. Absent: nobody, and no function for it. */
  webhook: WebhookTarget.optional(),
  /** Who is told when an alarm goes off. */
  alarmMail: z.email().optional(),
  /** Above this, all runs together, an alarm goes off. No run is stopped by it: each has a budget of its own. */
  alarmSpendPerHourUsd: z.number().positive().default(25),
  /** Off unless asked for: new accounts have too little concurrency to reserve any. */
  reservedConcurrency: z
    .strictObject({ execute: z.int().min(1).optional(), evaluator: z.int().min(1).optional() })
    .prefault({}),
  evaluator: EvaluatorConfig.prefault({}),
});
export type CloudConfig = z.infer<typeof CloudConfig>;

const WHERE = "l2mac.cloud.json, or cdk's context `l2mac`";

/** Later sources win, field by field. A source is an object, or one as JSON text: cdk's command line gives text. */
export function readCloudConfig(sources: unknown[], where = WHERE): CloudConfig {
  const merged: Record<string, unknown> = {};
  for (const source of sources.map((each) => asObject(each, where))) {
    for (const [name, value] of Object.entries(source)) {
      const before = merged[name];
      merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
    }
  }
  const read = CloudConfig.safeParse(merged);
  if (read.success) return read.data;
  throw wrong(`The configuration is wrong (${where}):\n${problemsIn(read.error, merged).join("\n")}`);
}

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
