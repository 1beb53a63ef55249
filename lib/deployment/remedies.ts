/** What to do about a failed deployment, by the messages of AWS, cdk and Docker. Pure. */

export interface Remedy {
  /** The field of l2mac.cloud.json to change, if one helps. */
  field?: string;
  when: RegExp;
  advice: string;
}

const turnOff = (name: string): string => `"evaluator": { "${name}": false }`;

/** Of each field the first match applies: narrow patterns come before wide ones. */
export const REMEDIES: readonly Remedy[] = [
  {
    when: /explicit deny in a (service|resource) control policy/i,
    advice: "A policy of your organization denies it. Ask its administrator, or deploy to another account.",
  },
  {
    field: "reservedConcurrency",
    when: /ReservedConcurrentExecutions|UnreservedConcurrentExecution/,
    advice:
      'The account has too little concurrency to reserve any. Remove "reservedConcurrency" from l2mac.cloud.json, or request a higher Lambda quota "Concurrent executions" (L-B99A9384).',
  },
  {
    field: "wideIndexes",
    when: /Cannot update GSI|more than one GSI/i,
    advice:
      'Version 0.1.0 created the table with indexes that CloudFormation cannot change. Set "wideIndexes": true in l2mac.cloud.json.',
  },
  {
    field: "evaluator.tenants",
    when: /TenancyConfig|tenant[- ]?(isolation|id\b)|PER_TENANT/i,
    advice: `The account or region does not support tenant isolation for this function. Turn it off: ${turnOff("tenants")}. Runs then share the evaluator's execution environments, one after the other.`,
  },
  {
    field: "evaluator.denyRole",
    when: /SourceFunctionArn|(NetworkInterface|Evaluator|logs:(Put|Create))[^\n]*explicit deny|explicit deny[^\n]*(NetworkInterface|Evaluator|logs:(Put|Create))/i,
    advice: `The role that denies everything to generated code also denies something to Lambda itself. Turn it off: ${turnOff("denyRole")}. The role then still allows only its own log and network.`,
  },
  {
    field: "evaluator.noDns",
    when: /EnableDnsSupport|DNS (support|resolution|server)/i,
    advice: `A network without DNS is not accepted. Turn that off: ${turnOff("noDns")}. The evaluator can then resolve names; nothing else gets out.`,
  },
  {
    field: "evaluator.zones",
    when: /availability zones?\b[^\n]{0,60}Lambda doesn't support|Lambda doesn't support[^\n]{0,60}availability zone/i,
    advice:
      'A zone of the evaluator\'s network does not offer Lambda in this account. Name two others of the region in l2mac.cloud.json: "evaluator": { "zones": ["us-east-1b", "us-east-1c"] }.',
  },
  {
    field: "evaluator.memoryMb",
    when: /MemorySize[^\n]{0,80}less than or equal to \d|memory size[^\n]{0,60}(quota|limit)/i,
    advice:
      'The account allows its functions less memory: new accounts have 3008 MB. Set "evaluator": { "memoryMb": 3008 } or less, or ask AWS support for more.',
  },
  {
    field: "evaluator.vpc",
    when: /CreateNetworkInterface|VpcLimitExceeded|maximum number of (VPCs|network interfaces)|ENI ?Limit|EniLimitExceeded|SubnetOutOfIPAddresses|AWS::EC2::(VPC|Subnet|RouteTable|SecurityGroup|FlowLog)\b.*\|? ?\bfail|(CREATE|UPDATE)_FAILED +\| AWS::EC2::/i,
    advice: `The evaluator's own network cannot be created or joined. Request a higher quota (VPCs per region: L-F678F1CE), or turn it off: ${turnOff("vpc")}. The evaluator can then reach the internet.`,
  },
  {
    field: "evaluator.architecture",
    when: /exec format error|Runtime\.InvalidEntrypoint|no match for platform|does not match the (specified|detected) (platform|architecture)|architecture.*(mismatch|not match)/i,
    advice:
      'The image and the function have different architectures. Remove "evaluator.architecture" from l2mac.cloud.json, so that both are those of this computer; or let Docker emulate the other one: docker run --privileged --rm tonistiigi/binfmt --install all. With "evaluator.image", set its architecture: "evaluator": { "architecture": "arm64" } or "x86_64".',
  },
  {
    field: "evaluator.image",
    when: /image manifest|media type.{0,200}not supported/i,
    advice:
      "Lambda does not support the image's format: build it with docker buildx build --provenance=false --sbom=false, push it, and pass it again with --evaluator-image.",
  },
  {
    field: "evaluator.image",
    when: /Source image .* (does not exist|is not valid)|ImageNotFound|RepositoryNotFound|(permission|access).*(ECR|the image)/i,
    advice:
      "The evaluator's image does not exist, or Lambda may not pull it: it must be in ECR in the same region, and a repository of another account must allow lambda.amazonaws.com to pull it.",
  },
  {
    when: /AccountLimitExceeded[^\n]{0,200}builds?\b|Cannot have more than \d+ (active )?builds/i,
    advice:
      'CodeBuild may not run a build in this account yet. Request the quota "Concurrently running builds" of its Linux/Small environment (ARM/Small on arm64) in Service Quotas, or build the image with Docker, or elsewhere: docs/deploy.md#without-docker.',
  },
  {
    field: "evaluator.build",
    when: /Unrecognized resource types?:[^\n]*AWS::CodeBuild|AWS::CodeBuild::Project[^\n]{0,80}not (supported|available|exist)/i,
    advice:
      'This region has no CodeBuild. Build the image with Docker ("evaluator": { "build": "docker" }), or elsewhere: docs/deploy.md#without-docker.',
  },
  {
    field: "evaluator.architecture",
    when: /ARM_CONTAINER/,
    advice:
      'CodeBuild offers no ARM computer in this region. Set "evaluator": { "architecture": "x86_64" } in l2mac.cloud.json.',
  },
  {
    when: /build of the evaluator's image takes too long/,
    advice:
      "CodeBuild was busy or slow. Run the same command again; if that repeats, build the image elsewhere: docs/deploy.md#without-docker.",
  },
  {
    when: /build of the evaluator's image (failed|could not)/,
    advice:
      "The log that the error names shows the step that failed. A registry that was busy, or could not be reached, answers the next time: run the same command again. Otherwise build the image with Docker, or elsewhere: docs/deploy.md#without-docker.",
  },
  {
    when: /Cannot connect to the Docker daemon|docker(: command)? not found|spawn docker ENOENT|Unable to execute 'docker'|docker daemon (is )?not running/i,
    advice:
      'Docker is required to build the evaluator\'s image, and does not answer. Start it, or let CodeBuild build it in the account: "evaluator": { "build": "codebuild" }; npx l2mac deploy does so by itself.',
  },
  {
    when: /no space left on device/i,
    advice: "The disk is full. docker system prune removes what Docker no longer needs.",
  },
  {
    when: /cdk-bootstrap\/\w+\/version|has (it|the environment) been bootstrapped|(is|not) bootstrapped|bootstrap stack version/i,
    advice:
      "The account is not bootstrapped for CDK in this region, or by an older version: npx cdk bootstrap aws://ACCOUNT/REGION",
  },
  {
    when: /ExpiredToken|security token .* expired|credentials have expired/i,
    advice:
      "The credentials expired during the deployment. CloudFormation continues: sign in again, then run the same command again; it waits for the deployment in progress.",
  },
  {
    when: /CloudWatch Logs role ARN must be set/i,
    advice: "API Gateway does not see its new log role yet. Run the same command again.",
  },
  {
    when: /role[^\n]{0,80}cannot be assumed by|(regional one|not) (is )?authorized to assume the provided role|Role is not authorized to access the Log Destination/i,
    advice: "A role that was just created is not known everywhere yet. Run the same command again.",
  },
  {
    when: /API-Gateway-Execution-Logs_[^\n]{0,300}already exists|already exists[^\n]{0,300}API-Gateway-Execution-Logs_/i,
    advice:
      "API Gateway created the log group of its stage before CloudFormation did. Run the same command again: each attempt has a new API, and a new name for the group.",
  },
  {
    when: /(control-unit|vendedlogs)[^\n]{0,300}already exists|already exists[^\n]{0,300}(control-unit|vendedlogs)/i,
    advice:
      'A resource of this name is left from another deployment. Destroy that one, remove what the error names, or set another "stackName" in l2mac.cloud.json.',
  },
  {
    when: /dashboard[^\n]{0,200}already exists/i,
    advice:
      'The account has a dashboard of this name: all Regions share their names. Delete it in CloudWatch, or set another "stackName" in l2mac.cloud.json.',
  },
  {
    field: "kmsKeyArn",
    when: /KMS key does not exist or is not allowed to be used|kms:[A-Za-z]+[^\n]{0,200}(not authorized|denied)|(not authorized|denied)[^\n]{0,300}kms:|KMS\.|KMSAccessDenied/i,
    advice:
      'A service may not use the key of "kmsKeyArn": add the statements of docs/deploy.md ("A key of your own") to the policy of the key, or remove the field.',
  },
  {
    field: "permissionsBoundary",
    when: /permissions boundary/i,
    advice:
      'A permissions boundary denies it. Set "permissionsBoundary" in l2mac.cloud.json to the policy that your organization demands for new roles, and let that policy allow what the roles do.',
  },
  {
    when: /StateMachineDeleting|state machine[^\n]{0,80}(is )?being deleted|currently deleting/i,
    advice:
      "The control unit of the stack that was destroyed is still being deleted: it waits for its executions to end. Wait some minutes, then run the same command again.",
  },
  {
    when: /not a valid resource ARN|Invalid ARN|must be a valid ARN|SCHEMA_VALIDATION_FAILED[^\n]{0,300}Resource/i,
    advice:
      "The region belongs to a partition that does not take an ARN of the stack; docs/deploy.md lists the regions that are supported.",
  },
  {
    when: /nodejs24\.x.*(failed to satisfy|not supported)|Unsupported runtime/i,
    advice: "The region does not offer Node 24 for Lambda yet. Deploy to another one: --region eu-west-1",
  },
  {
    when: /is in \w*ROLLBACK_FAILED|UPDATE_ROLLBACK_FAILED|DELETE_FAILED state/,
    advice:
      "CloudFormation cannot continue by itself from this status: see the stack's events in the console; destroying the stack removes it and keeps the runs.",
  },
  {
    when: /_IN_PROGRESS state/,
    advice: "Another operation on this stack is in progress. Wait for it, then run the same command again.",
  },
  {
    when: /AccessDenied|is not authorized to perform/i,
    advice: "A permission is missing; docs/deploy.md lists those that deploying needs.",
  },
];

/** At most one for each field; one without a field only if it matches first. */
export function remediesFor(message: string): Remedy[] {
  const matching = REMEDIES.filter(({ when }) => when.test(message));
  const [first] = matching;
  if (!first) return [];
  if (first.field === undefined) return [first];
  const fields = new Map(
    matching.flatMap((remedy) => (remedy.field ? [[remedy.field, remedy] as const] : [])).reverse(),
  );
  // A denial names the denied network action; the network itself is not the cause.
  if (fields.has("evaluator.denyRole")) fields.delete("evaluator.vpc");
  return matching.filter((remedy) => remedy.field !== undefined && fields.get(remedy.field) === remedy);
}

export const adviceFor = (message: string): string[] => remediesFor(message).map(({ advice }) => advice);

/** For a stack that is being deleted. */
const DELETION_REMEDIES: readonly Remedy[] = [
  {
    when: /dependent object|has dependencies|in use|network interface/i,
    advice:
      "Lambda has not released its network interfaces yet, which takes up to 40 minutes. Wait, then run the same command again.",
  },
  {
    when: /bucket.*not empty|BucketNotEmpty/i,
    advice: "A bucket received new log lines meanwhile. Run the same command again: it is emptied once more.",
  },
  {
    when: /deletion protection|TerminationProtection|termination protection/i,
    advice:
      "Something is protected from deletion. Turn the protection off in the console, then run the same command again.",
  },
];

/** At most one. */
export const deletionAdvice = (message: string): string[] =>
  [...DELETION_REMEDIES, ...REMEDIES.filter(({ field }) => field === undefined)]
    .filter(({ when }) => when.test(message))
    .slice(0, 1)
    .map(({ advice }) => advice);
