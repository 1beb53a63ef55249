/** The stage of the rehearsal: the synthesised stack in a simulated deployment, with callers that use it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { hastyClock } from "../../test/doubles/hasty-clock.ts";
import { type Collector, startCollector } from "../../test/servers/collector.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../test/servers/scripted-openai.ts";
import { type ServedRepository, startServedRepository } from "../../test/servers/stage-repository.ts";
import { type Receiver, startReceiver } from "../../test/servers/webhook-receiver.ts";
import { type Bedrock, createBedrock } from "./bedrock/bedrock-service.ts";
import { type Caller, createCaller } from "./caller.ts";
import { type Assembly, readAssembly, synthesise } from "./cloudformation/assembly.ts";
import { definitionOf } from "./cloudformation/definition.ts";
import { deploy } from "./cloudformation/deploy.ts";
import { evaluatorPatience } from "./cloudformation/evaluator-patience.ts";
import { readStoredAssembly } from "./cloudformation/stored-assembly.ts";
import { createDisturbances, type Disturbances } from "./disturbances.ts";
import { type Gateway, startGateway } from "./gateway/gateway.ts";
import { type Allowance, allowancesOf } from "./iam/allowances.ts";
import { createIam, type PlayedIam } from "./iam/iam.ts";
import { createKms, type Kms } from "./kms/kms-service.ts";
import {
  createFunctions,
  type FunctionCall,
  type InvocationTrouble,
  type RunningFunctions,
} from "./lambda/functions.ts";
import { createLambdaService } from "./lambda/lambda-service.ts";
import type { Credentials, Denial, Deployment, Hop, PolicyStatement, Principal, Service, Use } from "./parts.ts";
import { makeCertificate } from "./proxy/certificate.ts";
import { type AwsCall, type CallTrouble, type RunningProxy, startProxy } from "./proxy/proxy.ts";
import { createRemovals, STRANGER } from "./removals.ts";
import { verify } from "./sigv4/sigv4.ts";
import { type HeldModel, KEY, MODEL, ordinaryScript, startHeldModel } from "./stage-model.ts";
import { createEventBus, type EventBus } from "./states/event-bus.ts";
import { createScheduler } from "./states/scheduler.ts";
import { createStateMachine, type StateMachine } from "./states/state-machine.ts";
import { createStatesService } from "./states/states-service.ts";
import type { TaskCall, TaskTrouble } from "./states/task-calls.ts";
import { createSecrets, type Secrets } from "./storage/secrets-service.ts";
import { only, openStorage, type Storage } from "./storage/storage.ts";
import { updateStage } from "./update-stage.ts";

export interface Stage {
  deployed: Deployment;
  /** PEM, for tools that call the emulated services over HTTPS. */
  certificateFile: string;
  iam: PlayedIam;
  functions: RunningFunctions;
  controlUnit: StateMachine;
  gateway: Gateway;
  proxy: RunningProxy;
  storage: Storage;
  secrets: Secrets;
  /** The default bus of EventBridge. */
  events: EventBus;
  model: HeldModel;
  /** Amazon Bedrock: what was called there. */
  bedrock: Bedrock;
  /** The webhook receiver, if one is configured. */
  receiver: Receiver | undefined;
  /** The collector of spans, if one is configured. */
  collector: Collector | undefined;
  /** The private repository on a Git server, if one is configured. */
  repository: ServedRepository | undefined;
  /** May call the API, and submits. */
  owner: Caller;
  /** For calls with other tools in the owner's name. */
  ownerCredentials: Credentials;
  /** May call the API too. */
  colleague: Caller;
  /** May not. */
  stranger: Caller;
  allowances: Allowance[];
  /** Does the work while the role's action does not stand in its policies: what is denied by that is as it should be. */
  without<T>(gone: RemovedPermission, work: () => Promise<T>): Promise<T>;
  /** The same, to see what fails. */
  lacking<T>(gone: Use, work: () => Promise<T>): Promise<T>;
  /** Whether a denial is what an act wanted to see. */
  expects(denied: Denial): boolean;
  /** EventBridge's rules come due. */
  sweep(): Promise<void>;
  /** A run's registry item, read without the API. */
  itemOf(runId: string): Promise<Record<string, unknown>>;
  /** What the whole run delivered. */
  delivered?: { zip: Uint8Array; instructions: number };
  /** Planned failures. */
  disturbed: StageDisturbances;
  /** The stack becomes that of the present sources, if it is the one of the version before. */
  update(): void;
  stop(): Promise<void>;
}

export interface StageDisturbances {
  calls: Disturbances<AwsCall, CallTrouble>;
  invocations: Disturbances<FunctionCall, InvocationTrouble>;
  tasks: Disturbances<TaskCall, TaskTrouble>;
}

export interface RemovedPermission {
  /** Of the role's logical id. */
  role: RegExp;
  action: string;
}

export const PLACE = { partition: "aws", region: "eu-central-1", account: "111122223333" } as const;

export interface StageOptions {
  /** As in `l2mac.cloud.json`, beside the scripted model. Absent: `cdk deploy` with no parameters. */
  config?: Record<string, unknown>;
  /** The stored stack of the version before, which was made with the configuration of the acts. */
  released?: boolean;
  /** Whether a webhook and a collector of spans are configured: receivers on this computer. */
  notifies?: boolean;
  /** Whether a Git server is configured: one on this computer. */
  serves?: boolean;
  /** How long a run waits while the evaluator may not be called, in seconds. Absent: as long as in production. */
  deniedSeconds?: number;
  hop?: (hop: Hop) => void;
  /** What the model of the configuration says. */
  script?: (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { config, released, notifies, serves, deniedSeconds, hop = () => {}, script } = options;
  const folder = mkdtempSync(join(tmpdir(), "l2mac-stage-"));
  const model = await startHeldModel(script);
  const receiver = notifies ? await startReceiver() : undefined;
  const collector = notifies ? await startCollector() : undefined;
  const repository = serves ? await startServedRepository(KEY, { "kept.txt": "kept\n", ".env": "A=b\n" }) : undefined;
  const own = {
    ...(receiver ? { webhook: { url: receiver.url, allowPrivate: true } } : {}),
    ...(collector ? { otel: { endpoint: collector.url, header: "x-key" } } : {}),
    ...(repository ? { git: { host: repository.host, api: repository.apiUrl, allowPrivate: true } } : {}),
  };
  // Models of Bedrock are called without a server and without a key.
  const ownServer = config?.bedrockModels ? {} : { model: MODEL, baseUrl: model.url };
  const scripted = config && { ...config, ...ownServer, ...own };
  const present = readAssembly(await synthesise(join(folder, "cdk.out"), scripted));
  const assembly = released
    ? readStoredAssembly({ into: join(folder, "stored"), address: model.url, images: present })
    : present;
  const into = join(folder, "deployed");
  const deployed = deploy(assembly, { ...PLACE, into, ...evaluatorPatience(deniedSeconds) });
  const storage = await openStorage(deployed);
  const iam = createIam(deployed);
  const secrets = createSecrets(deployed);
  if (scripted && !config?.bedrockModels) secrets.set(KEY);
  const bedrock = createBedrock(ordinaryScript);
  const kms = createKms(deployed);
  const disturbed: StageDisturbances = {
    calls: createDisturbances(),
    invocations: createDisturbances(),
    tasks: createDisturbances(),
  };
  const events = createEventBus(deployed);
  const running = await startServices({
    ...{ deployed, iam, storage, secrets, events, hop, assembly, folder, disturbed, bedrock, kms },
  });
  const { functions, gateway, proxy, controlUnit } = running;
  const scheduler = createScheduler({ deployed, functions, iam, now: Date.now, hop });
  const allowances = allowancesOf(deployed);
  const callers = callersOf(deployed, iam, gateway.url);
  return {
    ...{ deployed, iam, storage, secrets, events, model, bedrock, receiver, collector, repository, disturbed },
    ...{ ...running, ...callers },
    allowances,
    ...createRemovals(iam, allowances),
    async sweep() {
      for (const { rule, invoked } of await scheduler.tick())
        if (!invoked || invoked.functionError) throw new Error(`${rule} could not be called: ${invoked?.payload}`);
    },
    async itemOf(runId) {
      const { tableName, dynamo } = storage;
      const Key = { pk: { S: `RUN#${runId}` }, sk: { S: "META" } };
      const { Item = {} } = await dynamo.send(new GetItemCommand({ TableName: tableName, Key }));
      return Object.fromEntries(Object.entries(Item).map(([name, value]) => [name, Object.values(value)[0]]));
    },
    update: () =>
      updateStage({ deployed, iam, kms, functions, controlUnit }, present, { ...PLACE, into: join(folder, "updated") }),
    async stop() {
      await controlUnit.stop();
      await functions.stop();
      await Promise.all([
        gateway.stop(),
        proxy.stop(),
        storage.stop(),
        model.close(),
        receiver?.close(),
        collector?.close(),
        repository?.close(),
      ]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ServiceParts {
  deployed: Deployment;
  iam: PlayedIam;
  storage: Storage;
  secrets: Secrets;
  events: EventBus;
  bedrock: Bedrock;
  kms: Kms;
  assembly: Assembly;
  /** For its certificate. */
  folder: string;
  hop: (hop: Hop) => void;
  disturbed: StageDisturbances;
}

/** They need one another: the functions the proxy, and the proxy the functions. */
async function startServices(starting: ServiceParts) {
  const { deployed, iam, storage, secrets, events, bedrock, kms, assembly, folder, hop, disturbed } = starting;
  const services: Record<"lambda" | "states" | "secretsmanager" | "events" | "bedrock" | "kms", Service> = {
    lambda: (request, principal) => lambda(request, principal),
    states: (request, principal) => states(request, principal),
    secretsmanager: secrets.service,
    events: events.service,
    bedrock: bedrock.service,
    kms: kms.service,
  };
  const certificate = makeCertificate();
  const certificateFile = join(folder, "certificate.pem");
  writeFileSync(certificateFile, certificate.cert);
  // This process follows links, too.
  setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);
  const { upstreams } = storage;
  const proxy = await startProxy({
    ...{ deployed, iam, upstreams, services, certificate, hop, now: Date.now },
    disturbed: disturbed.calls,
  });
  const functions = createFunctions({
    ...{ deployed, iam, hop, aws: { endpoint: proxy.secureEndpoint, certificateFile } },
    imageFolder: assembly.imageFolder,
    disturbed: disturbed.invocations,
  });
  const resource = only(deployed, "AWS::StepFunctions::StateMachine");
  const controlUnit = createStateMachine({
    ...{ deployed, resource, iam, functions, hop },
    ...{ definition: definitionOf(resource), clock: hastyClock, random: Math.random },
    disturbed: disturbed.tasks,
  });
  const lambda = createLambdaService({ deployed, functions });
  const states = createStatesService(controlUnit);
  const gateway = await startGateway({
    ...{ deployed, functions, iam, certificate, hop },
    verify: (request) => verify(request, { iam, region: PLACE.region, services: ["execute-api"], now: Date.now() }),
  });
  return { certificateFile, proxy, functions, controlUnit, gateway };
}

function callersOf({ partition, region, account }: Deployment, iam: PlayedIam, url: string) {
  const anyApi = `arn:${partition}:execute-api:${region}:${account}:*/v1/*`;
  const invoking: PolicyStatement = { Effect: "Allow", Action: "execute-api:Invoke", Resource: anyApi };
  const caller = (principal: Principal) => createCaller({ principal, region, url });
  const owner = iam.user("owner", [invoking]);
  return {
    owner: caller(owner),
    ownerCredentials: owner.credentials,
    colleague: caller(iam.user("colleague", [invoking])),
    stranger: caller(iam.user(STRANGER, [])),
  };
}
