/** A dashboard of the stack: runs, money, functions, API. CloudWatch charges none for the first three of an account. */
import { Duration, Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Dashboard, GraphWidget, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";
import type { ControlUnit } from "./control-unit.ts";
import { ownMetric } from "./own-metrics.ts";

export interface DashboardParts {
  config: CloudConfig;
  controlUnit: ControlUnit;
  /** By the names that they are shown under. */
  functions: Record<string, LambdaFunction>;
  rest: RestApi;
  failures: IMetric;
}

const WIDTH = 12;

export function createDashboard(scope: Construct, parts: DashboardParts): void {
  const { config, controlUnit, functions, rest, failures } = parts;
  const { stateMachine } = controlUnit;
  const period = Duration.minutes(5);
  const ofEach = (metric: (each: LambdaFunction, label: string) => IMetric) =>
    Object.entries(functions).map(([label, each]) => metric(each, label));
  const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: WIDTH });
  new Dashboard(scope, "Dashboard", {
    // All Regions of an account share their names.
    dashboardName: `${config.stackName}-${Stack.of(scope).region}`,
    defaultInterval: Duration.days(1),
    widgets: [
      [
        graph("Epochs of runs", [
          stateMachine.metricStarted({ period }),
          stateMachine.metricSucceeded({ period }),
          stateMachine.metricFailed({ period }),
          stateMachine.metricThrottled({ period }),
        ]),
        graph("Spent on model calls, US dollars an hour", [ownMetric("Spend", config, Duration.hours(1))]),
      ],
      [
        graph(
          "Invocations",
          ofEach((each, label) => each.metricInvocations({ period, label })),
        ),
        graph(
          "Longest invocation",
          ofEach((each, label) => each.metricDuration({ period, label, statistic: "Maximum" })),
        ),
      ],
      [
        graph("Failed and throttled invocations", [
          failures,
          ...ofEach((each, label) => each.metricThrottles({ period, label: `${label} throttled` })),
        ]),
        graph("Repairs of the sweeper", [
          ...["started", "extended", "problems"].map((name) => ownMetric(`Sweep.${name}`, config, period)),
        ]),
      ],
      [
        graph("Requests of the API", [
          rest.metricCount({ period }),
          rest.metricClientError({ period }),
          rest.metricServerError({ period }),
        ]),
        graph("Time of an answer of the API", [rest.metricLatency({ period, statistic: "p99" })]),
      ],
    ],
  });
}
