import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { INSTRUCTION_BYTES } from "../limits.ts";
import { Draft, type DraftInstruction } from "./program.ts";
import { inForm, oneLine } from "./program-item.ts";
import { draftFromData, parseProgramMarkdown, renderProgramMarkdown } from "./program-text.ts";

function parsed(text: string): Draft {
  const draft = parseProgramMarkdown(text);
  if ("problem" in draft) throw new Error(draft.problem);
  return Draft.parse(draft);
}

const only = (text: string): DraftInstruction | undefined => parsed(text).instructions[0];
const titles = (text: string): string[] => parsed(text).instructions.map(({ title }) => title);
const problemOf = (draft: Draft | { problem: string }): string => ("problem" in draft ? draft.problem : "");

describe("a program in Markdown", () => {
  it("has one instruction for each item of its list", () => {
    expect(titles("# My program\n\nBy hand.\n\n1. Parse\n2. Count\n3. Print\n")).toEqual(["Parse", "Count", "Print"]);
    expect(titles("- Parse\n- [ ] Count\n* Print")).toEqual(["Parse", "Count", "Print"]);
  });

  it("takes the bold beginning of an item as its title and the rest as its text", () => {
    expect(only("1. **Store**: keeps links.\n   In a file.")).toEqual({
      title: "Store",
      text: "keeps links.\nIn a file.",
      requirements: [],
    });
  });

  it("takes the first line as the title where nothing is bold", () => {
    expect(only("1. Store\n\n   Keeps links.")).toEqual({ title: "Store", text: "Keeps links.", requirements: [] });
  });

  it("takes a single line as both", () => {
    expect(only("- Store the links")).toEqual({ title: "Store the links", text: "Store the links", requirements: [] });
  });

  it("keeps a sentence whole that runs on below its first line", () => {
    expect(only("1. Build the store that keeps\n   links in a file.\n   It is fast.")).toEqual({
      title: "Build the store that keeps links in a file",
      text: "Build the store that keeps\nlinks in a file.\nIt is fast.",
      requirements: [],
    });
  });

  it.each([
    "1. **Store** (R1, R2.3)\n   Keeps links.",
    "1. **Store** [R1; R2.3]\n\n   Keeps links.",
    "1. **Store**\n   Keeps links. (R1, R2.3)",
    "1. Store (R1 R2.3)\n   Keeps links.",
    "1. Store\n   Keeps links.\n   [R1, R2.3]",
  ])("reads the requirements at the end of %j", (text) => {
    expect(only(text)).toEqual({ title: "Store", text: "Keeps links.", requirements: ["R1", "R2.3"] });
  });

  it("leaves other words in parentheses in the text", () => {
    expect(only("- Store links (see R1)")?.text).toBe("Store links (see R1)");
  });

  it("keeps lists, code and blank lines inside an item as they are", () => {
    const text =
      "Routes:\n\n- `GET /`\n  1. first\n\n```js\nif (a) {\n\n  b();\n}\n```\n\n# Not a heading of the program";
    const item = text.split("\n").map((line) => (line ? `   ${line}` : ""));
    expect(only(`1. **Serve**\n\n${item.join("\n")}\n2. Next`)?.text).toBe(text);
  });

  it("reads items that are indented, with tabs, and right-aligned numbers", () => {
    expect(parsed("   1. A\n\n      B\n   2. C").instructions.map(({ text }) => text)).toEqual(["B", "C"]);
    expect(only("-\tA\n\n\tB\n\t\tc")?.text).toBe("B\n\tc");
    expect(titles(" 9. Nine\n10. Ten")).toEqual(["Nine", "Ten"]);
  });

  it("reads a line that was wrapped without indentation as part of its item", () => {
    expect(only("1. **Store**\nKeeps links.\n   Well.")?.text).toBe("Keeps links.\nWell.");
  });

  it("may list its requirements in a section of their own", () => {
    const text =
      "## Requirements\n\nAs agreed:\n\n- R1: Links are\n  short.\n- **R2.1** They work.\n3. Fast\n\n## Program\n\n1. All (R1)";
    const { requirements, instructions } = parsed(text);
    expect(requirements).toEqual([
      { id: "R1", text: "Links are short." },
      { id: "R2.1", text: "They work." },
      { id: "R3", text: "Fast" },
    ]);
    expect(instructions).toHaveLength(1);
  });

  it("reads the same with Windows line ends and a byte order mark", () => {
    const text = "# Requirements\n- R1: a\n# Program\n1. **A** (R1)\n\n   b\n   - c\n\n---\n2. D\n";
    expect(parsed(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(parsed(text));
  });
});

describe("a Markdown text that is no program", () => {
  it.each([
    ["", "line 1, column 1: there is no list"],
    ["Just words.", "line 1, column 1: there is no list"],
    ["# Requirements\n- R1: a", "line 1, column 1: there is no list"],
    ["1. A\n2.\n3. C", "line 2, column 1: the instruction is empty."],
    ["1. A\n\nstray words\n2. B", "line 3, column 1: this belongs to no item; indent it"],
    ["1. A\n```\ncode\n```", "line 2, column 1: this belongs to no item; indent it"],
    ["# Requirements\n- no id\n# Program\n- A", "line 2, column 1: a requirement reads `R1: what is asked`."],
    ["# Requirements\n- R1: a\n- R1: b\n# Program\n- A", "The program's requirements have R1 twice."],
    [
      `# Requirements\n- R1: ${"x".repeat(17_000)}\n# Program\n- A`,
      "Requirement R1 is longer than 16384 bytes; split it.",
    ],
    [
      `- A\n- ${"x".repeat(INSTRUCTION_BYTES)}`,
      `line 2, column 1: the instruction is longer than ${INSTRUCTION_BYTES} bytes.`,
    ],
  ])("%# says where", (text, problem) => {
    expect(problemOf(parseProgramMarkdown(text))).toContain(problem);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "1. one",
          "- two",
          "  - three",
          "",
          "  ",
          "\t",
          "**bold**",
          "# Requirements",
          "```",
          "---",
          "(R1)",
          "[R2.1]",
          "()",
        ],
        ...["R1: x", "\r\n", "\\*", "*", "\\", "ends: ", "größe", "日本語", "\u2028", "\u00a0", "lower", "Upper"],
      ),
      { minLength: 1, maxLength: 8 },
    )
    .chain((parts) => fc.constantFrom(parts.join("\n"), parts.join(" "), parts.join(""))),
);
const id = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }).map((path) => `R${path.join(".")}`);
const printable = anyText.filter((text) => oneLine(text) !== "");
const anyDraft = fc.record({
  instructions: fc.array(
    fc.record({ title: printable, text: printable, requirements: fc.array(id, { maxLength: 3 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  ),
  requirements: fc.uniqueArray(fc.record({ id, text: printable }), { selector: (each) => each.id, maxLength: 5 }),
});
const formed = (draft: Draft): Draft => ({
  instructions: draft.instructions.map(inForm),
  requirements: draft.requirements.map(({ id: own, text }) => ({ id: own, text: oneLine(text) })),
});

describe("a rendered program", () => {
  it("is readable", () => {
    const draft = {
      requirements: [{ id: "R1", text: "Links are short." }],
      instructions: [
        { title: "Store", text: "Keeps links:\n\n- in a file", requirements: ["R1"] },
        { title: "Serve", text: "Answers.", requirements: [] },
      ],
    };
    expect(renderProgramMarkdown(draft)).toBe(
      "# Requirements\n\n- R1: Links are short.\n\n# Program\n\n1. **Store** (R1)\n\n   Keeps links:\n\n   - in a file\n\n2. **Serve**\n\n   Answers.\n",
    );
  });

  it("is read back as it was, whatever its texts hold", () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const program = formed(draft);
        expect(parsed(renderProgramMarkdown(program))).toEqual(program);
        expect(renderProgramMarkdown(draft)).toBe(renderProgramMarkdown(program));
      }),
      { numRuns: thorough(300, 2_000) },
    );
  });

  it.each([{ least: 2_850, most: 3_150 }, { least: 2_000 }, { most: 400 }])("has the number of words %j", (words) => {
    const draft = {
      instructions: [{ title: "Write", text: "Chapter 1.", requirements: ["R1"], words }],
      requirements: [],
    };
    expect(parsed(renderProgramMarkdown(draft))).toEqual(draft);
    expect(draftFromData(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
    const unserved = { ...draft, instructions: draft.instructions.map((one) => ({ ...one, requirements: [] })) };
    expect(parsed(renderProgramMarkdown(unserved))).toEqual(unserved);
  });

  it("is read back as it was with Windows line ends", () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const program = formed(draft);
        expect(parsed(renderProgramMarkdown(program).replaceAll("\n", "\r\n"))).toEqual(program);
      }),
    );
  });
});

describe("any text at all", () => {
  it("is a program that can be stored, or has a problem in words", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const draft = parseProgramMarkdown(text);
        expect("problem" in draft ? draft.problem !== "" : Draft.safeParse(draft).success).toBe(true);
      }),
      { numRuns: thorough(200, 1_000) },
    );
  });
});

describe("a program from data", () => {
  const program = {
    requirements: [{ id: "R1", text: "Short." }],
    instructions: [{ title: "Store", text: "Keeps links.", requirements: ["R1"] }],
  };

  it("may be a list of texts, each read like an item of a list", () => {
    expect(draftFromData(["Parse (R1)", "**Print**\nNicely."])).toEqual({
      requirements: [],
      instructions: [
        { title: "Parse", text: "Parse", requirements: ["R1"] },
        { title: "Print", text: "Nicely.", requirements: [] },
      ],
    });
  });

  it("may be a list of instructions, without what can be left out", () => {
    expect(draftFromData([{ text: "Keep links. In a file." }, { title: "Serve" }])).toEqual({
      requirements: [],
      instructions: [
        { title: "Keep links", text: "Keep links. In a file.", requirements: [] },
        { title: "Serve", text: "Serve", requirements: [] },
      ],
    });
  });

  it("may have its requirements with it, as a list or by id", () => {
    expect(draftFromData(program)).toEqual(program);
    expect(draftFromData({ ...program, requirements: { R1: "Short." } })).toEqual(program);
  });

  it("is what a draft's JSON holds", () => {
    fc.assert(
      fc.property(anyDraft.map(formed), (draft) => {
        expect(draftFromData(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
      }),
    );
  });

  it.each([
    [null, "A program is a list of instructions"],
    ["text", "A program is a list of instructions"],
    [{ steps: [] }, "A program is a list of instructions"],
    [[], "The program has no instructions."],
    [["A", " "], "instruction 2: the instruction is empty."],
    [["A", 7], "instruction 2: it is a text, or {title, text, requirements}"],
    [[{ text: "A", requirement: ["R1"] }], "instruction 1, requirement: it has no field"],
    [[{ text: "A", requirements: ["X1"] }], 'instruction 1, requirements 1: "X1" is no requirement\'s id'],
    [
      { instructions: ["A"], requirements: [{ id: "1", text: "a" }] },
      'requirements 1, id: "1" is no requirement\'s id',
    ],
    [
      [{ kind: "call", program: "tests" }],
      "instruction 1, program: the program `tests` is not here: only its name is.",
    ],
    [[{ kind: "call", program: "tests", body: [] }], "instruction 1, body: it has 0 entries; at least 1."],
    [
      [{ kind: "call", program: "tests", body: ["Test {{module}}."] }],
      "uses {{module}}, and `with` has no value for it",
    ],
    [
      [{ kind: "call", program: "tests", with: { a: 1 }, body: ["Test."] }],
      "instruction 1, with, a: `tests` never uses",
    ],
    [
      [{ kind: "call", program: "tests", body: [{ id: "a", text: "A", needs: ["b"] }] }],
      "body 1, needs 1: `needs` names",
    ],
  ])("%# says what is wrong and where", (value, problem) => {
    expect(problemOf(draftFromData(value))).toContain(problem);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const draft = draftFromData(value);
        expect("problem" in draft ? draft.problem !== "" : Draft.safeParse(draft).success).toBe(true);
      }),
    );
  });
});
