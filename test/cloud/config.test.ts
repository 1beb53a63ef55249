import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CloudConfig, readCloudConfig } from "../../lib/cloud/config.ts";
import { MEANINGS } from "../../lib/cloud/config-problems.ts";
import { UserError } from "../../lib/core/errors.ts";

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

  it("is read also where an earlier version had it choose Protocol Buffers for its spans, which are sent as JSON", () => {
    const otel = { endpoint: "https://collector.example.org", protocol: "http/protobuf" };
    expect(readCloudConfig([{ otel }]).otel).toEqual(otel);
  });

  it.each([
    ["an unknown field", { modle: "x" }, /modle/],
    ["an unknown switch", { evaluator: { dns: false } }, /dns/],
    ["a retention that CloudWatch does not know", { logRetentionDays: 31 }, /logRetentionDays/],
    ["a mail address that is none", { alarmMail: "somebody" }, /alarmMail/],
    ["an alarm at no spend at all", { alarmSpendPerHourUsd: 0 }, /alarmSpendPerHourUsd/],
    ["a webhook without an address", { webhook: {} }, /webhook\.url/],
    ["a webhook at what is no web address", { webhook: { url: "ftp://example.org" } }, /webhook\.url/],
    ["shared runs by another word", { sharedRuns: "all" }, /sharedRuns/],
    ["more loops than an execution can hold", { loopLimit: 3_001 }, /loopLimit/],
    ["an image that is not in ECR", { evaluator: { image: "node:24" } }, /evaluator/],
    ["a name that no stack may have", { stackName: "1 stack" }, /stackName/],
    ["text that is not JSON", "{", /not JSON/],
    ["a list", [], /no JSON object/],
  ])("refuses %s, and names its place", (_what, source, said) => {
    expect(() => readCloudConfig([source])).toThrow(said);
    expect(() => readCloudConfig([source])).toThrow(/l2mac\.cloud\.json/);
  });
});

describe("what is wrong with a configuration", () => {
  const said = (source: unknown): string => {
    try {
      readCloudConfig([source]);
    } catch (error) {
      if (error instanceof UserError) return error.message;
    }
    throw new Error("Nothing was wrong with it for the user.");
  };

  it("is said in words, field by field, with what was given and without a pattern", () => {
    const text = said({ evaluator: { image: "foo", vpc: "yes" }, logRetentionDays: 31 });
    expect(text).toContain(
      'evaluator.image is ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG, or …/NAME@sha256:…; "foo" is not.',
    );
    expect(text).toContain('evaluator.vpc is true or false; "yes" is not.');
    expect(text).toContain("logRetentionDays is one of 1, 3, 5, 7, 14, 30, 60, 90, 180, 365; 31 is not.");
    expect(text).not.toMatch(/\\d|\^|Invalid|✖/);
  });

  it.each([
    [{ modle: "x" }, "There is no field modle. Did you mean model?"],
    [{ evaluator: { tenant: false } }, "There is no field evaluator.tenant. Did you mean evaluator.tenants?"],
    [{ vpc: false }, "There is no field vpc. Did you mean evaluator.vpc?"],
    [{ somethingElse: 1 }, "There is no field somethingElse."],
    [{ evaluator: 1 }, "evaluator is an object of fields; 1 is not."],
  ])("%j: %s", (source, sentence) => {
    expect(said(source).split("\n").at(-1)).toBe(sentence);
  });

  it("is, where it is no JSON, the line and column at which it ends to be", () => {
    expect(said('{\n  "model": "m",\n}')).toContain("line 3 column 1");
    expect(said('{\n  "model": }')).toContain("line 2 column 12");
    expect(said('{"model": ')).toContain("it ends too early");
  });

  it("accepts every field", () => {
    const fields = (schema: z.core.JSONSchema.BaseSchema, before = ""): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
        typeof each === "object" && each.properties
          ? [`${before}${name}`, ...fields(each, `${before}${name}.`)]
          : [`${before}${name}`],
      );
    const schema = z.toJSONSchema(CloudConfig, { io: "input", unrepresentable: "any" });
    expect(Object.keys(MEANINGS).toSorted()).toEqual(fields(schema).toSorted());
  });
});
