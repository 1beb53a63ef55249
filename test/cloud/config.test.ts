import { describe, expect, it } from "vitest";
import { readCloudConfig } from "../../lib/cloud/config.ts";

describe("the configuration of a deployment", () => {
  it("needs nothing to be said: everything is shut in, kept, and nothing reserved", () => {
    const config = readCloudConfig([undefined, undefined]);
    expect(config.evaluator).toEqual({ vpc: true, noDns: true, denyRole: true, tenants: true, memoryMb: 2_048 });
    expect(config).toMatchObject({ stackName: "L2mac", loopLimit: 1_000, keepData: true, reservedConcurrency: {} });
  });

  it("is merged field by field, the later source winning, whether object or JSON text", () => {
    const config = readCloudConfig([
      '{"evaluator":{"tenants":false,"memoryMb":4096},"logRetentionDays":7}',
      { evaluator: { vpc: false }, logRetentionDays: 14 },
    ]);
    expect(config.evaluator).toMatchObject({ tenants: false, memoryMb: 4_096, vpc: false, denyRole: true });
    expect(config.logRetentionDays).toBe(14);
  });

  it.each([
    ["an unknown field", { modle: "x" }, /modle/],
    ["an unknown switch", { evaluator: { dns: false } }, /dns/],
    ["a retention that CloudWatch does not know", { logRetentionDays: 31 }, /logRetentionDays/],
    ["a mail address that is none", { alarmMail: "somebody" }, /alarmMail/],
    ["an alarm at no spend at all", { alarmSpendPerHourUsd: 0 }, /alarmSpendPerHourUsd/],
    ["shared runs by another word", { sharedRuns: "all" }, /sharedRuns/],
    ["more loops than an execution can hold", { loopLimit: 3_001 }, /loopLimit/],
    ["an image that is not in ECR", { evaluator: { image: "node:24" } }, /evaluator/],
    ["a name that no stack may have", { stackName: "1 stack" }, /stackName/],
    ["text that is not JSON", "{", /no JSON object/],
    ["a list", [], /no JSON object/],
  ])("refuses %s, and says where it stands", (_what, source, said) => {
    expect(() => readCloudConfig([source])).toThrow(said);
    expect(() => readCloudConfig([source])).toThrow(/l2mac\.cloud\.json/);
  });
});
