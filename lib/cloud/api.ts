/** The API: a REST API with IAM authorization, all of whose paths invoke one function. */
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  AccessLogFormat,
  AuthorizationType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import type { Code, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { acknowledge, nagNameOf } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { createFunction, createLogGroup, dailyCeiling } from "./function.ts";
import { addressOf, reachOf } from "./private-api.ts";
import type { SigningAccess } from "./signing-key.ts";
import { accessOf, allow, readingKey } from "./statements.ts";
import type { Storage } from "./storage.ts";

/** Also in the name of its log group, which must exist before the stage. */
const STAGE = "v1";

export interface Api {
  api: LambdaFunction;
  rest: RestApi;
  url: string;
}

export interface ApiParts {
  config: CloudConfig;
  code: Code;
  storage: Storage;
  stateMachine: StateMachine;
  signing: SigningAccess;
}

export function createApi(scope: Construct, parts: ApiParts): Api {
  const place = new Construct(scope, "Api");
  const api = createApiFunction(place, parts);
  const rest = createRestApi(place, parts.config);
  keepExecutionLog(place, rest, parts.config);
  // The stack has its own output for it.
  rest.node.tryRemoveChild("Endpoint");
  const asking = new LambdaIntegration(api, { allowTestInvoke: false });
  rest.root.addMethod("ANY", asking);
  rest.root.addProxy({ anyMethod: true, defaultIntegration: asking });
  for (const type of [ResponseType.DEFAULT_4XX, ResponseType.DEFAULT_5XX])
    rest.addGatewayResponse(`Refused${type.responseType}`, {
      type,
      responseHeaders: { "content-type": "'application/problem+json'" },
      templates: { "application/json": PROBLEM },
    });
  acknowledgeFindings(rest);
  return { api, rest, url: addressOf(rest, parts.config) };
}

/** API Gateway's own errors have the form of the API's. */
const PROBLEM =
  '{"type":"about:blank","title":"$context.error.responseType","detail":$context.error.messageString,"requestId":"$context.requestId"}';

function createApiFunction(place: Construct, parts: ApiParts): LambdaFunction {
  const { config, code, storage, stateMachine, signing } = parts;
  const api = createFunction(place, {
    name: "Function",
    description: "Takes tasks, and tells and gives what runs have made.",
    handler: "api",
    config,
    code,
    storage,
    // API Gateway's own time-out.
    timeout: Duration.seconds(29),
    memoryMb: 1_024,
    // Watchers call it several times a minute, and each trace is charged.
    traced: false,
    // So that runs can be submitted and cancelled while they take all else.
    reservedConcurrency: config.reservedConcurrency.api,
    environment: {
      SECRET_ID: storage.modelKey.ref,
      STATE_MACHINE_ARN: stateMachine.stateMachineArn,
      SHARED_RUNS: String(config.sharedRuns),
      ...dailyCeiling(config),
      ...signing.environment,
      ...(config.bedrockModels?.length ? { BEDROCK_MODELS: config.bedrockModels.join(",") } : {}),
      ...defined({ DEFAULT_MODEL: config.model, DEFAULT_BASE_URL: config.baseUrl }),
    },
    statements: [
      ...accessOf("api", storage),
      readingKey(storage),
      allow(["states:StartExecution"], stateMachine.stateMachineArn),
      ...signing.reading,
    ],
  });
  acknowledge(
    api.role ?? api,
    `AwsSolutions-IAM5[Resource::${nagNameOf(storage.bucket)}/uploads/*]`,
    "Uploads are named by their caller and an id; each is stored by a link that the API signs for it alone.",
  );
  acknowledge(
    api.role ?? api,
    `AwsSolutions-IAM5[Resource::${nagNameOf(storage.bucket)}/programs/*]`,
    "Named programs are stored by their owner and hash; the function names each of them.",
  );
  return api;
}

const createRestApi = (place: Construct, config: CloudConfig): RestApi =>
  new RestApi(place, "Rest", {
    restApiName: config.stackName,
    description: "L2MAC: tasks in, codebases and books out.",
    ...reachOf(place, config),
    // Binary in both directions: API Gateway and the function exchange base64.
    binaryMediaTypes: ["*/*"],
    defaultMethodOptions: { authorizationType: AuthorizationType.IAM },
    // Shared by all APIs of the account and Region, so it is retained.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: STAGE,
      throttlingRateLimit: 50,
      throttlingBurstLimit: 100,
      tracingEnabled: false,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      accessLogDestination: new LogGroupLogDestination(createLogGroup(place, "AccessLog", config)),
      accessLogFormat: AccessLogFormat.jsonWithStandardFields(),
    },
  });

/** Otherwise API Gateway creates the log group itself, without expiry and outside the stack. */
function keepExecutionLog(place: Construct, rest: RestApi, config: CloudConfig): void {
  const logGroupName = `API-Gateway-Execution-Logs_${rest.restApiId}/${STAGE}`;
  // Its name is known before the stage is: created after it, the group would exist already, and the deployment fail.
  rest.deploymentStage.node.addDependency(createLogGroup(place, "ExecutionLog", { ...config, logGroupName }));
}

function acknowledgeFindings(rest: RestApi): void {
  acknowledge(rest, "AwsSolutions-APIG2", "The function checks every request against the schemas of its document.");
  acknowledge(rest, "AwsSolutions-APIG3", "IAM lets nobody in without a signature; a firewall would cost while idle.");
  acknowledge(rest, "AwsSolutions-COG4", "Every method needs IAM authorisation.");
  acknowledge(
    rest,
    "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
    "API Gateway documents this policy for its account-wide log role.",
  );
}
