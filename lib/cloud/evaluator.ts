/** The evaluator: a function from an image that runs generated code, isolated as far as the account allows. */
import { Aws, Duration, Size, Stack } from "aws-cdk-lib";
import { Repository } from "aws-cdk-lib/aws-ecr";
import { Platform } from "aws-cdk-lib/aws-ecr-assets";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  DockerImageCode,
  DockerImageFunction,
  type Function as LambdaFunction,
  LoggingFormat,
  TenancyConfig,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { EVALUATOR_INVOCATION_MS } from "../core/limits.ts";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { joinNetwork } from "./existing-network.ts";
import { createLogGroup, writingTo } from "./function.ts";
import { createImageBuild } from "./image-build.ts";
import { createIsolation } from "./isolation.ts";
import { allow } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface EvaluatorParts {
  config: CloudConfig;
  /** The folder of the bundle that builds the image in the stack; unused if it is built elsewhere. */
  builderFolder: () => string;
  /** Whose packs the evaluator can be sent links to. */
  storage: Storage;
  /** The folder of the image; unused if an image is configured. */
  imageFolder: () => string;
  /** The architecture of the computer that deploys, and builds the image where no service does. */
  buildingOn: "arm64" | "x86_64";
}

export function createEvaluator(scope: Construct, parts: EvaluatorParts): LambdaFunction {
  const place = new Construct(scope, "Evaluator");
  const { config, buildingOn } = parts;
  const { evaluator, reservedConcurrency } = config;
  // CodeBuild builds the same image whatever computer deploys.
  const architecture = evaluator.architecture ?? (evaluator.build === "codebuild" ? "x86_64" : buildingOn);
  const onArm = architecture === "arm64";
  const image = evaluator.build === "codebuild" ? createImageBuild(place, { ...parts, architecture }) : undefined;
  const logGroup = createLogGroup(place, "Log", config);
  const made = new DockerImageFunction(place, "Function", {
    description: "Checks and tests generated code, with nothing to steal and no way out.",
    code: image ? DockerImageCode.fromEcr(image.repository, { tagOrDigest: image.tag }) : codeOf(place, parts, onArm),
    architecture: onArm ? Architecture.ARM_64 : Architecture.X86_64,
    memorySize: evaluator.memoryMb,
    ephemeralStorageSize: Size.gibibytes(2),
    timeout: Duration.millis(EVALUATOR_INVOCATION_MS),
    role: createEvaluatorRole(place, config, logGroup),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // Tracing would need permissions.
    tracing: Tracing.DISABLED,
    ...(evaluator.vpc ? (joinNetwork(place, config) ?? createIsolation(place, config, parts.storage)) : {}),
    ...(evaluator.tenants ? { tenancyConfig: TenancyConfig.PER_TENANT } : {}),
    ...(reservedConcurrency.evaluator === undefined
      ? {}
      : { reservedConcurrentExecutions: reservedConcurrency.evaluator }),
  });
  if (image) made.node.addDependency(image.built);
  return made;
}

function codeOf(place: Construct, { config, imageFolder }: EvaluatorParts, onArm: boolean): DockerImageCode {
  const { image } = config.evaluator;
  if (image === undefined)
    return DockerImageCode.fromImageAsset(imageFolder(), {
      platform: onArm ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
    });
  const [, account = "", region = "", name = "", tagOrDigest = ""] =
    /^(\d+)\.dkr\.ecr\.([^.]+)\.[^/]+\/([^@:]+)[@:](.+)$/.exec(image) ?? [];
  const repositoryArn = Stack.of(place).formatArn({
    service: "ecr",
    account,
    region,
    resource: "repository",
    resourceName: name,
  });
  const repository = Repository.fromRepositoryAttributes(place, "Images", { repositoryArn, repositoryName: name });
  return DockerImageCode.fromEcr(repository, { tagOrDigest });
}

/** What Lambda itself needs to attach a function to a network. */
const NETWORK_ACTIONS = [
  "ec2:AssignPrivateIpAddresses",
  "ec2:CreateNetworkInterface",
  "ec2:DeleteNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:UnassignPrivateIpAddresses",
];

/** An inline policy: it must exist before the function does. */
function createEvaluatorRole(place: Construct, { evaluator }: CloudConfig, logGroup: LogGroup): Role {
  const statements = [
    writingTo(logGroup),
    ...(evaluator.vpc ? [allow(NETWORK_ACTIONS, "*")] : []),
    ...(evaluator.denyRole ? [denyingCode()] : []),
  ];
  const role = new Role(place, "Role", {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: "Lets Lambda run the evaluator, and code in it do nothing.",
    inlinePolicies: { sandbox: new PolicyDocument({ statements }) },
  });
  if (evaluator.vpc)
    acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "Lambda's network actions cannot be limited to a resource.");
  return role;
}

/**
 * Lambda sets lambda:SourceFunctionArn on requests of the code in a function, not on its own. The pattern matches any
 * function: the evaluator's own name would make role and function depend on each other.
 */
const denyingCode = (): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.DENY,
    notActions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: ["*"],
    conditions: {
      ArnLike: {
        "lambda:SourceFunctionArn": `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:*`,
      },
    },
  });
