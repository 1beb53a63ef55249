/** Builds the evaluator's image in the stack, for computers without Docker: CodeBuild, a repository, and who waits for it. */
import { Aws, CustomResource, Duration, RemovalPolicy } from "aws-cdk-lib";
import { CfnProject } from "aws-cdk-lib/aws-codebuild";
import { Repository, TagMutability, TagStatus } from "aws-cdk-lib/aws-ecr";
import { PolicyDocument, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import { buildSpec } from "./build-spec.ts";
import type { CloudConfig } from "./config.ts";
import { createLogGroup, writingTo } from "./function.ts";
import { allow } from "./statements.ts";

export interface ImageBuildParts {
  config: CloudConfig;
  /** The folder of the image. */
  imageFolder: () => string;
  /** The folder of the bundle of the function that starts the build and waits for it. */
  builderFolder: () => string;
  architecture: "arm64" | "x86_64";
}

export interface BuiltImage {
  repository: Repository;
  tag: string;
  /** There once the image is. */
  built: Construct;
}

/** CodeBuild ends a build after this; the function waits a little longer, as long as a function can. */
const BUILD_MINUTES = 13;
const FUNCTION_TIMEOUT = Duration.minutes(15);
/** CodeBuild removes a build that does not begin; the least that it accepts. */
const QUEUED_MINUTES = 5;
/** The one in use, the one to roll back to, and some that an update is replacing. */
const IMAGES_KEPT = 5;

export function createImageBuild(scope: Construct, parts: ImageBuildParts): BuiltImage {
  const place = new Construct(scope, "Image");
  const { config, architecture } = parts;
  const source = new Asset(place, "Source", { path: parts.imageFolder() });
  // The image of another processor is another one.
  const tag = `${architecture.replace("_", "-")}-${source.assetHash}`;
  const repository = new Repository(place, "Images", {
    imageTagMutability: TagMutability.IMMUTABLE,
    imageScanOnPush: true,
    removalPolicy: RemovalPolicy.DESTROY,
    emptyOnDelete: true,
    lifecycleRules: [{ maxImageCount: IMAGES_KEPT, tagStatus: TagStatus.ANY, description: "Older images go." }],
  });
  const project = createProject(place, { config, architecture, source, repository, tag });
  const builder = createBuilder(place, parts, project);
  const built = new CustomResource(place, "Built", {
    resourceType: "Custom::EvaluatorImage",
    serviceToken: builder.functionArn,
    serviceTimeout: FUNCTION_TIMEOUT.plus(Duration.minutes(2)),
    // A change of the source changes the tag, and so calls the function again.
    properties: { project: project.ref, image: tag },
  });
  return { repository, tag, built };
}

interface ProjectParts extends Pick<ImageBuildParts, "config" | "architecture"> {
  source: Asset;
  repository: Repository;
  tag: string;
}

function createProject(place: Construct, { config, architecture, source, repository, tag }: ProjectParts): CfnProject {
  // A build that fails while the stack is created takes the stack with it, and the error names this log.
  const log = createLogGroup(place, "BuildLog", { ...config, removalPolicy: RemovalPolicy.RETAIN });
  const role = createBuildRole(place, { source, repository, log });
  const onArm = architecture === "arm64";
  const variable = (name: string, value: string) => ({ name, value });
  const project = new CfnProject(place, "Project", {
    description: "Builds the image of L2MAC's evaluator.",
    serviceRole: role.roleArn,
    artifacts: { type: "NO_ARTIFACTS" },
    source: {
      type: "S3",
      location: `${source.s3BucketName}/${source.s3ObjectKey}`,
      buildSpec: buildSpec(onArm ? "linux/arm64" : "linux/amd64"),
    },
    environment: {
      type: onArm ? "ARM_CONTAINER" : "LINUX_CONTAINER",
      image: onArm ? "aws/codebuild/amazonlinux-aarch64-standard:3.0" : "aws/codebuild/amazonlinux-x86_64-standard:5.0",
      computeType: "BUILD_GENERAL1_SMALL",
      // Docker needs it.
      privilegedMode: true,
      environmentVariables: [
        variable("REGISTRY", `${Aws.ACCOUNT_ID}.dkr.ecr.${Aws.REGION}.${Aws.URL_SUFFIX}`),
        variable("REPOSITORY", repository.repositoryName),
        variable("TAG", tag),
      ],
    },
    logsConfig: { cloudWatchLogs: { status: "ENABLED", groupName: log.logGroupName } },
    timeoutInMinutes: BUILD_MINUTES,
    queuedTimeoutInMinutes: QUEUED_MINUTES,
  });
  acknowledge(project, "AwsSolutions-CB4", "A build leaves no artifacts that a key could encrypt.");
  return project;
}

/** Inline policies: they must exist before a build does. */
function createBuildRole(place: Construct, parts: { source: Asset; repository: Repository; log: LogGroup }): Role {
  const { source, repository, log } = parts;
  const statements = [
    writingTo(log),
    allow(["s3:GetObject", "s3:GetObjectVersion"], source.bucket.arnForObjects(source.s3ObjectKey)),
    allow(["s3:GetBucketAcl", "s3:GetBucketLocation"], source.bucket.bucketArn),
    allow(["ecr:GetAuthorizationToken"], "*"),
    allow(
      [
        ...["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:CompleteLayerUpload", "ecr:DescribeImages"],
        ...["ecr:InitiateLayerUpload", "ecr:PutImage", "ecr:UploadLayerPart"],
      ],
      repository.repositoryArn,
    ),
  ];
  const role = new Role(place, "BuildRole", {
    assumedBy: new ServicePrincipal("codebuild.amazonaws.com"),
    description: "Lets CodeBuild build the evaluator's image and push it.",
    inlinePolicies: { build: new PolicyDocument({ statements }) },
  });
  acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "A token of the registry cannot be limited to a resource.");
  return role;
}

function createBuilder(
  place: Construct,
  { config, builderFolder }: ImageBuildParts,
  project: CfnProject,
): LambdaFunction {
  const logGroup = createLogGroup(place, "BuilderLog", config);
  const statements = [
    writingTo(logGroup),
    allow(["codebuild:BatchGetBuilds", "codebuild:StartBuild"], project.attrArn),
  ];
  const role = new Role(place, "BuilderRole", {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: "What the function that starts the build of the image may do.",
    inlinePolicies: { builder: new PolicyDocument({ statements }) },
  });
  return new LambdaFunction(place, "Builder", {
    description: "Builds the evaluator's image when the stack is deployed.",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(builderFolder()),
    handler: "entry.handler",
    memorySize: 256,
    timeout: FUNCTION_TIMEOUT,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
  });
}
