/** `write_program` with kinds: read and checked as a program file is, and answered in the terms of the call. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it, test } from "vitest";
import { seededProgram } from "../../../test/program/seeded-program.ts";
import { createMemoryBench } from "../../../test/servers/memory-bench.ts";
import { dataOf } from "../../core/program/language/program-data.ts";
import { draftFromData, renderProgramMarkdown } from "../../core/program/program-text.ts";
import { readProgram } from "../../files/program-file.ts";
import { projectFile } from "../../files/project-files.ts";
import { writeProgram } from "../write-program.ts";

async function write(instructions: unknown, requirements?: unknown) {
  const bench = createMemoryBench();
  const result = await writeProgram.call("1", JSON.stringify({ instructions, requirements }), bench);
  return { ...result, draft: bench.programs[0] };
}

const step = (title: string, more: object = {}) => ({ title, text: `${title}.`, requirements: ["R1"], ...more });

/** As a model fills every parameter of a strict schema. */
const NOTHING = {
  ...{ words: null, kind: null, id: null, inside: null, branch: null, needs: null, condition: null, items: null },
  ...{ as: null, atMost: null, otherwise: null, choices: null, saveTo: null },
};

const FLAT = [
  step("List the parts", { ...NOTHING, id: "parts" }),
  step("Parts", { ...NOTHING, kind: "for_each", id: "each", items: { file: "parts.json" }, as: "part", atMost: 5 }),
  step("Write {{part}}", { ...NOTHING, inside: "each" }),
  step("Documented", { kind: "if", id: "docs", condition: { file: "docs", exists: true } }),
  step("Describe", { inside: "docs" }),
  step("Write a README", { inside: "docs", branch: "else" }),
  step("Until it is ready", { kind: "repeat", id: "again", condition: { tests: [] }, atMost: 2 }),
  step("Repair", { inside: "again" }),
  step("It starts", { kind: "assert", condition: { argv: ["node", "main.js"] }, otherwise: "repair" }),
  { title: "Name", text: "What is it called?", requirements: [], kind: "ask", saveTo: "name.txt" },
];

const MARKDOWN = `# Program

1. **List the parts** (R1) {#parts}

   List the parts.

2. **Parts** {#each .for_each items={"file":"parts.json"} as=part atMost=5}

   1. **Write {{part}}** (R1)

      Write {{part}}.

3. **Documented** {#docs .if condition={"file":"docs","exists":true}}

   1. **Describe** (R1)

      Describe.

   2. {.else}

      1. **Write a README** (R1)

         Write a README.

4. **Until it is ready** {#again .repeat until={"tests":true} atMost=2}

   1. **Repair** (R1)

      Repair.

5. **It starts** {.assert check={"argv":["node","main.js"]} otherwise=repair}

6. **Name** {.ask saveTo=name.txt}

   What is it called?
`;

/** A question without a title gets one in a call, where a title has to be. */
const untitled = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree ?? null), (_, node) => (node?.kind === "ask" ? { ...node, title: undefined } : node));

describe("a program with kinds", () => {
  it("is written as one flat list, and is the program that a file would be", async () => {
    const { ok, text, draft } = await write(FLAT);
    expect([ok, text]).toEqual([true, "The program has 10 instructions.\nIt takes at most 10 steps."]);
    expect(draft && renderProgramMarkdown(draft)).toBe(MARKDOWN);
    expect(draft?.instructions.map(({ title }) => title)).toEqual([
      ...["List the parts", "Write {{part}}", "Describe", "Write a README", "Repair"],
    ]);
  });

  it("fits the schema that the model is shown, as a validator of others reads it, with null for what is left out but names", () => {
    const isValid = new Ajv({ allowUnionTypes: true }).compile(writeProgram.spec.parameters);
    const { kind: _kind, branch: _branch, otherwise: _otherwise, ...nothing } = NOTHING;
    const isThere = ([, value]: [string, unknown]): boolean => value !== null;
    const given = {
      instructions: FLAT.map((one) => ({ ...nothing, ...Object.fromEntries(Object.entries(one).filter(isThere)) })),
      requirements: null,
    };
    expect([isValid(given), isValid.errors]).toEqual([true, null]);
    expect(isValid({ instructions: [step("a", { kind: "while" })] })).toBe(false);
  });

  it("shows chat templates a type and perhaps null, and no list with null in it", () => {
    const text = JSON.stringify(writeProgram.spec.parameters);
    expect(text).not.toMatch(/"enum":\[[^\]]*null/);
    const types = [...text.matchAll(/"type":\[([^\]]*)\]/g)].map(([, list = ""]) => list.split(","));
    expect(types.filter((list) => list.length > 2 || list[1] !== '"null"')).toEqual([]);
    expect(text).toContain('"enum":["do","group","if","for_each","repeat","assert","ask"]');
  });

  it.each(["control-flow", "questions"])("takes examples/%s.md in the form of a program file", async (name) => {
    const { requirements, tree, ...file } = readProgram(projectFile(`examples/${name}.md`));
    const { ok, draft } = await write(tree, requirements);
    expect(ok).toBe(true);
    expect(draft?.instructions).toEqual(file.instructions);
    expect(draft && renderProgramMarkdown(draft)).toBe(readFileSync(projectFile(`examples/${name}.md`), "utf8"));
  });

  it("is, for any program of a file, the same program, or refused as the file is", async () => {
    const outcomes = { same: 0, refused: 0 };
    // A planner has no programs to call, and an empty list of items is taken for none.
    const isPlanned = (data: object): boolean => !/"kind":"call"|"items":\[\]/.test(JSON.stringify(data));
    for (let seed = 1; seed <= 300; seed += 1) {
      const data = dataOf(seededProgram(seed));
      if (!isPlanned(data)) continue;
      const file = draftFromData(data);
      const { ok, draft } = await write(data.instructions);
      expect(ok, `seed ${seed}`).toBe(!("problem" in file));
      if ("problem" in file || !draft) outcomes.refused += 1;
      else {
        expect(untitled(draft.tree), `seed ${seed}`).toEqual(untitled(file.tree));
        // In a list without needs an id names nothing.
        if (file.tree) expect(draft.instructions).toEqual(file.instructions);
        outcomes.same += 1;
      }
    }
    expect(outcomes.same).toBeGreaterThan(80);
  });

  it("hands the requirements of a block to what is inside it", async () => {
    const { draft } = await write([
      { title: "Both", requirements: ["R2"], kind: "group", body: [step("One"), step("Two")] },
    ]);
    expect(draft?.instructions.map(({ requirements }) => requirements)).toEqual([
      ["R2", "R1"],
      ["R2", "R1"],
    ]);
  });

  it("stays a plain list where no instruction has a kind, whatever is filled in", async () => {
    const plain = await write([step("One"), step("Two", { words: { least: 3 } })]);
    const filled = await write([
      step("One", { ...NOTHING, kind: "do", id: "one", needs: [], condition: {}, inside: "", saveTo: "" }),
      step("Two", { words: { least: 3 }, items: { list: [] }, choices: [] }),
    ]);
    expect(plain.text).toBe("The program has 2 instructions.");
    expect(filled.text).toBe(plain.text);
    expect(filled.draft).toEqual(plain.draft);
    expect(plain.draft?.tree).toBeUndefined();
  });

  it("is taken with what may be a mistake, and says it", async () => {
    const loop = step("Each", { kind: "for_each", id: "e", items: { list: ["a", "b"] }, as: "x", atMost: 2 });
    const { ok, text } = await write([loop, step("Same again", { inside: "e" })]);
    expect(ok).toBe(true);
    expect(text).toContain("at most 2 steps.\nPerhaps a mistake: instructions[0].as: the body never uses {{x}}");
  });

  it.each(["forEach", "for-each", "foreach", "FOR_EACH"])("takes %s for for_each", async (kind) => {
    const { ok } = await write([{ title: "Each", kind, items: ["a"], as: "x", atMost: 1, body: ["Write {{x}}"] }]);
    expect(ok).toBe(true);
  });
});

const loop = (more: object) => step("Loop", { kind: "repeat", id: "l", condition: { tests: [] }, atMost: 2, ...more });
const inside = step("Inside", { inside: "l" });
const isJson = { file: "a.json", pointer: "/a", equals: 3 };

test.each<[string, unknown[], string]>([
  [
    "an unknown block",
    [step("a", { inside: "x", id: "y" })],
    'instructions[0].inside names "x", and no instruction has this id: there are y.',
  ],
  ["a block in itself", [loop({ inside: "l" }), inside], "instructions[0] is inside itself"],
  [
    "a block without an id",
    [step("a", { kind: "repeat", condition: { tests: [] }, atMost: 2 })],
    "instructions[0] is a repeat without an id",
  ],
  [
    "an empty block",
    [step("a"), loop({})],
    "instructions[1].body: `repeat` needs `body`. Give the instructions that it holds `inside`",
  ],
  [
    "no limit",
    [loop({ atMost: null }), inside],
    "instructions[0].atMost: `repeat` needs `atMost`. Write the largest number of rounds",
  ],
  [
    "no condition",
    [loop({ condition: null }), inside],
    "instructions[0].condition: `repeat` needs `until`; a condition is {argv",
  ],
  [
    "two facts at once",
    [loop({ condition: { ...isJson, matches: "x" } }), inside],
    "instructions[0].condition: a condition is {argv",
  ],
  ["a body of a do", [step("a", { id: "l" }), inside], "instructions[0].body: it has no field `body`."],
  ["a field of another kind", [step("a", { saveTo: "x" })], "instructions[0].saveTo: it has no field `saveTo`."],
  ["a later need", [step("a", { needs: ["b"] }), step("b", { id: "b" })], "instructions[0].needs.0: `b` comes later"],
  ["one id twice", [loop({}), inside, step("b", { id: "l" })], "instructions[2].id: two instructions have the id `l`."],
  [
    "too many items",
    [loop({ kind: "for_each", condition: null, items: { list: ["a", "b", "c"] }, as: "x" }), inside],
    "instructions[0].items: it has 3 items, and atMost is 2",
  ],
  ["too many steps", [loop({ atMost: 9_999 }), inside, { ...inside, title: "b" }], "The program can take 19998 steps"],
  [
    "a pattern that is none",
    [loop({ condition: { file: "a", matches: "(" } }), inside],
    "instructions[0].condition.matches: this is no regular",
  ],
  [
    "nothing to do",
    [step("a", { kind: "assert", condition: isJson, otherwise: "stop" })],
    "no instruction does anything",
  ],
  ["an unknown kind", [step("a", { kind: "while" })], 'expected one of "do"|"group"|"if"'],
  [
    "a path outside",
    [step("a", { kind: "ask", saveTo: "../x" }), step("b")],
    "instructions[0].saveTo: a path is relative",
  ],
])("a program with %s is answered with the place in the list", async (_, instructions, words) => {
  const { ok, text, draft } = await write(instructions);
  expect(text).toContain(words);
  expect([ok, draft]).toEqual([false, undefined]);
});

it("refuses thousands of blocks inside each other, by `inside` and as bodies, and can be called again", async () => {
  const group = (n: number) =>
    step(`Group ${n}`, { kind: "group", id: `g${n}`, ...(n > 0 ? { inside: `g${n - 1}` } : {}) });
  const chain = [...Array.from({ length: 5_000 }, (_, n) => group(n)), step("Last", { inside: "g4999" })];
  const { text } = await write(chain);
  expect(text).toContain("instructions[33] is inside more than 32 blocks, or inside itself. Use fewer blocks.");
  const backwards = await write(chain.toReversed());
  expect(backwards.text).toContain("is inside more than 32 blocks");
  let body: object[] = [step("Last")];
  for (let n = 0; n < 2_000; n += 1) body = [{ kind: "group", title: "G", body }];
  expect((await write(body)).text).toContain("is inside more than 32 blocks");
  const circle = [0, 1].map((n) => step("Circle", { kind: "group", id: `c${n}`, inside: `c${1 - n}` }));
  expect((await write(circle)).text).toContain("`inside` goes in a circle");
  expect((await write([group(0), step("In it", { inside: "g0" })])).draft?.tree).toHaveLength(1);
});
