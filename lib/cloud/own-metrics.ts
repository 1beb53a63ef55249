/** The stack's own metrics. CloudWatch charges each for the hours that it has data, so none is published while idle. */
import { Duration } from "aws-cdk-lib";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";

/** Published by the functions, in CloudWatch's embedded metric format. */
export const ownMetric = (metricName: string, { stackName }: CloudConfig, period: Duration): Metric =>
  new Metric({ namespace: "L2MAC", metricName, dimensionsMap: { service: stackName }, statistic: "Sum", period });

/** Lambda ends the log of each invocation with a report. */
const REPORTS_FAILURE = FilterPattern.literal('{ ($.type = "platform.report") && ($.record.status != "success") }');

/**
 * Failed invocations of all functions as one metric. Lambda's own metric counts each function by itself, and an alarm on
 * their sum is charged for each.
 */
export function createFailureMetric(
  scope: Construct,
  { stackName }: CloudConfig,
  logs: Record<string, ILogGroup>,
): IMetric {
  const place = new Construct(scope, "Failures");
  const metric = { metricNamespace: `L2MAC/${stackName}`, metricName: "FailedInvocations" };
  for (const [name, logGroup] of Object.entries(logs))
    new MetricFilter(place, name, { logGroup, filterPattern: REPORTS_FAILURE, metricValue: "1", ...metric });
  return new Metric({
    namespace: metric.metricNamespace,
    metricName: metric.metricName,
    statistic: "Sum",
    period: Duration.minutes(5),
  });
}
