import { describe, expect, it } from "vitest";
import { createOwnModels, createServedModels } from "./served-models.ts";

const model = "openai/gpt-5.5";

describe("a model that will not be asked", () => {
  it("is chosen without its key, by a server and by a command", async () => {
    expect(await createServedModels({}).choose({ model })).toHaveProperty("keyCommand");
    await expect(createOwnModels({}).choose({ model })).rejects.toThrow("No API key is set");
    for (const models of [createServedModels({}), createOwnModels({})])
      expect(await models.choose({ model, isDryRun: true })).toMatchObject({ profile: { model } });
  });

  it("must have a name all the same", async () => {
    const models = createServedModels({});
    expect(await models.choose({ model: "openai/gpt-5.5,rehearsal", isDryRun: true })).toHaveProperty("problem");
  });
});
