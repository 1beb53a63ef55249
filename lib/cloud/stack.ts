/** The whole computer as one CloudFormation stack. */
import { CfnOutput, Stack, type StackProps, Tags } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import { Code, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { createAlarms } from "./alarms.ts";
import { createApi } from "./api.ts";
import { withBedrock } from "./bedrock-models.ts";
import type { CloudConfig } from "./config.ts";
import { createControlUnit } from "./control-unit.ts";
import { createDashboard } from "./dashboard.ts";
import { createEvaluator, type EvaluatorParts } from "./evaluator.ts";
import { createNotifier, type Notifier } from "./notifier.ts";
import { createFailureMetric } from "./own-metrics.ts";
import { createSigningAccess } from "./signing-key.ts";
import { createStorage } from "./storage.ts";
import { createSweeper } from "./sweeper.ts";

export interface ComputerParts extends Omit<EvaluatorParts, "storage"> {
  /** The model of Amazon Bedrock that is the default in the Region that is deployed to. */
  ownModel?: string | undefined;
  config: CloudConfig;
  /** The folder of the functions' bundle. */
  codeFolder: string;
  /** Absent: the account and Region that it is deployed to. */
  env?: StackProps["env"];
}

export function createComputer(scope: Construct, parts: ComputerParts): Stack {
  const { codeFolder, env } = parts;
  const config = withBedrock(parts.config, parts.ownModel);
  const stack = new Stack(scope, config.stackName, {
    description: "L2MAC: an automatic computer with a stored program, computed by a language model.",
    ...(env ? { env } : {}),
  });
  const code = Code.fromAsset(codeFolder);
  const storage = createStorage(stack, config);
  const evaluator = createEvaluator(stack, { ...parts, config, storage });
  const signing = createSigningAccess(stack, config);
  const controlUnit = createControlUnit(stack, { config, code, storage, evaluator, signing });
  const { stateMachine } = controlUnit;
  const sweeper = createSweeper(stack, { config, code, storage, stateMachine });
  const notifier = createNotifier(stack, { config, code, storage, missed: sweeper.missed });
  const { api, rest, url } = createApi(stack, { config, code, storage, stateMachine, signing });
  const functions = {
    ...controlUnit.functions,
    evaluator,
    sweep: sweeper.sweep,
    api,
    ...(notifier ? { notify: notifier.notify } : {}),
  };
  const failures = createFailureMetric(stack, config, logsOf(functions));
  createAlarms(stack, { config, controlUnit, sweeper, failures });
  createDashboard(stack, { config, controlUnit, functions, rest, failures });
  tag(stack, config);
  bound(stack, config);

  createOutputs(stack, {
    SetModelKey: [
      settingSecret("KEY", storage.modelKey.ref),
      "Next: stores the key of the model server, which you type or paste; a rehearsal needs none",
    ],
    FirstRehearsal: [
      posting(stack, url, { task: "A rehearsal.", model: "rehearsal" }),
      `Next: a run without a model; ${CREDENTIALS}`,
    ],
    FirstRun: [
      posting(stack, url, { task: "A command that counts words, in Python.", ...modelIn(config) }),
      `Next: a run with a model, which ends at its budget at the latest; ${CREDENTIALS}`,
    ],
    ...webhookOutputs(notifier),
    ...(config.bedrockModels.length > 0
      ? { BedrockModels: [config.bedrockModels.join(","), "Models of Amazon Bedrock that runs may use, without a key"] }
      : {}),
    ...(controlUnit.gitToken
      ? { GitTokenSecret: [controlUnit.gitToken.ref, "Where the token of the Git server is kept"] }
      : {}),
    ...(signing.keyArn ? { SigningKey: [signing.keyArn, "The key of AWS KMS that signs manifests"] } : {}),
    ModelKeySecret: [storage.modelKey.ref, "Where the key of the model server is kept"],
    ApiUrl: [url, "Where tasks are sent; every request is signed"],
    Table: [storage.table.tableName, "The registry: runs, programs, turns"],
    Bucket: [storage.bucket.bucketName, "The file store: what runs have made"],
    StateMachine: [stateMachine.stateMachineArn, "The control unit: one execution for each epoch of a run"],
    EvaluatorFunction: [evaluator.functionName, "Checks and tests generated code"],
    EvaluatorLog: [evaluator.logGroup.logGroupName, "What the evaluator's function logs; verdicts name its requests"],
  });
  return stack;
}

const logsOf = (functions: Record<string, LambdaFunction>): Record<string, ILogGroup> =>
  Object.fromEntries(Object.entries(functions).map(([name, { logGroup }]) => [name, logGroup]));

/** For the bill: activate them as cost allocation tags in the billing console. */
function tag(stack: Stack, { stackName, tags }: CloudConfig): void {
  for (const [name, value] of Object.entries({ ...tags, "l2mac:stack": stackName })) Tags.of(stack).add(name, value);
}

/** Every role, also those that CDK creates for its own. */
function bound(stack: Stack, { permissionsBoundary }: CloudConfig): void {
  if (permissionsBoundary === undefined) return;
  const policy = ManagedPolicy.fromManagedPolicyArn(stack, "Boundary", permissionsBoundary);
  PermissionsBoundary.of(stack).apply(policy);
}

const webhookOutputs = (notifier: Notifier | undefined): Record<string, [value: string, description: string]> => ({
  ...(notifier?.secret
    ? {
        GetWebhookSecret: [
          `aws secretsmanager get-secret-value --secret-id ${notifier.secret.ref} --query SecretString --output text`,
          "Shows what notifications are signed with: the receiver needs it",
        ],
      }
    : {}),
  ...(notifier?.address
    ? {
        SetWebhookAddress: [
          settingSecret("URL", notifier.address.ref),
          "Next: stores the address of the webhook, which you type or paste",
        ],
      }
    : {}),
  ...(notifier?.otelHeader
    ? {
        SetOtelHeader: [
          settingSecret("HEADER", notifier.otelHeader.ref),
          "Next: stores the value of the header that the collector of spans asks for, which you type or paste",
        ],
      }
    : {}),
});

/** The value is neither on the command line nor in a file. */
const settingSecret = (variable: string, secretId: string): string =>
  `read -rs ${variable} && printf %s "$${variable}" | aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file:///dev/stdin`;

function createOutputs(stack: Stack, outputs: Record<string, [value: string, description: string]>): void {
  for (const [name, [value, description]] of Object.entries(outputs))
    new CfnOutput(stack, name, { value, description });
}

/** curl does not read AWS profiles. */
const CREDENTIALS = 'before it: eval "$(aws configure export-credentials --format env)"';

const modelIn = ({ model }: CloudConfig) => ({ model: model ?? "MODEL", budget: { usd: 1 } });

/** A signed request to paste into a shell with credentials in its environment. */
const posting = ({ region }: Stack, url: string, body: unknown): string =>
  [
    `curl --aws-sigv4 "aws:amz:${region}:execute-api" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"`,
    // Without a token some versions of curl sign a header that they do not send.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that fills it in.
    '${AWS_SESSION_TOKEN:+-H"x-amz-security-token: $AWS_SESSION_TOKEN"} -H "content-type: application/json"',
    `-d '${JSON.stringify(body)}' ${url}runs`,
  ].join(" ");
