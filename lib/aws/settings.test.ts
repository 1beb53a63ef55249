import { describe, expect, it } from "vitest";
import { needed, readSettings } from "./settings.ts";

const least = { TABLE_NAME: "table", BUCKET_NAME: "bucket" };

describe("settings of a deployed function", () => {
  it("are read from its environment, whatever else stands there", () => {
    const settings = readSettings({ ...least, EVALUATOR_TENANTS: "true", AWS_REGION: "eu-west-1", SECRET_ID: "key" });
    const off = { SHARED_RUNS: false, NOTIFIES: false, WEBHOOK_ALLOW_PRIVATE: false };
    expect(settings).toEqual({
      ...least,
      ...off,
      BEDROCK_MODELS: [],
      AWS_REGION: "eu-west-1",
      EVALUATOR_TENANTS: true,
      EVALUATOR_LINKS: true,
      SECRET_ID: "key",
    });
  });

  it("take the daily ceiling as an amount", () => {
    expect(readSettings({ ...least, DAILY_USD: "12.5" }).DAILY_USD).toBe(12.5);
    expect(() => readSettings({ ...least, DAILY_USD: "lots" })).toThrow(/DAILY_USD/);
  });

  it("name what is missing or wrong, all at once", () => {
    expect(() => readSettings({ BUCKET_NAME: "", EVALUATOR_TENANTS: "yes" })).toThrow(
      /TABLE_NAME, BUCKET_NAME, EVALUATOR_TENANTS/,
    );
  });

  it("are missed only where they are needed", () => {
    const settings = readSettings(least);
    expect(() => needed(settings, "STATE_MACHINE_ARN")).toThrow(/STATE_MACHINE_ARN/);
    expect(needed({ ...settings, STATE_MACHINE_ARN: "arn" }, "STATE_MACHINE_ARN")).toBe("arn");
  });
});
