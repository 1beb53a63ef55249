/** Runs on models of Amazon Bedrock through the functions' role: no key is set anywhere. */
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand } from "./act.ts";

export const BEDROCK_MODEL = "bedrock/eu.anthropic.claude-sonnet-4-6";
export const BEDROCK_CONFIG = { bedrockModels: [BEDROCK_MODEL] };

const TASK = { task: "Write the parts.", reflect: 0 };

async function mustCompute(stage: Stage, options: Record<string, unknown>, operation: string): Promise<void> {
  const before = stage.bedrock.called.length;
  const run = await compute(stage, { ...TASK, ...options });
  mustStand(run, "completed");
  const called = stage.bedrock.called.slice(before);
  const expected = { model: BEDROCK_MODEL.replace("bedrock/", ""), operation };
  must("Bedrock is asked for the default model", called.length > 2, called);
  must(
    `It is asked by ${operation}, each time`,
    called.every((each) => JSON.stringify(each) === JSON.stringify(expected)),
    called,
  );
  must("What it costs is known", run.microUsd > 0, run.microUsd);
}

export const computedByBedrock: Act = {
  name: "a stack without a key computes a run with a model of Bedrock, in streams",
  play: (stage) => mustCompute(stage, {}, "converse-stream"),
};

export const computedWithoutStreams: Act = {
  name: "the same with whole answers",
  play: (stage) => mustCompute(stage, { stream: false }, "converse"),
};

export const otherBedrockModel: Act = {
  name: "another model of Bedrock is refused when it is submitted, with the field that would allow it",
  async play(stage) {
    const model = "bedrock/eu.anthropic.claude-opus-5";
    const before = stage.bedrock.called.length;
    const problem = json(await ask(stage, "POST /runs", { status: 400, body: { ...TASK, model } }));
    must("The field is named", JSON.stringify(problem).includes("bedrockModels"), problem);
    must("Bedrock is not asked", stage.bedrock.called.length === before);
  },
};
