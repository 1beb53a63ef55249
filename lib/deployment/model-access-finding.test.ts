import { expect, it } from "vitest";
import { accessPage, modelAccessFinding } from "./model-access-finding.ts";

const MODEL = "bedrock/eu.anthropic.claude-sonnet-4-6";
const granted = {
  agreementAvailability: { status: "AVAILABLE" },
  authorizationStatus: "AUTHORIZED",
  entitlementAvailability: "AVAILABLE",
  regionAvailability: "AVAILABLE",
};

it("finds that a model may be called", () => {
  expect(modelAccessFinding(MODEL, "eu-west-1", { value: granted })).toMatchObject({ state: "ok" });
  expect(modelAccessFinding(MODEL, "eu-west-1", { value: {} })).toMatchObject({ state: "ok" });
});

it.each([
  [{ authorizationStatus: "NOT_AUTHORIZED" }, /not granted/],
  [{ entitlementAvailability: "NOT_AVAILABLE" }, /not granted/],
  [{ regionAvailability: "NOT_AVAILABLE" }, /not offered in this region/],
  [{ agreementAvailability: { status: "PENDING" } }, /no accepted agreement \(PENDING\)/],
])("says what %j lacks, with the page of the console, and that rehearsals work", (over, says) => {
  const finding = modelAccessFinding(MODEL, "eu-west-1", { value: { ...granted, ...over } });
  expect(finding).toMatchObject({ state: "note", says: expect.stringMatching(says) });
  expect(finding.says).toContain("rehearsals work");
  expect(finding.next).toEqual([expect.stringContaining("https://eu-west-1.console.aws.amazon.com/bedrock/home")]);
});

it("does not take an answer that could not be read for a missing grant", () => {
  const refusal = { reason: "not authorized", remedy: "Ask for this permission." };
  expect(modelAccessFinding(MODEL, "eu-west-1", { refusal })).toMatchObject({ state: "note" });
});

it("knows the consoles of the other partitions", () => {
  expect(accessPage("us-gov-west-1")).toMatch(/^https:\/\/us-gov-west-1\.console\.amazonaws-us-gov\.com\//);
  expect(accessPage("cn-north-1")).toMatch(/^https:\/\/cn-north-1\.console\.amazonaws\.cn\//);
});
