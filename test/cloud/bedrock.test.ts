/** Models of Amazon Bedrock through the functions' role: what is allowed for each, and what a submission may name. */
import { describe, expect, it } from "vitest";
import { refusedModel } from "../../lambdas/entry-api.ts";
import { bedrockArns, foundationModelOf, withBedrock } from "../../lib/cloud/bedrock-models.ts";
import { readCloudConfig } from "../../lib/cloud/config.ts";
import { bedrockModelIn } from "../../lib/model/default-model.ts";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

const OWN = "bedrock/eu.anthropic.claude-sonnet-4-6";
const PLACE = { partition: "aws", region: "eu-west-1", account: "111122223333" };

describe("the models of a stack", () => {
  const modelsOf = (config: object, own: string | undefined = OWN) => {
    const { bedrockModels, model } = withBedrock(readCloudConfig([config]), own);
    return { bedrockModels, model };
  };

  it("are the Region's default one, where neither a model nor a server is configured", () => {
    expect(modelsOf({})).toEqual({ bedrockModels: [OWN], model: OWN });
    expect(withBedrock(readCloudConfig([]), undefined)).toMatchObject({ bedrockModels: [] });
  });

  it("are none of Bedrock, where another server or model was chosen", () => {
    expect(modelsOf({ baseUrl: "https://models.example.org/v1" })).toEqual({ bedrockModels: [], model: undefined });
    expect(modelsOf({ model: "gpt-5.5" })).toEqual({ bedrockModels: [], model: "gpt-5.5" });
    expect(modelsOf({ bedrockModels: [] })).toEqual({ bedrockModels: [], model: undefined });
  });

  it("are those that are named, the default one among them", () => {
    const nova = "bedrock/eu.amazon.nova-pro-v1:0";
    expect(modelsOf({ bedrockModels: [nova, OWN] })).toEqual({ bedrockModels: [nova, OWN], model: nova });
    expect(modelsOf({ bedrockModels: [nova], model: OWN })).toEqual({ bedrockModels: [OWN, nova], model: OWN });
  });

  it("are refused beside a base URL, where such names are those of its own models, and where they are none", () => {
    const both = { baseUrl: "https://models.example.org/v1", bedrockModels: [OWN] };
    expect(() => readCloudConfig([both])).toThrow(/bedrockModels is a list of models .* without a "baseUrl"/);
    expect(() => readCloudConfig([{ bedrockModels: ["claude"] }])).toThrow(/bedrockModels/);
  });

  it("have a default in the regions of the inference profiles", () => {
    expect(["us-east-1", "eu-central-1", "ap-northeast-1", "sa-east-1", undefined].map(bedrockModelIn)).toEqual([
      "bedrock/us.anthropic.claude-sonnet-4-6",
      OWN,
      "bedrock/jp.anthropic.claude-sonnet-4-6",
      ...[undefined, undefined],
    ]);
  });
});

describe("what must be allowed", () => {
  const model = (region: string, id: string) => `arn:aws:bedrock:${region}::foundation-model/${id}`;
  const profile = (id: string) => `arn:aws:bedrock:eu-west-1:111122223333:inference-profile/${id}`;
  it.each([
    ["bedrock-openai/openai.gpt-oss-120b-1:0", [model("eu-west-1", "openai.gpt-oss-120b-1:0")]],
    [OWN, [profile("eu.anthropic.claude-sonnet-4-6"), model("eu-*", "anthropic.claude-sonnet-4-6")]],
    // Canada calls these, and keeps what they ask for.
    [
      "bedrock/us.amazon.nova-pro-v1:0",
      [
        profile("us.amazon.nova-pro-v1:0"),
        ...[model("us-*", "amazon.nova-pro-v1:0"), model("ca-*", "amazon.nova-pro-v1:0")],
      ],
    ],
    [
      "bedrock/global.anthropic.claude-opus-5",
      [
        profile("global.anthropic.claude-opus-5"),
        ...[model("*", "anthropic.claude-opus-5"), model("", "anthropic.claude-opus-5")],
      ],
    ],
  ])("for %s is the model itself, or a profile and its model in the profile's regions", (name, arns) => {
    expect(bedrockArns(name, PLACE)).toEqual(arns);
  });

  it("names the model behind a profile", () => {
    expect(foundationModelOf(OWN)).toBe("anthropic.claude-sonnet-4-6");
    expect(foundationModelOf("bedrock-openai/openai.gpt-oss-120b-1:0")).toBe("openai.gpt-oss-120b-1:0");
  });
});

describe("a stack with models of Bedrock", () => {
  const policyOf = ({ ofType }: SynthesisedStack, prefix: string) =>
    JSON.stringify(ofType("AWS::IAM::Policy").find(([id]) => id.startsWith(prefix))?.[1]);

  it("allows one statement for each, to the two functions that call the model", () => {
    const bedrockModels = [OWN, "bedrock-openai/openai.gpt-oss-120b-1:0"];
    const stack = synthesise({ bedrockModels }, { nag: true });
    for (const role of ["ControlUnitPlanRole", "ControlUnitExecuteRole"])
      expect(policyOf(stack, role).match(/bedrock:InvokeModelWithResponseStream/g)).toHaveLength(2);
    const roles = stack.ofType("AWS::IAM::Policy").filter(([, policy]) => JSON.stringify(policy).includes("bedrock:"));
    expect(roles).toHaveLength(2);
    expect(stack.template.toJSON().Outputs.BedrockModels.Value).toBe(bedrockModels.join(","));
    const api = stack.ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("ApiFunction"))?.[1];
    expect(JSON.stringify(api?.Properties.Environment)).toContain(`"BEDROCK_MODELS":"${bedrockModels.join(",")}"`);
    expect(JSON.stringify(api?.Properties.Environment)).toContain(`"DEFAULT_MODEL":"${OWN}"`);
  });
});

describe("a submission to a deployed API", () => {
  const settings = { DEFAULT_BASE_URL: undefined, BEDROCK_MODELS: [OWN] };
  it("may name an allowed model, alone or in a list", () => {
    expect(refusedModel(OWN, settings)).toBeUndefined();
    expect(refusedModel(`${OWN},gpt-5.5`, settings)).toBeUndefined();
  });

  it.each([`bedrock/eu.anthropic.claude-opus-5`, `${OWN},bedrock/eu.anthropic.claude-opus-5`])(
    "is told what to add for another one: %s",
    (models) => {
      expect(refusedModel(models, settings)).toMatch(
        /may not call bedrock\/eu\.anthropic\.claude-opus-5, only .*"bedrockModels" in l2mac\.cloud\.json, and deploy again/,
      );
    },
  );

  it("cannot use a provider whose key the stack does not have, at any place of the list", () => {
    expect(refusedModel(`${OWN},anthropic/claude-opus-5`, settings)).toMatch(/one key/);
  });
});
