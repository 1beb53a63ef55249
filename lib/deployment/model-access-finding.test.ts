import { expect, it } from "vitest";
import { accessRemedy } from "../core/text/bedrock-access.ts";
import { modelAccessFinding } from "./model-access-finding.ts";

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
  [{ agreementAvailability: { status: "PENDING" } }, /no accepted agreement \(PENDING\)/],
])("says what %j lacks, with the call of an administrator that helps, and that rehearsals work", (over, says) => {
  const finding = modelAccessFinding(MODEL, "eu-west-1", { value: { ...granted, ...over } });
  expect(finding).toMatchObject({ state: "note", says: expect.stringMatching(says) });
  expect(finding.says).toContain("rehearsals work");
  expect(finding.next).toEqual([
    expect.stringContaining(
      "aws bedrock-runtime converse --region eu-west-1 --model-id eu.anthropic.claude-sonnet-4-6 --messages",
    ),
    expect.stringContaining("bedrockModels"),
  ]);
  expect(finding.next?.[0]).toContain(
    "its use case: https://eu-west-1.console.aws.amazon.com/bedrock/home?region=eu-west-1#/modelcatalog",
  );
});

it("asks for no access to what the region does not offer", () => {
  const value = { ...granted, regionAvailability: "NOT_AVAILABLE" };
  const { says, next } = modelAccessFinding(MODEL, "eu-west-1", { value });
  expect(says).toMatch(/not offered in this region/);
  expect(next).toEqual([expect.stringMatching(/^Name other models/)]);
});

it("does not take an answer that could not be read for a missing grant", () => {
  const refusal = { reason: "not authorized", remedy: "Ask for this permission." };
  expect(modelAccessFinding(MODEL, "eu-west-1", { refusal })).toMatchObject({ state: "note" });
});

it("knows that GovCloud grants access on a page of its own console", () => {
  expect(accessRemedy(MODEL, "us-gov-west-1")).toMatch(
    /^Request access at https:\/\/us-gov-west-1\.console\.amazonaws-us-gov\.com\/.*#\/modelaccess\.$/,
  );
});
