/** Bedrock's requests in the words of IAM, against the roles of a stack that may call one model. */
import { describe, expect, it } from "vitest";
import { deployQuickly, resourceIn } from "../cloudformation/quick-deployment.ts";
import { createIam } from "../iam/iam.ts";
import { isProblem } from "./operation.ts";
import { bedrockOperation } from "./operations-bedrock.ts";

const deployed = deployQuickly({ bedrockModels: ["bedrock/eu.anthropic.claude-sonnet-4-6"] });
const iam = createIam(deployed);
const execute = iam.assume(
  resourceIn(deployed, "AWS::IAM::Role", "ControlUnitExecuteRole").arn ?? "",
  "lambda.amazonaws.com",
);

const asksOf = (target: string, method = "POST") => {
  const operation = bedrockOperation({ method, target, headers: {}, body: Buffer.from("") }, deployed);
  return isProblem(operation) ? operation : operation.asks;
};

describe("a request to a model of Bedrock", () => {
  it("by a profile needs the profile, and the model in each region where that may go", () => {
    expect(asksOf("/model/eu.anthropic.claude-sonnet-4-6/converse")).toEqual(
      [
        "eu-central-1:111122223333:inference-profile/eu.anthropic.claude-sonnet-4-6",
        ...["eu-central-1", "eu-north-1", "eu-west-3"].map(
          (region) => `${region}::foundation-model/anthropic.claude-sonnet-4-6`,
        ),
      ].map((rest) => ({ action: "bedrock:InvokeModel", resource: `arn:aws:bedrock:${rest}` })),
    );
  });

  it("of the region itself needs the model, whose name may hold a colon", () => {
    expect(asksOf("/model/openai.gpt-oss-120b-1%3A0/converse-stream")).toEqual([
      {
        action: "bedrock:InvokeModelWithResponseStream",
        resource: "arn:aws:bedrock:eu-central-1::foundation-model/openai.gpt-oss-120b-1:0",
      },
    ]);
  });

  it.each([
    ["/model/eu.anthropic.claude-sonnet-4-6/converse-stream", true],
    ["/model/eu.anthropic.claude-opus-5/converse-stream", false],
    ["/model/us.anthropic.claude-sonnet-4-6/converse-stream", false],
    ["/model/global.anthropic.claude-sonnet-4-6/converse", false],
    // Through no profile, only the model of the Region: a profile's statement names it.
    ["/model/anthropic.claude-sonnet-4-6/converse", true],
    ["/model/anthropic.claude-sonnet-5/converse", false],
  ])("%s is allowed to the role, or denied, by its ARN: %s", (target, isAllowed) => {
    const asks = asksOf(target);
    if (!Array.isArray(asks)) throw new Error("It is not known.");
    expect(iam.authorise(execute, asks) === undefined).toBe(isAllowed);
  });

  it("of another kind is not known", () => {
    expect(asksOf("/model/eu.anthropic.claude-sonnet-4-6/invoke")).toMatchObject({ code: "UnknownOperationException" });
    expect(asksOf("/model/x/converse", "GET")).toMatchObject({ code: "UnknownOperationException" });
  });
});
