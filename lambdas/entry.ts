/** The machine on AWS: the composition root that joins the handlers to DynamoDB, S3, Lambda and Step Functions. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Context } from "aws-lambda";
import * as z from "zod";
import { createBedrockSigner } from "../lib/aws/bedrock-signer.ts";
import { dynamoClient, eventsClient, lambdaClient, linkClient, s3Client, sfnClient } from "../lib/aws/clients.ts";
import { createDynamoTable } from "../lib/aws/dynamo-table.ts";
import { createEventSender } from "../lib/aws/event-bus.ts";
import { createLambdaEvaluator } from "../lib/aws/lambda-evaluator.ts";
import { createModelWithoutKey } from "../lib/aws/model-without-key.ts";
import { openSigner } from "../lib/aws/open-signer.ts";
import { createPackLinks } from "../lib/aws/pack-links.ts";
import { createPresigner } from "../lib/aws/presign.ts";
import { createS3Files } from "../lib/aws/s3-files.ts";
import { createSettingReader } from "../lib/aws/setting-secret.ts";
import { needed, readSettings, type Settings } from "../lib/aws/settings.ts";
import { createExecutionStarter } from "../lib/aws/sfn-runs.ts";
import { createSpanOpener } from "../lib/aws/span-opener.ts";
import { createWebhookChannel } from "../lib/aws/webhook-reader.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { defined } from "../lib/core/defined.ts";
import type { GitServers } from "../lib/core/git/servers.ts";
import type { SendNotification } from "../lib/core/notification/notification.ts";
import type { Webhook } from "../lib/core/notification/webhook.ts";
import type { Evaluator, Model } from "../lib/core/ports.ts";
import type { HandlerAnswer } from "../lib/core/program/advance.ts";
import { MICRO } from "../lib/core/run/budget.ts";
import type { Run } from "../lib/core/run/run.ts";
import { systemClock } from "../lib/host/system-clock.ts";
import type { SignerFor } from "../lib/model/bedrock/open-bedrock.ts";
import { isFree, isRehearsal, openModel } from "../lib/model/open-model.ts";
import { isSigned, keysIn } from "../lib/model/provider.ts";
import { meter } from "../lib/registry/meter.ts";
import { createRegistry } from "../lib/registry/registry.ts";
import { watchClaims } from "../lib/registry/watch-claims.ts";
import { createSender } from "../lib/webhook/send.ts";
import type { ApiEvent, ApiResult } from "./api.ts";
import type { openApi } from "./entry-api.ts";
import { createHandlers } from "./handlers.ts";
import { createNotify, type NotifyCounts } from "./notify.ts";
import { createSweep, type SweepCounts } from "./sweep.ts";
import { sweepMetrics } from "./sweep-metrics.ts";

/** Lambda ends an invocation after its time; the handler's own deadline speaks first. */
const SPARE_MS = 20_000;

const Input = z.object({
  runId: z.string(),
  epoch: z.int(),
  last: z.boolean().optional(),
  lane: z.int().optional(),
  idle: z.int().optional(),
});
const Failure = Input.extend({ error: z.string(), cause: z.string() });

export const plan = computing(Input, (input, invocation) => machine().handlers.plan(withoutAbsent(input), invocation));
export const execute = computing(Input, (input, invocation) =>
  machine().handlers.execute(withoutAbsent(input), invocation),
);
export const deliver = computing(Input, (input, invocation) =>
  machine().handlers.deliver(withoutAbsent(input), invocation),
);
export const recordFailure = computing(Failure, (input) => machine().handlers.recordFailure(input));

export async function sweep(_event: unknown, context: Context): Promise<SweepCounts> {
  const { logger, metrics, sweepRuns } = machine();
  logger.addContext(context);
  const swept = await sweepRuns(invocationIn(context));
  logger.info("swept", { swept });
  const measured = sweepMetrics(swept);
  for (const [name, runs] of measured) metrics.addMetric(name, MetricUnit.Count, runs);
  if (measured.length > 0) metrics.publishStoredMetrics();
  return swept;
}

let notifying: ReturnType<typeof openNotify> | undefined;

export async function notify(_event: unknown, context: Context): Promise<NotifyCounts> {
  const { logger, world, settings } = machine();
  logger.addContext(context);
  notifying ??= openNotify(world, settings);
  const notified = await notifying(invocationIn(context));
  if (Object.values(notified).some((count) => count > 0)) logger.info("notified", { notified });
  return notified;
}

/** A folder that was bundled with the code. */
const besideBundle = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

let opening: ReturnType<typeof openApi> | undefined;

export async function api(event: ApiEvent, context: Context): Promise<ApiResult> {
  const { logger, world, settings, readKey } = machine();
  logger.addContext(context);
  opening ??= (await import("./entry-api.ts")).openApi({
    world,
    settings,
    readKey,
    prompts: besideBundle("prompts"),
    onFailure: (error, requestId) => logger.error("failed", { requestId, error: error as Error }),
  });
  return (await opening)(event);
}

/** Errors keep their names: the state machine decides by them. */
function computing<Asked extends z.infer<typeof Input>>(
  schema: z.ZodType<Asked>,
  work: (input: Asked, invocation: Invocation) => Promise<HandlerAnswer>,
) {
  return async (event: unknown, context: Context): Promise<HandlerAnswer> => {
    const { logger } = machine();
    const input = schema.parse(event);
    logger.addContext(context);
    logger.resetKeys();
    logger.appendKeys({ runId: input.runId, epoch: input.epoch });
    try {
      const answer = await work(input, invocationIn(context));
      logger.info("answered", { ...answer });
      return answer;
    } finally {
      tellSpend();
    }
  };
}

/** In US dollars, however the invocation ended. Nothing is reported if nothing was spent. */
function tellSpend(): void {
  const { metrics, takeSpend } = machine();
  const microUsd = takeSpend();
  if (microUsd <= 0) return;
  metrics.addMetric("Spend", MetricUnit.NoUnit, microUsd / MICRO);
  metrics.publishStoredMetrics();
}

const invocationIn = (context: Context): Invocation => ({
  remainingMs: () => context.getRemainingTimeInMillis() - SPARE_MS,
  signal: new AbortController().signal,
});

/** As it travels: an absent field is not one that is undefined. */
const withoutAbsent = ({ runId, epoch, ...input }: z.infer<typeof Input>) => ({ runId, epoch, ...defined(input) });

let opened: ReturnType<typeof openMachine> | undefined;

/** Once per container, at its first call. */
function machine(): ReturnType<typeof openMachine> {
  opened ??= openMachine(readSettings(process.env));
  return opened;
}

function openMachine(settings: Settings) {
  const logger = new Logger();
  const metrics = new Metrics();
  const clock = systemClock;
  const waiting = { clock, random: Math.random };
  const readKey = createSettingReader(settings, "SECRET_ID", clock);
  const table = createDynamoTable({ client: dynamoClient(), tableName: settings.TABLE_NAME, ...waiting });
  const { registry, take: takeSpend } = meter(createRegistry({ table, clock, notifies: settings.NOTIFIES }));
  const world: World = {
    ...waiting,
    // Each line of the log names the instruction that is computed.
    registry: watchClaims(registry, ({ pc, attempt }) => logger.appendKeys({ instruction: pc, attempt })),
    files: createS3Files({ client: s3Client(), bucket: settings.BUCKET_NAME, ...waiting }),
    model: (run) => openModelOf(run, settings, readKey),
    evaluator: openEvaluator(settings),
    git: openGit(settings),
    signer: openSigner(settings, waiting),
    readFont: (file) => readFile(besideBundle(`fonts/${file}`)),
    dailyUsd: settings.DAILY_USD,
  };
  const onFailure = (runId: string, error: unknown) => logger.error("not repaired", { runId, error: error as Error });
  const sweepRuns = (invocation: Invocation) => {
    const stateMachineArn = needed(settings, "STATE_MACHINE_ARN");
    const executions = createExecutionStarter({ client: sfnClient(), stateMachineArn });
    return createSweep({ world, executions, onFailure, keepRunsDays: settings.KEEP_RUNS_DAYS })(invocation);
  };
  const handlers = createHandlers(world);
  return { logger, metrics, world, settings, readKey, handlers, sweepRuns, takeSpend };
}

function openNotify({ registry, clock }: World, settings: Settings) {
  const { EVENTS_STACK: stack } = settings;
  const events: Record<string, SendNotification> =
    stack === undefined ? {} : { events: createEventSender({ client: eventsClient(), stack }) };
  const openSender = (webhook: Webhook) => createSender({ webhook, clock });
  const openWebhook = createWebhookChannel({ settings, clock, createSender: openSender });
  const openSpans = createSpanOpener({
    settings,
    clock,
    open: async (headers) =>
      (await import("../packages/telemetry/index.ts")).openSpanChannel(registry, process.env, headers),
  });
  const channels = async (): Promise<Record<string, SendNotification>> => {
    const webhook = await openWebhook?.();
    const spans = await openSpans?.();
    return { ...events, ...defined({ webhook, spans }) };
  };
  return async (invocation: Invocation): Promise<NotifyCounts> =>
    createNotify({ registry, clock, channels: await channels() })(invocation);
}

/** A function that never evaluates does not know its evaluator. */
function openEvaluator(settings: Settings): Evaluator {
  let evaluator: Evaluator | undefined;
  return {
    evaluate(request, signal) {
      evaluator ??= createLambdaEvaluator({
        client: lambdaClient(),
        functionName: needed(settings, "EVALUATOR_FUNCTION"),
        tenantIsolation: settings.EVALUATOR_TENANTS,
        deniedPatienceMs: settings.EVALUATOR_DENIED_SECONDS && settings.EVALUATOR_DENIED_SECONDS * 1_000,
        ...(settings.EVALUATOR_LINKS
          ? { linkBase: createPackLinks(createPresigner({ client: linkClient(), bucket: settings.BUCKET_NAME })) }
          : {}),
      });
      return evaluator.evaluate(request, signal);
    },
  };
}

/** Late: most runs start from no server. */
function openGit(settings: Settings): GitServers {
  let opened: Promise<GitServers> | undefined;
  const open = (): Promise<GitServers> => {
    opened ??= import("../packages/git/index.ts").then(({ createStackGitServers }) =>
      createStackGitServers({
        host: settings.GIT_HOST,
        api: settings.GIT_API,
        allowPrivate: settings.GIT_ALLOW_PRIVATE,
        readToken: createSettingReader(settings, "GIT_TOKEN_SECRET_ID", systemClock),
        memory: settings.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      }),
    );
    return opened;
  };
  return {
    resolve: async (origin, signal) => (await open()).resolve(origin, signal),
    fetch: async (origin, signal) => (await open()).fetch(origin, signal),
    prepare: async (request, signal) => (await open()).prepare(request, signal),
  };
}

async function openModelOf(run: Run, settings: Settings, readKey: () => Promise<string | undefined>): Promise<Model> {
  const rehearsals = besideBundle("rehearsals");
  if (isRehearsal(run)) return openModel(run, { rehearsals });
  if (isSigned(run.profile.api)) return openModel(run, { rehearsals, ...keysIn(process.env), signerFor });
  const apiKey = await readKey();
  if (apiKey || isFree(run.options.baseUrl)) return openModel(run, { rehearsals, apiKey });
  return createModelWithoutKey(needed(settings, "SECRET_ID"));
}

/** With the function's own role. */
const signerFor: SignerFor = async (region) => createBedrockSigner(region, process.env);
