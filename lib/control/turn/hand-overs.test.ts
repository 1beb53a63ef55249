import { expect, it } from "vitest";
import { type Instruction, instructionOf } from "../../core/program/program.ts";
import { handOvers } from "./first-message.ts";

const reporting = (summaries: string[], title = "Work"): Instruction[] =>
  summaries.map((summary, index) => ({
    ...instructionOf({ title, text: "Work.", requirements: [] }, index + 1),
    ...{ status: "accepted", summary },
  }));

it("hands over all reports that fit, in their order, and names the others", () => {
  const text = handOvers(reporting(["short", "x".repeat(9_000), "y".repeat(9_000)]));
  expect(text).toContain("Instruction 2 (Work): accepted.");
  expect(text.indexOf("Instruction 1 reported: short")).toBeGreaterThan(0);
  expect(text.indexOf("Instruction 3 reported: yyy")).toBeGreaterThan(text.indexOf("Instruction 1 reported"));
  expect(text).not.toContain("xxx");
});

it("stays bounded with a thousand long reports and titles", () => {
  const text = handOvers(
    reporting(
      Array.from({ length: 1_000 }, () => "z".repeat(2_000)),
      "T".repeat(5_000),
    ),
  );
  expect(text.length).toBeLessThan(12_000 + 51 * 130);
  expect(text).toContain("and 945 more.");
});
