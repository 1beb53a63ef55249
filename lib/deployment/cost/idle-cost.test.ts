import { describe, expect, it } from "vitest";
import { idleCost, totalUsd } from "./idle-cost.ts";

const usd = (resources: Parameters<typeof idleCost>[0]): number => totalUsd(idleCost(resources));
const stat = (Id: string) => ({ Id, MetricStat: {} });

describe("the price of an idle stack", () => {
  it("counts every metric that an alarm reads, and not the expression that adds them up", () => {
    const Metrics = [{ Id: "sum", Expression: "a + b" }, stat("a"), stat("b")];
    expect(usd({ Sum: { Type: "AWS::CloudWatch::Alarm", Properties: { Metrics } } })).toBeCloseTo(0.2);
    expect(usd({ One: { Type: "AWS::CloudWatch::Alarm", Properties: { MetricName: "Errors" } } })).toBeCloseTo(0.1);
  });

  it("counts a metric filter only where it publishes zeros", () => {
    const filter = (over: object) => ({
      F: { Type: "AWS::Logs::MetricFilter", Properties: { MetricTransformations: [{ MetricValue: "1", ...over }] } },
    });
    expect(usd(filter({}))).toBe(0);
    expect(usd(filter({ DefaultValue: 0 }))).toBeCloseTo(0.3);
  });

  it("counts dashboards from the fourth on, secrets and images", () => {
    const board = { Type: "AWS::CloudWatch::Dashboard" };
    expect(usd({ A: board, B: board, C: board })).toBe(0);
    expect(usd({ A: board, B: board, C: board, D: board })).toBeCloseTo(3);
    expect(usd({ S: { Type: "AWS::SecretsManager::Secret" } })).toBeCloseTo(0.4);
    expect(usd({ I: { Type: "AWS::Lambda::Function", Properties: { PackageType: "Image" } } })).toBeCloseTo(0.05);
  });

  it("counts the calls of a schedule by rate and memory, and their traces", () => {
    const stack = (every: string, Mode: string) => ({
      Rule: {
        Type: "AWS::Events::Rule",
        Properties: { ScheduleExpression: `rate(${every})`, Targets: [{ Arn: { "Fn::GetAtt": ["F", "Arn"] } }] },
      },
      F: {
        Type: "AWS::Lambda::Function",
        Properties: { Handler: "entry.sweep", MemorySize: 512, TracingConfig: { Mode } },
      },
    });
    const seldom = usd(stack("5 minutes", "PassThrough"));
    expect(idleCost(stack("5 minutes", "PassThrough"))[0]?.what).toBe("8,640 idle calls of the function sweep");
    expect(usd(stack("1 minute", "PassThrough"))).toBeCloseTo(5 * seldom);
    expect(usd(stack("5 minutes", "Active")) - seldom).toBeCloseTo(8_640 * 0.000005);
  });
});
