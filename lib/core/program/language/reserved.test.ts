/** What the language reserves: each is checked, the same in every notation, and refused before a run begins. */
import { describe, expect, it } from "vitest";
import { type ReadSource, readJson, readYaml, writeYaml } from "../../../files/program/yaml-source.ts";
import { readDraft } from "../program-text.ts";
import { inWords } from "./finding.ts";
import { readMarkdown } from "./markdown/read-markdown.ts";
import { renderMarkdown } from "./markdown/render-markdown.ts";
import { dataOf } from "./program-data.ts";
import { readProgramData } from "./read-program.ts";
import type { Program } from "./schema.ts";

const TESTS = { tests: true };
const step = (more: object = {}) => ({ title: "Write", text: "Write it.", ...more });
const loop = (more: object) => ({
  kind: "for_each",
  items: ["a"],
  as: "x",
  atMost: 1,
  body: [step({ title: "{{x}}" })],
  ...more,
});
const race = (more: object = {}) => ({ kind: "race", verify: TESTS, bodies: [[step()], [step()]], ...more });
const on = (more: object = {}) => ({ kind: "on", event: "push", atMost: 2, body: [step()], ...more });
const schema = { type: "object", properties: { parts: { type: ["array", "null"], items: { type: "string" } } } };

const RESERVED: [name: string, node: (value: unknown) => object, right: unknown, wrong: unknown][] = [
  ["output", (output) => step({ output }), schema, { type: "object", properties: { a: { type: "text" } } }],
  ["effects", (effects) => step({ effects }), "network", "all"],
  ["scratch", (scratch) => step({ scratch }), ["notes/plan.md"], ["../plan.md"]],
  ["budget", (budget) => step({ budget }), { usd: 1.5, tokens: 10_000 }, { usd: 0 }],
  ["budget", (budget) => loop({ budget }), { tokens: 10_000 }, {}],
  ["effort", (effort) => loop({ effort }), "high", "most"],
  ["model", (model) => loop({ model }), "openai/gpt-5.5", ""],
  ["gather", (gather) => loop({ gather }), "results.json", "/results.json"],
  ["parallel", (parallel) => loop({ parallel }), 4, 17],
  ["race", (bodies) => race({ bodies }), [[step()], [step()]], [[step()]]],
  ["on", (event) => on({ event }), "push", ""],
];

function programOf(source: ReadSource): Program {
  const read = "findings" in source ? source : readProgramData(source);
  if ("findings" in read) throw new Error(read.findings.map(inWords).join("\n"));
  return read.program;
}
const programIn = (node: object): Program =>
  programOf({ data: { instructions: [step(), node] }, placeOf: () => undefined });

describe.each(RESERVED)("%s", (name, nodeWith, right, wrong) => {
  it("is the same program in the three notations", () => {
    const program = programIn(nodeWith(right));
    const plain = JSON.parse(JSON.stringify(program));
    const through = [
      readMarkdown(renderMarkdown(program)),
      readYaml(writeYaml(dataOf(program))),
      readJson(JSON.stringify(dataOf(program))),
    ];
    for (const source of through) expect(JSON.parse(JSON.stringify(programOf(source)))).toEqual(plain);
    expect(JSON.stringify(dataOf(program))).toContain(JSON.stringify(right).slice(1, -1));
  });

  it("is refused where its value is wrong", () => {
    expect(() => programIn(nodeWith(wrong))).toThrow(/^instruction 2, /);
  });

  it("is refused before a run begins, with its place", () => {
    const read = readDraft({ data: { instructions: [step(), nodeWith(right)] }, placeOf: () => undefined });
    const words = "findings" in read ? read.findings.map(inWords) : [];
    expect(words.join()).toMatch(new RegExp(`^instruction 2.*\`${name}\` is .*this version does not execute it yet`));
  });

  it("is refused inside a block, too", () => {
    const inner = { kind: "group", body: [step(), nodeWith(right)] };
    const read = readDraft({ data: { instructions: [inner] }, placeOf: () => undefined });
    expect("findings" in read && read.findings.map(inWords).join()).toContain(`\`${name}\` is`);
  });
});
