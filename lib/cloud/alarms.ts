/** CloudWatch alarms. With a mail address they send mail; without one they show in the console only. */
import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { createAlarmTopic } from "./alarm-topic.ts";
import type { CloudConfig } from "./config.ts";
import type { ControlUnit } from "./control-unit.ts";
import type { Notifier } from "./notifier.ts";
import type { Sweeper } from "./sweeper.ts";

export interface AlarmParts {
  config: CloudConfig;
  controlUnit: ControlUnit;
  evaluator: LambdaFunction;
  sweeper: Sweeper;
  notifier: Notifier | undefined;
  api: LambdaFunction;
}

/** A normal run executes a few instructions a minute; hundreds of runs at once are a mistake. */
const EXECUTED_PER_HOUR = 10_000;

export function createAlarms(scope: Construct, parts: AlarmParts): void {
  const { config, controlUnit, evaluator, sweeper, notifier, api } = parts;
  const place = new Construct(scope, "Alarms");
  const { stateMachine } = controlUnit;
  const functions = [
    ...Object.values(controlUnit.functions),
    sweeper.sweep,
    ...(notifier ? [notifier.notify] : []),
    api,
  ];
  const period = Duration.minutes(5);
  const raise = createRaise(place, config.alarmMail);

  raise("Failed", {
    why: "Executions of the control unit failed, timed out or were aborted. See the run's status for why.",
    metric: sum([
      stateMachine.metricFailed({ period }),
      stateMachine.metricTimedOut({ period }),
      stateMachine.metricAborted({ period }),
    ]),
  });
  raise("StatesThrottled", {
    why: "Step Functions throttles the control unit: runs are slower than they could be.",
    metric: stateMachine.metricThrottled({ period }),
  });
  raise("Errors", {
    why: "Functions failed. The control unit tries again; what it cannot repair ends the run.",
    metric: sum([...functions, evaluator].map((each) => each.metricErrors({ period }))),
  });
  raise("Throttled", {
    why: "Lambda throttles the functions: the account has too little concurrency for its runs.",
    metric: sum([...functions, evaluator].map((each) => each.metricThrottles({ period }))),
    above: 50,
  });
  raise("Runaway", {
    why: "Far more instructions are executed than honest runs need. Cancel the run that does not end.",
    metric: controlUnit.functions.execute.metricInvocations({ period: Duration.hours(1) }),
    above: EXECUTED_PER_HOUR,
  });
  raise("Spend", {
    why: `Runs have spent more than ${config.alarmSpendPerHourUsd} US dollars on model calls within an hour.`,
    metric: ownMetric("Spend", config, Duration.hours(1)),
    above: config.alarmSpendPerHourUsd,
  });
  raise("Swept", {
    why: "The sweeper had to end runs that died without a word, or could not repair one. See its log.",
    metric: sum(["Sweep.recorded", "Sweep.failed"].map((name) => ownMetric(name, config, period))),
  });
  raise("SweeperMissed", {
    why: "The sweeper could not be called: runs that die silently are not repaired. Or the notifier, where there is one.",
    metric: sweeper.missed.metricApproximateNumberOfMessagesVisible({ period }),
  });
}

const ownMetric = (metricName: string, { stackName }: CloudConfig, period: Duration): Metric =>
  new Metric({ namespace: "L2MAC", metricName, dimensionsMap: { service: stackName }, statistic: "Sum", period });

/** One alarm for all functions: each alarm costs money. */
const sum = (metrics: Metric[]): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, at) => `FILL(m${at}, 0)`).join(" + "),
    usingMetrics: Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric])),
    period: metrics[0]?.period ?? Duration.minutes(5),
  });

interface Cause {
  why: string;
  metric: IMetric;
  above?: number;
}

function createRaise(place: Construct, mail: string | undefined): (id: string, cause: Cause) => void {
  const action = mail === undefined ? undefined : new SnsAction(createAlarmTopic(place, mail));
  return (id, { why, metric, above = 0 }) => {
    const alarm = new Alarm(place, id, {
      metric,
      alarmDescription: why,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // Metrics that arrive late are still counted.
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (action) alarm.addAlarmAction(action);
  };
}
