/** The physical names of resources by type, and their values of `Ref` and `Fn::GetAtt`. Pure. */
import { createHash } from "node:crypto";

/** Where a resource stands, with what the template says of it, resolved. */
export interface DeclaredResource {
  logicalId: string;
  type: string;
  properties: Readonly<Record<string, unknown>>;
  stackName: string;
  partition: string;
  region: string;
  account: string;
}

export interface Physical {
  ref: string;
  arn?: string;
  /** Beyond `Arn`. */
  attributes?: Record<string, string>;
}

export function physicalOf(declared: DeclaredResource): Physical {
  const make = TYPES[declared.type];
  if (!make) throw new Error(`What ${declared.type} (${declared.logicalId}) is called is not known.`);
  return make(declared);
}

type Make = (declared: DeclaredResource) => Physical;

/** As CloudFormation documents the return values of each type. */
const TYPES: Record<string, Make> = {
  "AWS::DynamoDB::Table": (it) => named(nameOf(it, "TableName", 255), (name) => arn(it, "dynamodb", `table/${name}`)),
  "AWS::S3::Bucket": (it) => {
    const ref = nameOf(it, "BucketName", 63).toLowerCase();
    return { ref, arn: `arn:${it.partition}:s3:::${ref}` };
  },
  "AWS::S3::BucketPolicy": (it) => ({ ref: text(it, "Bucket") }),
  "AWS::SecretsManager::Secret": (it) => {
    // Secrets Manager adds six characters of its own to the name.
    const made = arn(it, "secretsmanager", `secret:${nameOf(it, "Name", 512)}-${suffix(it, 6, "Secret")}`);
    return { ref: made, attributes: { Id: made } };
  },
  "AWS::KMS::Key": (it) => {
    const hex = id(it, "", 32);
    const ref = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    return { ref, arn: arn(it, "kms", `key/${ref}`), attributes: { KeyId: ref } };
  },
  "AWS::Logs::LogGroup": (it) =>
    named(nameOf(it, "LogGroupName", 512), (name) => arn(it, "logs", `log-group:${name}:*`)),
  "AWS::IAM::Role": (it) => {
    const ref = nameOf(it, "RoleName", 64);
    return {
      ref,
      arn: `arn:${it.partition}:iam::${it.account}:role/${ref}`,
      attributes: { RoleId: id(it, "AROA", 17) },
    };
  },
  "AWS::IAM::Policy": (it) => ({ ref: nameOf(it, "", 128) }),
  "AWS::Lambda::Function": (it) =>
    named(nameOf(it, "FunctionName", 64), (name) => arn(it, "lambda", `function:${name}`)),
  "AWS::Lambda::EventInvokeConfig": (it) => ({ ref: nameOf(it, "", 100) }),
  "AWS::Lambda::Permission": (it) => ({ ref: nameOf(it, "", 100) }),
  "AWS::StepFunctions::StateMachine": (it) => {
    const name = nameOf(it, "StateMachineName", 80);
    const made = arn(it, "states", `stateMachine:${name}`);
    return { ref: made, arn: made, attributes: { Name: name } };
  },
  "AWS::SQS::Queue": (it) => {
    const name = nameOf(it, "QueueName", 80);
    const url = `https://sqs.${it.region}.${urlSuffix(it.partition)}/${it.account}/${name}`;
    return { ref: url, arn: arn(it, "sqs", name), attributes: { QueueName: name, QueueUrl: url } };
  },
  "AWS::SQS::QueuePolicy": (it) => ({ ref: nameOf(it, "", 80) }),
  "AWS::SNS::Topic": (it) => {
    const name = nameOf(it, "TopicName", 256);
    return { ref: arn(it, "sns", name), attributes: { TopicName: name, TopicArn: arn(it, "sns", name) } };
  },
  "AWS::SNS::TopicPolicy": (it) => ({ ref: nameOf(it, "", 80) }),
  "AWS::SNS::Subscription": (it) => ({ ref: `${text(it, "TopicArn")}:${id(it, "", 32)}` }),
  "AWS::Events::Rule": (it) => named(nameOf(it, "Name", 64), (name) => arn(it, "events", `rule/${name}`)),
  "AWS::CloudWatch::Alarm": (it) =>
    named(nameOf(it, "AlarmName", 255), (name) => arn(it, "cloudwatch", `alarm:${name}`)),
  "AWS::CloudWatch::Dashboard": (it) => ({ ref: nameOf(it, "DashboardName", 255) }),
  "AWS::Logs::MetricFilter": (it) => ({ ref: nameOf(it, "FilterName", 512) }),
  "AWS::ApiGateway::RestApi": (it) => {
    const ref = id(it, "", 10);
    return { ref, attributes: { RestApiId: ref, RootResourceId: suffix(it, 10, "Root").toLowerCase() } };
  },
  "AWS::ApiGateway::Resource": (it) => ({ ref: id(it, "", 6) }),
  "AWS::ApiGateway::Method": (it) => ({ ref: nameOf(it, "", 128) }),
  "AWS::ApiGateway::Deployment": (it) => ({ ref: id(it, "", 6), attributes: { DeploymentId: id(it, "", 6) } }),
  "AWS::ApiGateway::Stage": (it) => ({ ref: text(it, "StageName") }),
  "AWS::ApiGateway::Account": (it) => ({ ref: nameOf(it, "", 128) }),
  "AWS::ApiGateway::GatewayResponse": (it) => ({ ref: nameOf(it, "", 128) }),
  "AWS::ECR::Repository": (it) => {
    const ref = nameOf(it, "RepositoryName", 256).toLowerCase();
    return { ref, arn: arn(it, "ecr", `repository/${ref}`) };
  },
  "AWS::CodeBuild::Project": (it) => named(nameOf(it, "Name", 150), (name) => arn(it, "codebuild", `project/${name}`)),
  "Custom::EvaluatorImage": (it) => ({ ref: it.logicalId }),
  "AWS::EC2::VPC": (it) => ({ ref: id(it, "vpc-", 17), attributes: { VpcId: id(it, "vpc-", 17) } }),
  "AWS::EC2::Subnet": (it) => ({ ref: id(it, "subnet-", 17), attributes: { SubnetId: id(it, "subnet-", 17) } }),
  "AWS::EC2::RouteTable": (it) => ({ ref: id(it, "rtb-", 17), attributes: { RouteTableId: id(it, "rtb-", 17) } }),
  "AWS::EC2::SubnetRouteTableAssociation": (it) => ({ ref: id(it, "rtbassoc-", 17) }),
  "AWS::EC2::SecurityGroup": (it) => ({ ref: id(it, "sg-", 17), attributes: { GroupId: id(it, "sg-", 17) } }),
  "AWS::EC2::VPCEndpoint": (it) => ({ ref: id(it, "vpce-", 17), attributes: { Id: id(it, "vpce-", 17) } }),
  "AWS::EC2::FlowLog": (it) => ({ ref: id(it, "fl-", 17) }),
};

const named = (name: string, arnOf: (name: string) => string): Physical => ({ ref: name, arn: arnOf(name) });

const arn = ({ partition, region, account }: DeclaredResource, service: string, resource: string): string =>
  `arn:${partition}:${service}:${region}:${account}:${resource}`;

export const urlSuffix = (partition: string): string => (partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com");

const SUFFIX_CHARS = 12;
/** CloudFormation cuts a stack's name to this where a physical name has little room. */
const STACK_NAME_CHARS = 24;

/** As given, else from the stack's name, the logical id and what keeps it unique. */
function nameOf(declared: DeclaredResource, property: string, limit: number): string {
  const given = declared.properties[property];
  if (given !== undefined) return text(declared, property);
  const { stackName, logicalId } = declared;
  const room = limit - SUFFIX_CHARS - 2;
  const stack = stackName.length + logicalId.length > room ? stackName.slice(0, STACK_NAME_CHARS) : stackName;
  return [stack, logicalId.slice(0, room - stack.length), suffix(declared, SUFFIX_CHARS)].join("-");
}

function text({ properties, logicalId }: DeclaredResource, property: string): string {
  const value = properties[property];
  if (typeof value === "string") return value;
  throw new Error(`${property} of ${logicalId} is no text: ${JSON.stringify(value)}`);
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The same for the same stack in the same place. */
function suffix({ stackName, region, account, logicalId }: DeclaredResource, length: number, salt = ""): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([account, region, stackName, logicalId, salt]))
    .digest();
  return Array.from({ length }, (_, at) => ALPHABET[(digest[at] ?? 0) % ALPHABET.length]).join("");
}

/** In lower case where the service writes it so. */
const id = (declared: DeclaredResource, prefix: string, length: number): string => {
  const made = createHash("sha256")
    .update(`${suffix(declared, SUFFIX_CHARS)}${declared.type}`)
    .digest("hex");
  return `${prefix}${made.slice(0, length)}`;
};
