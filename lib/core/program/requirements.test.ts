import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { Requirement } from "./program.ts";
import { extractRequirements, uncovered } from "./requirements.ts";

function extracted(task: string): Requirement[] {
  const found = extractRequirements(task);
  if ("problem" in found) throw new Error(found.problem);
  return found;
}

const pairs = (task: string): string[] => extracted(task).map(({ id, text }) => `${id} ${text}`);
const ids = (task: string): string[] => extracted(task).map(({ id }) => id);

describe("the requirements of a task", () => {
  it("are none where the task lists nothing", () => {
    expect(pairs("Write a command line calculator. It adds and subtracts.")).toEqual([]);
    expect(pairs("")).toEqual([]);
  });

  it.each([
    "Out of scope:",
    "**Out of scope**",
    "## Non-goals",
    "### 4. Out of scope (for now)",
    "Tech stack:",
    "## Constraints",
    "Technical constraints",
    "The following are out of scope:",
    "## Constraints\n\nPlease keep to these.",
  ])("leave out what a list under %j rules out or limits", (heading) => {
    const task = `A shortener:\n\n1. Shortens.\n2. Redirects.\n\n${heading}\n\n- Payments\n- A mobile app\n`;
    expect(pairs(task)).toEqual(["R1 Shortens.", "R2 Redirects."]);
    expect(pairs(`${task}\n# Later sections\n\nIt also:\n- counts\n- exports`)).toEqual([
      "R1 Shortens.",
      "R2 Redirects.",
      "R3 counts",
      "R4 exports",
    ]);
  });

  it("leave out an item that is such a heading, with what is below it", () => {
    expect(pairs("- Links\n- **Out of scope**:\n  - Payments\n  - Mail\n- Accounts")).toEqual([
      "R1 Links",
      "R2 Accounts",
    ]);
  });

  it.each([
    "Not required to log in:",
    "## Stack of cards",
    "The form keeps these constraints:",
    "Requirements and constraints of the API:",
    "## Features",
  ])("keep a list under %j", (heading) => {
    expect(ids(`${heading}\n\n- a\n- b`)).toEqual(["R1", "R2"]);
  });

  it("keep labelled items in any place, and a list after another paragraph", () => {
    expect(ids("## Constraints\nR1: a\nR2: b")).toEqual(["R1", "R2"]);
    expect(ids("Tech stack:\n- Go\n- SQLite\n\nBuild this.\n\n- a\n- b")).toEqual(["R1", "R2"]);
  });

  it("are its numbered items, each with its number", () => {
    const task = "A shortener:\n\n1. Shortens a link.\n2. Redirects.\n3. Counts visits.\n\nKeep it small.";
    expect(pairs(task)).toEqual(["R1 Shortens a link.", "R2 Redirects.", "R3 Counts visits."]);
  });

  it.each(["1) a\n2) b", "(1) a\n(2) b", "1: a\n2: b", "**1.** a\n**2.** b", " 1. a\n 2. b", "01. a\n02. b"])(
    "are read from %j",
    (task) => {
      expect(pairs(task)).toEqual(["R1 a", "R2 b"]);
    },
  );

  it.each([
    "R1: a\nR2: b",
    "R1. a\nR2. b",
    "[R1] a\n[R2] b",
    "- **R1** a\n- **R2**: b",
    "* R1 – a\n* R2 – b",
    "r1: a\nr2: b",
  ])("are read with their labels from %j", (task) => {
    expect(pairs(task)).toEqual(["R1 a", "R2 b"]);
  });

  it.each(["- R1: a", "## Requirements\n\n- **R1**: a\n", "R1: a", "Write it.\nR1: a", "Intro.\n\nFR-1: a\n\nMore."])(
    "are one with its label, alone in %j",
    (task) => {
      expect(pairs(task)).toEqual([task.includes("FR") ? "R1 FR-1: a" : "R1 a"]);
    },
  );

  it("are not made of a label within a sentence, or of a figure", () => {
    expect(pairs("The R1: a robot. See R2 for it.\nR2 is stored.\nR2=0.98, and r1-5.")).toEqual([]);
  });

  it("keep labels of another house in their text", () => {
    expect(pairs("FR-1: a\nFR-2: b\nNFR-1: c")).toEqual(["R1 FR-1: a", "R2 FR-2: b", "R3 NFR-1: c"]);
  });

  it("keep the numbers of a list that begins later", () => {
    expect(ids("3. a\n4. b\n7. c")).toEqual(["R3", "R4", "R7"]);
  });

  it.each(["-", "*", "+", "•"])("are bullets with %s, numbered in order", (bullet) => {
    expect(pairs(`Wanted:\n${bullet} a\n${bullet} b`)).toEqual(["R1 a", "R2 b"]);
  });

  it("are the points of a check list, without their boxes", () => {
    expect(pairs("- [ ] a\n- [x] b")).toEqual(["R1 a", "R2 b"]);
  });

  it("keep dotted numbers, with and without a list above", () => {
    expect(ids("1. a\n1.1 b\n1.2. c\n2. d\n2.1) e")).toEqual(["R1", "R1.1", "R1.2", "R2", "R2.1"]);
    expect(ids("## 2 Accounts\n2.1 a\n2.3 b\n## 3 Links\n3.1 c\n3.2 d")).toEqual(["R2.1", "R2.3", "R3.1", "R3.2"]);
  });

  it("take what is nested under an item as its parts", () => {
    const task = "1. Links\n2. Accounts\n   - register\n   - sign in\n     * with a code\n     * with a key\n3. Admin";
    expect(pairs(task)).toEqual([
      "R1 Links",
      "R2 Accounts",
      "R2.1 register",
      "R2.2 sign in",
      "R2.2.1 with a code",
      "R2.2.2 with a key",
      "R3 Admin",
    ]);
  });

  it("number nested lists that begin at 1 under their item", () => {
    expect(ids("1. a\n\t1. b\n\t2. c\n2. d\n  1. e\n  2. f")).toEqual(["R1", "R1.1", "R1.2", "R2", "R2.1", "R2.2"]);
  });

  it("are continued by indented lines, also after a blank one", () => {
    expect(pairs("1. A link\n   has an owner.\n\n   And a date.\n2. b")).toEqual([
      "R1 A link has an owner. And a date.",
      "R2 b",
    ]);
  });

  it("are continued by a line that was wrapped without indentation", () => {
    expect(pairs("1. A link has\nan owner.\n2. b")).toEqual(["R1 A link has an owner.", "R2 b"]);
  });

  it("end at a heading, at a paragraph and at the words that introduce the next list", () => {
    expect(pairs("- a\n- b\n# Next\ntext")).toEqual(["R1 a", "R2 b"]);
    expect(pairs("- a\n- b\n\ntext\n")).toEqual(["R1 a", "R2 b"]);
    expect(pairs("- a\n- b\nAlso:\n- c\n- d")).toEqual(["R1 a", "R2 b", "R3 c", "R4 d"]);
  });

  it("go on with their numbers after a heading", () => {
    expect(ids("# One\n1. a\n# Two\n2. b\n\nwords\n\n3. c")).toEqual(["R1", "R2", "R3"]);
  });

  it("give a second list the next free numbers, in order", () => {
    const task = "Must:\n1. a\n2. b\n\nShould:\n1. c\n2. d\n3. e";
    expect(pairs(task)).toEqual(["R1 a", "R2 b", "R3 c", "R4 d", "R5 e"]);
  });

  it("give the parts of a renumbered item its new number", () => {
    expect(ids("1. a\n2. b\n\nThen:\n1. c\n   1.1 d\n   1.2 e\n2. f")).toEqual([
      "R1",
      "R2",
      "R3",
      "R3.1",
      "R3.2",
      "R4",
    ]);
  });

  it("number lists that were written with ones only", () => {
    expect(ids("1. a\n1. b\n1. c")).toEqual(["R1", "R2", "R3"]);
  });

  it("give way to numbers where bullets stand before them", () => {
    expect(pairs("Goals:\n- fast\n- small\n\n1. a\n2. b")).toEqual(["R3 fast", "R4 small", "R1 a", "R2 b"]);
  });

  it("are a problem where the text gives one label twice", () => {
    const found = extractRequirements("R1: a\nR2: b\nR1: c");
    expect(found).toEqual({
      problem: "R1 is in the task twice, in line 1 and in line 3; give one of them another number.",
    });
  });

  it("are not made of a single item, a dash in prose, a rule or a year", () => {
    expect(pairs("- only this")).toEqual([]);
    expect(pairs("text\n\n---\n\n* * *\n\n1. only")).toEqual([]);
    expect(pairs("The year was\n1984. It rained.")).toEqual([]);
  });

  it("take a single nested item as the rest of its sentence", () => {
    expect(pairs("1. Links\n   - with owners\n2. b")).toEqual(["R1 Links with owners", "R2 b"]);
  });

  it("are not read from code", () => {
    const code = "1. a\n   ```yaml\n   - x\n   - y\n   ```\n2. b\n\n~~~~\n3. no\n```\n4. no\n~~~\n~~~~\n";
    expect(pairs(code)).toEqual(["R1 a", "R2 b"]);
  });

  it("read the same with Windows line ends and tabs", () => {
    const task = "1. a\n\t- b\n\t- c\n2. d";
    expect(extracted(task.replaceAll("\n", "\r\n"))).toEqual(extracted(task));
  });

  it("are bounded in number and in length", () => {
    expect(extractRequirements("- a\n".repeat(2_001))).toEqual({
      problem: "The task lists 2001 requirements; at most 2000 can be kept apart.",
    });
    expect(extracted(`- ${"😀".repeat(5_000)}\n- b`)[0]?.text.length).toBe(4_000);
  });

  it("stay shallow however deep the text nests", () => {
    const deep = Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n");
    const longest = Math.max(...ids(deep).map((id) => id.split(".").length));
    expect(longest).toBe(5);
  });
});

const lines = fc.array(
  fc.oneof(
    fc.constantFrom(
      "1. a",
      "2. b",
      "2.1 c",
      "1.1.1 d",
      "(3) e",
      "R1: f",
      "R2.1: g",
      "FR-1: h",
      "- i",
      "  - j",
      "    * k",
    ),
    fc.constantFrom("", "   1. l", "\t2) m", "   text", "text:", "# head", "```", "~~~", "---", "9999.9999 n", "R1: f"),
    fc.string({ unit: "grapheme" }),
  ),
  { maxLength: 40 },
);

describe("whatever a task holds", () => {
  it("its requirements are well-formed and no two have the same id", () => {
    fc.assert(
      fc.property(lines, (texts) => {
        const found = extractRequirements(texts.join("\n"));
        if ("problem" in found) return;
        for (const requirement of found) expect(Requirement.safeParse(requirement).success).toBe(true);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      }),
      { numRuns: thorough(200, 1_000) },
    );
  });

  it("a plain numbered list keeps its numbers", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { minLength: 2 }), (numbers) => {
        expect(ids(numbers.map((number) => `${number}. text`).join("\n"))).toEqual(
          numbers.map((number) => `R${number}`),
        );
      }),
    );
  });
});

describe("what a program leaves out", () => {
  const requirements = extracted("1. a\n2. b\n   - c\n   - d\n3. e");
  const left = (...named: string[]) => uncovered(requirements, [{ requirements: named }]).map(({ id }) => id);

  it("is everything where it names nothing", () => {
    expect(left()).toEqual(["R1", "R2", "R2.1", "R2.2", "R3"]);
  });

  it("is what no instruction names", () => {
    expect(left("R1", "R2", "R2.1", "R2.2")).toEqual(["R3"]);
  });

  it("is nothing below a requirement that is named", () => {
    expect(left("R2")).toEqual(["R1", "R3"]);
  });

  it("is not a requirement whose parts are all served", () => {
    expect(left("R2.1", "R2.2")).toEqual(["R1", "R3"]);
    expect(left("R2.1")).toEqual(["R1", "R2", "R2.2", "R3"]);
  });
});
