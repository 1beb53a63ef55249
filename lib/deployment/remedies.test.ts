import { describe, expect, it } from "vitest";
import { deletionAdvice, REMEDIES, remediesFor } from "./remedies.ts";

const failed = (type: string, why: string): string =>
  `L2mac |  41/97 | 10:02:11 AM | CREATE_FAILED        | ${type} | Evaluator/Function (Ev1) Resource handler returned message: "${why}" (RequestToken: 1, HandlerErrorCode: InvalidRequest)`;

describe("the remedy for a failed deployment", () => {
  it.each([
    [
      "evaluator.tenants",
      failed("AWS::Lambda::Function", "Tenant isolation mode is not supported for functions with VPC configuration."),
    ],
    [
      "evaluator.tenants",
      failed("AWS::Lambda::Function", "Model validation failed (#: extraneous key [TenancyConfig] is not permitted)"),
    ],
    [
      "evaluator.vpc",
      failed(
        "AWS::Lambda::Function",
        "The provided execution role does not have permissions to call CreateNetworkInterface on EC2",
      ),
    ],
    [
      "evaluator.vpc",
      failed("AWS::EC2::VPC", "The maximum number of VPCs has been reached. (Service: Ec2, Status Code: 400)"),
    ],
    ["evaluator.vpc", "EniLimitExceeded The account's limit for network interfaces was reached"],
    [
      "evaluator.zones",
      failed(
        "AWS::Lambda::Function",
        "The provided subnets contain availability zone Lambda doesn't support: [us-east-1e]. (Service: Lambda, Status Code: 400)",
      ),
    ],
    [
      "evaluator.memoryMb",
      failed(
        "AWS::Lambda::Function",
        "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008",
      ),
    ],
    ["evaluator.noDns", failed("AWS::Lambda::Function", "The VPC must have DNS support enabled (EnableDnsSupport).")],
    [
      "evaluator.denyRole",
      failed(
        "AWS::Lambda::Function",
        "Role is not authorized to perform: ec2:CreateNetworkInterface with an explicit deny in an identity-based policy",
      ),
    ],
    ["wideIndexes", failed("AWS::DynamoDB::Table", "Cannot update GSI's properties other than Provisioned Throughput")],
    ...[10, 50, 100].map((least) => [
      "reservedConcurrency",
      failed(
        "AWS::Lambda::Function",
        `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${least}].`,
      ),
    ]),
    ["evaluator.architecture", "#7 0.213 exec /bin/sh: exec format error"],
    ["evaluator.architecture", "Runtime.InvalidEntrypoint ProcessSpawnFailed"],
    ["evaluator.build", "Template format error: Unrecognized resource types: [AWS::CodeBuild::Project]"],
    ["evaluator.architecture", "Invalid environment type ARM_CONTAINER for this region (Service: CodeBuild)"],
    [
      "evaluator.image",
      "The image manifest, config or layer media type for the source image 1.dkr.ecr/x is not supported.",
    ],
    ["evaluator.image", "Source image 123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac:1 does not exist."],
  ])("turns off %s, and nothing else", (field, said) => {
    expect(remediesFor(said).map((remedy) => remedy.field)).toEqual([field]);
  });

  it.each([
    [
      "an organization's policy",
      "User is not authorized to perform: ec2:CreateVpc with an explicit deny in a service control policy",
      /organization/,
    ],
    [
      "a dashboard of the same name",
      failed("AWS::CloudWatch::Dashboard", "Dashboard 'L2mac-eu-west-1' already exists"),
      /all Regions share their names.*stackName/,
    ],
    [
      "a stopped Docker",
      "ERROR: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
      /"build": "codebuild"/,
    ],
    [
      "a build of the image that fails",
      "Received response status [FAILED] from custom resource. Message returned: The build of the evaluator's image failed in the phase BUILD: exit status 1. Its log: https://console.aws.amazon.com/x",
      /^The log that the error names/,
    ],
    [
      "a build of the image that lasts too long",
      "The build of the evaluator's image takes too long. Its log: https://console.aws.amazon.com/x",
      /^CodeBuild was busy or slow/,
    ],
    [
      "a new account without builds",
      "The build of the evaluator's image could not be started or watched: AccountLimitExceededException: Cannot have more than 0 builds in queue for the account",
      /Concurrently running builds/,
    ],
    [
      "a missing bootstrap",
      "SSM parameter /cdk-bootstrap/hnb659fds/version not found. Has the environment been bootstrapped?",
      /cdk bootstrap/,
    ],
    ["expired credentials", "ExpiredToken: The security token included in the request is expired", /sign in again/],
    [
      "a log role that API Gateway does not see yet",
      "CloudWatch Logs role ARN must be set in account settings to enable logging",
      /same command again/,
    ],
    [
      "a role that Lambda does not see yet",
      "The role defined for the function cannot be assumed by Lambda. (Service: Lambda, Status Code: 400)",
      /not known everywhere yet/,
    ],
    [
      "a role that Step Functions does not see yet",
      "Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume the provided role.",
      /not known everywhere yet/,
    ],
    [
      "a log that Step Functions may not write yet",
      "The state machine IAM Role is not authorized to access the Log Destination (Service: AWSStepFunctions)",
      /not known everywhere yet/,
    ],
    ["a missing permission", "AccessDenied: User: u is not authorized to perform: sts:AssumeRole", /docs\/deploy\.md/],
    [
      "another operation in progress",
      "Stack:arn is in UPDATE_IN_PROGRESS state and can not be updated.",
      /in progress/,
    ],
    [
      "a log group that API Gateway created first",
      failed(
        "AWS::Logs::LogGroup",
        "Resource of type 'AWS::Logs::LogGroup' with identifier '{\"/properties/LogGroupName\":\"API-Gateway-Execution-Logs_abc/v1\"}' already exists.",
      ),
      /same command again/,
    ],
    [
      "a name that is taken",
      failed(
        "AWS::StepFunctions::StateMachine",
        "State Machine Already Exists: 'arn:aws:states:eu-west-1:1:stateMachine:L2mac-control-unit' already exists",
      ),
      /"stackName"/,
    ],
    [
      "a control unit that is still being deleted",
      failed(
        "AWS::StepFunctions::StateMachine",
        "State Machine is being deleted: 'arn:aws:states:eu-west-1:1:stateMachine:L2mac-control-unit' (Service: Sfn, Status Code: 400)",
      ),
      /Wait some minutes/,
    ],
    [
      "an ARN of another partition",
      failed(
        "AWS::StepFunctions::StateMachine",
        "SCHEMA_VALIDATION_FAILED: The resource provided arn:aws:states:::lambda:invoke is not recognized. The value is not a valid resource ARN.",
      ),
      /regions that are supported/,
    ],
  ])("of %s is no switch", (_, said, remedy) => {
    const [only, ...more] = remediesFor(said);
    expect([only?.field, more]).toEqual([undefined, []]);
    expect(only?.advice).toMatch(remedy);
  });

  it("is none for unknown messages, and for what succeeded", () => {
    expect(remediesFor("An unknown message")).toEqual([]);
    expect(
      remediesFor("L2mac | 3/97 | 10:02:11 AM | CREATE_COMPLETE | AWS::EC2::VPC | Evaluator/Network (N1)"),
    ).toEqual([]);
  });

  it("names only fields that the configuration has", () => {
    const fields = [...new Set(REMEDIES.flatMap(({ field }) => (field ? [field] : [])))];
    expect(fields.toSorted()).toEqual(
      ["architecture", "build", "denyRole", "image", "memoryMb", "noDns", "tenants", "vpc", "zones"]
        .map((name) => `evaluator.${name}`)
        .concat("kmsKeyArn", "permissionsBoundary", "reservedConcurrency", "wideIndexes"),
    );
  });
});

it.each([
  ["resource sg-0abc has a dependent object", /40 minutes/],
  ["The bucket you tried to delete is not empty", /emptied once more/],
  ["Stack [L2mac] cannot be deleted while TerminationProtection is enabled", /protection off/],
])("a deletion that fails with %j gets advice", (said, remedy) => {
  expect(deletionAdvice(said)[0]).toMatch(remedy);
});
