/** What is to be done about a failed deployment, by what AWS, cdk or Docker said. Pure. */

export interface Remedy {
  /** The field of l2mac.cloud.json that is to be changed, where one helps. */
  field?: string;
  /** The words that it matches. */
  when: RegExp;
  says: string;
}

const turnOff = (name: string): string => `"evaluator": { "${name}": false }`;

/** The first of each field that matches counts; the narrower stand before the wider. */
export const REMEDIES: readonly Remedy[] = [
  {
    when: /explicit deny in a (service|resource) control policy/i,
    says: "A policy of your organization refuses it. Ask whoever runs the organization, or deploy to another account.",
  },
  {
    field: "reservedConcurrency",
    when: /ReservedConcurrentExecutions|UnreservedConcurrentExecution/,
    says: 'The account has too little concurrency to reserve any of it. Take "reservedConcurrency" out of l2mac.cloud.json, or have the Lambda quota "Concurrent executions" (L-B99A9384) raised.',
  },
  {
    field: "evaluator.tenants",
    when: /TenancyConfig|tenant[- ]?(isolation|id\b)|PER_TENANT/i,
    says: `The account or region does not take a function like this with tenant isolation. Turn it off: ${turnOff("tenants")}. Runs then share the evaluator's environments, one after the other.`,
  },
  {
    field: "evaluator.denyRole",
    when: /SourceFunctionArn|(NetworkInterface|Evaluator|logs:(Put|Create))[^\n]*explicit deny|explicit deny[^\n]*(NetworkInterface|Evaluator|logs:(Put|Create))/i,
    says: `The role that denies whatever generated code asks for denies Lambda itself something. Turn it off: ${turnOff("denyRole")}. The role then still allows nothing but its own log and network.`,
  },
  {
    field: "evaluator.noDns",
    when: /EnableDnsSupport|DNS (support|resolution|server)/i,
    says: `A network without a name server is not taken. Turn that off: ${turnOff("noDns")}. Names can then be looked up from the evaluator; nothing else gets out.`,
  },
  {
    field: "evaluator.vpc",
    when: /CreateNetworkInterface|VpcLimitExceeded|maximum number of (VPCs|network interfaces)|ENI ?Limit|EniLimitExceeded|SubnetOutOfIPAddresses|AWS::EC2::(VPC|Subnet|RouteTable|SecurityGroup|FlowLog)\b.*\|? ?\bfail|(CREATE|UPDATE)_FAILED +\| AWS::EC2::/i,
    says: `The evaluator's own network cannot be made or joined. Have the quota raised (VPCs per region: L-F678F1CE), or do without: ${turnOff("vpc")}. The evaluator can then reach the internet.`,
  },
  {
    field: "evaluator.architecture",
    when: /exec format error|Runtime\.InvalidEntrypoint|no match for platform|does not match the (specified|detected) (platform|architecture)|architecture.*(mismatch|not match)/i,
    says: 'The image is for another processor than the function. Take "evaluator.architecture" out of l2mac.cloud.json, so that both are as this computer; or let Docker emulate the other one: docker run --privileged --rm tonistiigi/binfmt --install all. With a given image, say its own: "evaluator": { "architecture": "arm64" } or "x86_64".',
  },
  {
    field: "evaluator.image",
    when: /image manifest|media type.*not supported/i,
    says: "Lambda does not take the form of the image: build it with docker buildx build --provenance=false --sbom=false, push it, and name it again with --evaluator-image.",
  },
  {
    field: "evaluator.image",
    when: /Source image .* (does not exist|is not valid)|ImageNotFound|RepositoryNotFound|(permission|access).*(ECR|the image)/i,
    says: "The evaluator's image is not there, or Lambda may not fetch it: it must lie in ECR in the same region, and a repository of another account must let lambda.amazonaws.com fetch from it.",
  },
  {
    when: /Cannot connect to the Docker daemon|docker(: command)? not found|spawn docker ENOENT|Unable to execute 'docker'|docker daemon (is )?not running/i,
    says: "Docker is needed to build the evaluator's image, and does not answer: start it, or name an image that is in ECR already with --evaluator-image.",
  },
  {
    when: /no space left on device/i,
    says: "The disk is full. docker system prune frees what Docker no longer needs.",
  },
  {
    when: /cdk-bootstrap\/\w+\/version|has (it|the environment) been bootstrapped|(is|not) bootstrapped|bootstrap stack version/i,
    says: "CDK was not prepared here, or by an older version: npx cdk bootstrap aws://ACCOUNT/REGION",
  },
  {
    when: /ExpiredToken|security token .* expired|credentials have expired/i,
    says: "The credentials expired on the way. CloudFormation goes on by itself: sign in again, then run the same command again; it waits for what is under way.",
  },
  {
    when: /CloudWatch Logs role ARN must be set/i,
    says: "API Gateway had not noticed its log role yet. Run the same command again.",
  },
  {
    when: /nodejs24\.x.*(failed to satisfy|not supported)|Unsupported runtime/i,
    says: "The region does not offer Node 24 for Lambda yet. Deploy to another one: --region eu-west-1",
  },
  {
    when: /is in \w*ROLLBACK_FAILED|UPDATE_ROLLBACK_FAILED|DELETE_FAILED state/,
    says: "The stack stands where CloudFormation cannot go on by itself: see its events in the console; destroying the stack removes it and keeps the runs.",
  },
  {
    when: /_IN_PROGRESS state/,
    says: "Something is under way with this stack already. Wait for it, then run the same command again.",
  },
  {
    when: /AccessDenied|is not authorized to perform/i,
    says: "A permission is missing; docs/deploy.md lists what deploying needs.",
  },
];

/** At most one for each field, and those without a field only where no field helps. */
export function remediesFor(said: string): Remedy[] {
  const matching = REMEDIES.filter(({ when }) => when.test(said));
  const [first] = matching;
  if (!first) return [];
  if (first.field === undefined) return [first];
  const fields = new Map(
    matching.flatMap((remedy) => (remedy.field ? [[remedy.field, remedy] as const] : [])).reverse(),
  );
  // A denial names the action that was denied: that is not the network's fault.
  if (fields.has("evaluator.denyRole")) fields.delete("evaluator.vpc");
  return matching.filter((remedy) => remedy.field !== undefined && fields.get(remedy.field) === remedy);
}

/** Of a stack that is being deleted. */
const DELETION_REMEDIES: readonly Remedy[] = [
  {
    when: /dependent object|has dependencies|in use|network interface/i,
    says: "Lambda has not yet given back its network interfaces, which takes up to 40 minutes. Wait, then run the same command again.",
  },
  {
    when: /bucket.*not empty|BucketNotEmpty/i,
    says: "A bucket got new log lines meanwhile. Run the same command again: it is emptied once more.",
  },
  {
    when: /deletion protection|TerminationProtection|termination protection/i,
    says: "Something is protected from deletion. Take the protection off in the console, then run the same command again.",
  },
];

export const deletionRemediesFor = (said: string): Remedy[] =>
  [...DELETION_REMEDIES, ...REMEDIES.filter(({ field }) => field === undefined)]
    .filter(({ when }) => when.test(said))
    .slice(0, 1);
