/** The types shared by the parts of the rehearsal: the simulated deployment, IAM, requests and services. */

/** Made from the template and the assets that `cdk deploy` would send; every intrinsic is resolved. */
export interface Deployment {
  partition: string;
  region: string;
  account: string;
  stackName: string;
  resources: Readonly<Record<string, DeployedResource>>;
  outputs: Readonly<Record<string, string>>;
}

export interface DeployedResource {
  /** As the template calls it. */
  logicalId: string;
  /** `AWS::Lambda::Function` … */
  type: string;
  /** What `Ref` gives: a name, an ARN or a URL, as CloudFormation documents it for the type. */
  ref: string;
  /** What `Fn::GetAtt … Arn` gives; absent where the type has none. */
  arn?: string;
  properties: Readonly<Record<string, unknown>>;
  /** Of a function: where its code is, copied to where no packages can be found. */
  codeFolder?: string;
}

/** A request in the words of IAM. */
export interface Ask {
  /** `dynamodb:PutItem` */
  action: string;
  /** An ARN. */
  resource: string;
  /** Condition keys of this request, in lower case, beyond those that every request has. */
  context?: Readonly<Record<string, string>>;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** A caller: a role's session, or a user. */
export interface Principal {
  /** The ARN that IAM shows: of the user, or of the role's session. */
  arn: string;
  /** What the ledger and messages call it: the role's logical id, or the user's name. */
  name: string;
  credentials: Credentials;
}

export interface Denial {
  principal: string;
  action: string;
  resource: string;
  /** As AWS words it. */
  message: string;
}

/** IAM: identifies callers and authorises requests. What it does not know, it refuses. */
export interface Iam {
  /** A session of a role of the template. The service must be one that the role's trust policy names. */
  assume(roleArn: string, service: string): Principal;
  /** A user outside the stack, with its own policy. */
  user(name: string, statements: PolicyStatement[]): Principal;
  /** By access key; undefined if it is unknown. */
  find(accessKeyId: string): Principal | undefined;
  /** Undefined: allowed, and noted in the ledger. All asks must be allowed. */
  authorise(principal: Principal, asks: Ask[]): Denial | undefined;
  ledger: Ledger;
}

export interface PolicyStatement {
  Effect: "Allow" | "Deny";
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
}

/** Which Allow action of which role was used, and what was denied. */
export interface Ledger {
  uses: Use[];
  denials: Denial[];
}

export interface Use {
  principal: string;
  /** Where the statement stands among those of its role, counted from 0. */
  statement: number;
  /** As it is written in the policy: perhaps with a wildcard. */
  action: string;
}

/** One call between two parts, for the log. */
export interface Hop {
  from: string;
  to: string;
  what: string;
  answer: string;
}

/** A request as it came over the wire, whole. */
export interface WireRequest {
  method: string;
  /** Path and query, as they stood in the first line: not decoded. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface WireAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Lambda's own API: another part that invokes a function. It asks IAM as the caller, or the function's resource policy. */
export interface Functions {
  invoke(asked: Invocation): Promise<InvocationResult>;
  stop(): Promise<void>;
}

export interface Invocation {
  functionArn: string;
  /** JSON text. */
  payload: string;
  tenantId?: string;
}

export interface InvocationResult {
  /** JSON text: what the function answered, or its error as Lambda tells it. */
  payload: string;
  /** Absent: it answered. */
  functionError?: "Unhandled";
  requestId: string;
  millis: number;
}

/** Something of AWS that the rehearsal plays itself, behind the proxy and after IAM has let the request through. */
export type Service = (request: WireRequest, principal: Principal) => Promise<WireAnswer>;
