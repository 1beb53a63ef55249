import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { modelAfter, modelPatch, modelsAsked, withModels } from "./model-fallback.ts";

const { profile } = aRun();
const named = (model: string) => ({ ...profile, model });
const listed = { ...aRun({ profile: named("a"), models: [named("a"), named("b")], paid: [3, 4], microUsd: 7 }) };

describe("models that replace those of a run", () => {
  const replaced = { ...listed, ...withModels(listed, [named("a2"), named("b")]) };

  it("are asked from then on, and what was asked before is remembered", () => {
    expect(replaced.models?.map(({ model }) => model)).toEqual(["a", "b", "a2", "b"]);
    expect(replaced).toMatchObject({ profile: { model: "a2" }, asks: 2, paid: [3, 4, 0, 0] });
    expect(modelsAsked(replaced).map(({ model }) => model)).toEqual(["a2", "b"]);
  });

  it("stand in for each other, and not for those before them", () => {
    expect(modelAfter(replaced)?.model).toBe("b");
    expect(modelAfter({ ...replaced, ...modelPatch(replaced, 3) })).toBeUndefined();
    expect(modelAfter({ ...replaced, ...modelPatch(replaced, 1) })).toBeUndefined();
  });

  it("change nothing where they are the same", () => {
    expect(withModels(listed, [named("a"), named("b")])).toEqual({});
    const learned = { ...listed, profile: { ...listed.profile, dialect: { x: 1 } } };
    expect(withModels(learned, [named("a"), named("b")])).toEqual({});
  });
});
