import { describe, expect, it } from "vitest";
import { findPassages, textOfTurn } from "./find-text.ts";

describe("a search in a text", () => {
  it("finds one passage a line, whatever its case, with its line and what is around it", () => {
    expect(findPassages("one\nThe Bracket, a bracket\n", "bracket", 9)).toEqual([
      { before: "The ", match: "Bracket", after: ", a bracket", line: 2 },
    ]);
    const [long] = findPassages(`${"a".repeat(100)}X${"b".repeat(100)}`, "x", 9);
    expect(long).toEqual({ before: `…${"a".repeat(60)}`, match: "X", after: `${"b".repeat(60)}…`, line: 1 });
  });

  it("stops at its limit, and is not misled by letters whose lower case is longer", () => {
    expect(findPassages("x\n".repeat(9), "x", 3)).toHaveLength(3);
    expect(findPassages("İİİx", "x", 3).every(({ match }) => match.length === 1)).toBe(true);
  });

  it("looks into what the model wrote, called and got", () => {
    const answer = { answer: { text: "said", toolCalls: [{ id: "1", name: "tool", arguments: '{"a":"x\\ny"}' }] } };
    const effects = { results: [{ note: "a note", text: "a result" }], verdicts: [], correction: "again" };
    const text = textOfTurn({ answer, effects } as unknown as Parameters<typeof textOfTurn>[0]);
    expect(text.split("\n")).toEqual(["said", "tool", '{"a":"x', 'y"}', "a note", "a result", "again"]);
  });
});
