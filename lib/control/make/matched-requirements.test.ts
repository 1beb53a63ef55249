import { expect, it } from "vitest";
import { matchRequirements } from "./matched-requirements.ts";

const list = (texts: Record<string, string>) => Object.entries(texts).map(([id, text]) => ({ id, text }));
const of = new Set(["R1", "R2", "R3"]);
const idsNow = (before: Record<string, string>, listed: Record<string, string>, ofTask: Set<string> = of) => {
  const { requirements, idNow } = matchRequirements(list(before), list(listed), ofTask);
  return { ids: Object.keys(before).map(idNow), requirements: requirements.map(({ id, text }) => `${id} ${text}`) };
};

it("follows a text to its new id", () =>
  expect(idsNow({ R1: "a", R2: "b" }, { R1: "new", R2: "a", R3: "b" }).ids).toEqual(["R2", "R3"]));

it("takes one whose text changed as the same where no other has its id", () => {
  expect(idsNow({ R1: "a", R2: "b" }, { R1: "a", R2: "b and more" }).ids).toEqual(["R1", "R2"]);
  expect(idsNow({ R1: "a", R2: "b" }, { R1: "b" }).ids).toEqual([undefined, "R1"]);
});

it("keeps what the model added, under an id that is free", () =>
  expect(idsNow({ R1: "a", R2: "added" }, { R1: "a", R2: "new" }, new Set(["R1"]))).toEqual({
    ids: ["R1", "R3"],
    requirements: ["R1 a", "R2 new", "R3 added"],
  }));

it("tells equal texts apart by their ids", () =>
  expect(idsNow({ R1: "a", R2: "a" }, { R1: "a", R2: "a" }).ids).toEqual(["R1", "R2"]));
