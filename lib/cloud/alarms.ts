/** CloudWatch alarms, each on one metric: every metric of an alarm is charged. With a mail address they send mail. */
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Construct } from "constructs";
import { createAlarmTopic } from "./alarm-topic.ts";
import type { CloudConfig } from "./config.ts";
import type { ControlUnit } from "./control-unit.ts";
import { ownMetric } from "./own-metrics.ts";
import type { Sweeper } from "./sweeper.ts";

export interface AlarmParts {
  config: CloudConfig;
  controlUnit: ControlUnit;
  sweeper: Sweeper;
  /** Failed invocations of all functions. */
  failures: IMetric;
}

/** A normal run executes a few instructions a minute; hundreds of runs at once are a mistake. */
const EXECUTED_PER_HOUR = 10_000;

export function createAlarms(scope: Construct, { config, controlUnit, sweeper, failures }: AlarmParts): void {
  const { stateMachine, functions } = controlUnit;
  const period = Duration.minutes(5);
  const raise = createRaise(new Construct(scope, "Alarms"), config);

  raise("Failed", {
    why: "Executions of the control unit failed. See the run's status for why.",
    metric: stateMachine.metricFailed({ period }),
  });
  raise("StatesThrottled", {
    why: "Step Functions throttles the control unit: runs are slower than they could be.",
    metric: stateMachine.metricThrottled({ period }),
  });
  raise("Errors", {
    why: "Functions failed or ran out of time. The control unit tries again; what it cannot repair ends the run.",
    metric: failures,
  });
  raise("Throttled", {
    why: "Lambda throttles the functions: the account has too little concurrency for its runs.",
    // Functions without a reservation share the account's concurrency, so one of them shows it.
    metric: functions.execute.metricThrottles({ period }),
    above: 50,
  });
  raise("Runaway", {
    why: "Far more instructions are executed than honest runs need. Cancel the run that does not end.",
    metric: functions.execute.metricInvocations({ period: Duration.hours(1) }),
    above: EXECUTED_PER_HOUR,
  });
  raise("Spend", {
    why: `Runs have spent more than ${config.alarmSpendPerHourUsd} US dollars on model calls within an hour.`,
    metric: ownMetric("Spend", config, Duration.hours(1)),
    above: config.alarmSpendPerHourUsd,
  });
  raise("Swept", {
    why: "The sweeper had to end runs that died without a word, or could not repair one. See its log.",
    metric: ownMetric("Sweep.problems", config, period),
  });
  raise("SweeperMissed", {
    why: "The sweeper could not be called: runs that die silently are not repaired. Or the notifier, where there is one.",
    metric: sweeper.missed.metricApproximateNumberOfMessagesVisible({ period }),
  });
}

interface Cause {
  why: string;
  metric: IMetric;
  above?: number;
}

function createRaise(place: Construct, config: CloudConfig): (id: string, cause: Cause) => void {
  const { alarmMail } = config;
  const action = alarmMail === undefined ? undefined : new SnsAction(createAlarmTopic(place, alarmMail, config));
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
