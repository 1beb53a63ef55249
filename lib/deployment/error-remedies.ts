/** What to do about an error of AWS, by its code, or by the name of what it is about. Pure. */

const SIGN_IN =
  "Sign in (aws sso login, or aws configure), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (deploy, destroy and doctor take --profile NAME too).";

/** The first row that has a code of the error applies: narrow ones come before wide ones. */
export const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [
    ["Region is missing", "Region not accepted"],
    "Set AWS_REGION, to eu-west-1 for example (deploy, destroy and doctor take --region R too).",
  ],
  [
    ["ExpiredToken", "RequestExpired"],
    "Sign in again (aws sso login), then the same command again; CloudFormation continues meanwhile.",
  ],
  [["CredentialsProviderError", "TokenProviderError", "InvalidClientTokenId", "UnrecognizedClient"], SIGN_IN],
  [["InvalidSignature", "SignatureDoesNotMatch", "AuthFailure"], SIGN_IN],
  [["Throttl", "TooManyRequests", "SlowDown"], "AWS throttles. Try again in a minute."],
  [
    ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "TimeoutError", "ECONNRESET", "ETIMEDOUT"],
    "Is there a network, and is the region's name right?",
  ],
  [
    ["ReservedConcurrentExecutions"],
    'Remove "reservedConcurrency" from l2mac.cloud.json, or request a higher Lambda quota "Concurrent executions" (L-B99A9384).',
  ],
  [["Cannot update GSI"], 'Version 0.1.0 created this table: set "wideIndexes": true in l2mac.cloud.json.'],
  [["TenancyConfig", "PER_TENANT", "enant isolation"], 'Set "evaluator": { "tenants": false }.'],
  [["SourceFunctionArn"], 'Set "evaluator": { "denyRole": false }.'],
  [["EnableDnsSupport"], 'Set "evaluator": { "noDns": false }.'],
  [["MemorySize"], 'New accounts have 3008 MB: set "evaluator": { "memoryMb": 3008 } or less, or ask AWS for more.'],
  [
    ["DependencyViolation", "has a dependent object", "BucketNotEmpty"],
    "Run the same command again: Lambda releases the interfaces of the evaluator's network up to 40 minutes late.",
  ],
  [
    ["CreateNetworkInterface", "VpcLimitExceeded", "EniLimitExceeded", "ENILimit", "SubnetOutOfIP", "AWS::EC2::"],
    'Request a higher quota (VPCs per region: L-F678F1CE), or do without the evaluator\'s network: "evaluator": { "vpc": false }. Where an explicit deny is named: "evaluator": { "denyRole": false }.',
  ],
  [
    ["exec format error", "InvalidEntrypoint"],
    'Image and function differ in architecture: remove "evaluator.architecture", or set it to that of "evaluator.image".',
  ],
  [
    ["InvalidImage", "ImageAccessDenied", "ImageDeleted", "ImageNotFound", "RepositoryNotFound"],
    "The image must be in ECR in this region, built with --provenance=false --sbom=false, and lambda.amazonaws.com must be allowed to pull it.",
  ],
  [
    ["AccountLimitExceeded"],
    'Request the quota "Concurrently running builds" of CodeBuild, or build the image elsewhere: docs/deploy.md#without-docker.',
  ],
  [["ARM_CONTAINER"], 'CodeBuild has no ARM computer here: set "evaluator": { "architecture": "x86_64" }.'],
  [
    ["AWS::CodeBuild::"],
    'Without CodeBuild, build the image with Docker ("evaluator": { "build": "docker" }), or elsewhere: docs/deploy.md#without-docker.',
  ],
  [
    ["Custom::EvaluatorImage"],
    "Read the log that the error names, and run the same command again; or build the image elsewhere: docs/deploy.md#without-docker.",
  ],
  [
    ["KMSAccessDenied", "KMS.", "kms:"],
    'Add the statements of docs/deploy.md#a-key-of-your-own to the policy of the key, or remove "kmsKeyArn".',
  ],
  [["nodejs24.x"], "The region does not offer Node 24 for Lambda yet: deploy to another, such as --region eu-west-1."],
  [["StateMachineDeleting"], "The destroyed stack still ends its executions: wait some minutes, then run it again."],
  [["API-Gateway-Execution-Logs_"], "Run the same command again: each attempt has a new API, and a new log group."],
  [
    ["AlreadyExists", "already exists"],
    'Another deployment has this name: destroy it, remove what the error names, or set another "stackName".',
  ],
  [["TerminationProtection"], "Turn the stack's protection from deletion off in the console."],
  [
    ["AccessDenied", "UnauthorizedOperation", "not authorized to perform"],
    "Ask for this permission, or have your organization's policy allow it; docs/deploy.md lists all that are needed.",
  ],
];

export const remedyFor = (said: string): string | undefined =>
  REMEDIES.find(([codes]) => codes.some((code) => said.includes(code)))?.[1];
