/** What earlier versions of the language reserved: each is refused by its name, with what to use, in every notation. */
import { describe, expect, it } from "vitest";
import { readJson, readYaml } from "../../../files/program/yaml-source.ts";
import type { ProgramSource } from "./finding.ts";
import { inWords } from "./finding.ts";
import { readMarkdown } from "./markdown/read-markdown.ts";
import { readProgramData } from "./read-program.ts";

function wordsOf(source: ProgramSource | { findings: Parameters<typeof inWords>[0][] }): string {
  const read = "findings" in source ? source : readProgramData(source);
  return "findings" in read ? read.findings.map(inWords).join("\n") : "";
}

const TESTS = { tests: true };
const loop = { kind: "for_each", items: ["a"], as: "x", atMost: 1, body: ["{{x}}"] };

describe.each([
  ["budget", { text: "a", budget: { usd: 1 } }, "a run has ceilings"],
  ["effort", { ...loop, effort: "high" }, "Set the effort of the run."],
  ["model", { text: "a", model: "x" }, "Set the model of the run."],
  ["output", { text: "a", output: { type: "object" } }, "which file"],
  ["effects", { text: "a", effects: "none" }, "Leave it out"],
  ["scratch", { text: "a", scratch: ["a"] }, "Leave it out"],
  ["gather", { ...loop, gather: "a.json" }, "Say in the text"],
  ["parallel", { ...loop, parallel: 4 }, "number of lanes"],
  ["race", { kind: "race", verify: TESTS, bodies: [["a"], ["b"]] }, "begin several runs"],
  ["on", { kind: "on", event: "push", atMost: 2, body: ["a"] }, "begin a run"],
])("%s", (name, node, remedy) => {
  it("is refused by its name, with what to use", () => {
    const text = JSON.stringify([node]);
    for (const source of [readJson(text), readYaml(text)]) {
      expect(wordsOf(source)).toContain(`\`${name}\``);
      expect(wordsOf(source)).toContain(remedy);
    }
  });
});

it("a reserved mark in Markdown is refused there, too", () => {
  expect(wordsOf(readMarkdown("1. **a** {model=small}"))).toContain("line 1, column 11");
  expect(wordsOf(readMarkdown("1. **a** {model=small}"))).toContain("Set the model of the run.");
});
