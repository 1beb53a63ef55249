/** What a stack costs a month while no run is computed, by the resources of its template. Pure. */
import { FREE_DASHBOARDS, MONTHLY } from "./prices.ts";
import { scheduledCost } from "./scheduled-cost.ts";

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, unknown> | undefined;
}

export type TemplateResources = Readonly<Record<string, TemplateResource>>;

export interface CostLine {
  what: string;
  usd: number;
}

/** Lambda's base, Node's and Python's packages, compressed. Older versions stay until CDK's garbage collection. */
const IMAGE_GB = 0.5;

export function idleCost(resources: TemplateResources): CostLine[] {
  const ofType = (type: string) => Object.values(resources).filter(({ Type }) => Type === type);
  const secrets = ofType("AWS::SecretsManager::Secret").length;
  const keys = ofType("AWS::KMS::Key").length;
  const alarms = ofType("AWS::CloudWatch::Alarm");
  const metrics = alarms.reduce((sum, alarm) => sum + alarmMetrics(alarm), 0);
  const custom = ofType("AWS::Logs::MetricFilter").filter(publishesZeros).length;
  const dashboards = Math.max(0, ofType("AWS::CloudWatch::Dashboard").length - FREE_DASHBOARDS);
  const images = ofType("AWS::Lambda::Function").filter(({ Properties }) => Properties?.PackageType === "Image").length;
  return [
    line(plural(secrets, "secret"), secrets * MONTHLY.secret),
    line(plural(keys, "key of AWS KMS", "keys of AWS KMS"), keys * MONTHLY.key),
    line(`${plural(alarms.length, "alarm")} on ${plural(metrics, "metric")}`, metrics * MONTHLY.alarmMetric),
    line(`${plural(custom, "custom metric")} without runs`, custom * MONTHLY.customMetric),
    line(
      plural(dashboards, "dashboard beyond the free ones", "dashboards beyond the free ones"),
      dashboards * MONTHLY.dashboard,
    ),
    line(`the evaluator's image, ${IMAGE_GB} GB`, images * IMAGE_GB * MONTHLY.imageGb),
    ...scheduledCost(resources),
  ].filter(({ usd }) => usd > 0);
}

export const totalUsd = (lines: readonly CostLine[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

const line = (what: string, usd: number): CostLine => ({ what, usd });
const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** An expression is not charged, the metrics that it reads are. */
function alarmMetrics({ Properties }: TemplateResource): number {
  const read = Properties?.Metrics;
  return Array.isArray(read) ? read.filter((each) => Object.hasOwn(Object(each), "MetricStat")).length : 1;
}

/** A filter with a default value has data in every hour in which anything is logged. */
const publishesZeros = ({ Properties }: TemplateResource): boolean =>
  JSON.stringify(Properties?.MetricTransformations ?? []).includes('"DefaultValue"');

/** Of these only what is used is charged: requests, seconds, stored bytes. The stack's endpoint is a gateway one, and free. */
const CHARGED_BY_USE = new Set([
  ...["AWS::ApiGateway::Account", "AWS::ApiGateway::Deployment", "AWS::ApiGateway::GatewayResponse"],
  ...["AWS::ApiGateway::Method", "AWS::ApiGateway::Resource", "AWS::ApiGateway::RestApi", "AWS::ApiGateway::Stage"],
  ...["AWS::CodeBuild::Project", "Custom::EvaluatorImage"],
  ...["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::S3::BucketPolicy"],
  ...["AWS::EC2::FlowLog", "AWS::EC2::RouteTable", "AWS::EC2::SecurityGroup", "AWS::EC2::Subnet"],
  ...["AWS::EC2::SubnetRouteTableAssociation", "AWS::EC2::VPC", "AWS::IAM::Policy", "AWS::IAM::Role"],
  ...["AWS::Lambda::EventInvokeConfig", "AWS::Lambda::Function", "AWS::Lambda::Permission"],
  ...["AWS::Logs::LogGroup", "AWS::SNS::Subscription", "AWS::SNS::Topic", "AWS::SNS::TopicPolicy"],
  ...["AWS::SQS::Queue", "AWS::SQS::QueuePolicy", "AWS::StepFunctions::StateMachine"],
]);
/** A repository is charged with the images of functions. */
const CHARGED_HERE = new Set([
  ...["AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard", "AWS::Events::Rule", "AWS::Logs::MetricFilter"],
  ...["AWS::ECR::Repository", "AWS::KMS::Key", "AWS::SecretsManager::Secret"],
]);

/** Endpoints of this kind are free, those with interfaces are not. */
const isGateway = ({ Type, Properties }: TemplateResource): boolean =>
  Type === "AWS::EC2::VPCEndpoint" && Properties?.VpcEndpointType === "Gateway";

/** Types whose price is not known here. */
export const unpricedTypes = (resources: TemplateResources): string[] =>
  [...new Set(Object.values(resources).flatMap((resource) => (isGateway(resource) ? [] : resource.Type)))].filter(
    (type) => !CHARGED_BY_USE.has(type) && !CHARGED_HERE.has(type),
  );
