import { describe, expect, it } from "vitest";
import { type DocumentCheck, whyNoProof } from "./document-check.ts";
import { documentOutcome, placeOfPassage } from "./document-outcome.ts";

const BOOK: Record<string, string> = {
  "outline.md": "# The Mill\n\nAnna finds the mill empty.\n",
  "chapters/01-mill.md":
    "# The mill\n\nIt rained when Anna\n  found the   mill empty.\n\n> “Who’s there?” she\n> asked, and no one did.\n\n<!-- A stranger came to\nthe mill. -->\n\nSee [the road](02-road.md#the-road).\n",
  "chapters/02-road.md": "# The road\n\nShe left. See [the sea](03-sea.md), and chapter 1.\n",
};

const documents = (files: Record<string, string> = BOOK) => ({
  paths: Object.keys(files),
  read: async (path: string) => files[path],
});
const outcome = (check: DocumentCheck, files?: Record<string, string>) => documentOutcome(check, documents(files));
const passage = (words: string, path = "chapters/01-mill.md") => ({ passages: [{ path, words }] });

describe("a passage", () => {
  it.each([
    ["is found across lines and spaces", "when Anna found the mill empty.", "chapters/01-mill.md:3-4"],
    ["is found in a quote, with other quotation marks", `"Who's there?" she asked, and`, "chapters/01-mill.md:6-7"],
  ])("%s, and where it is", async (_, words, place) => {
    expect(await outcome(passage(words))).toEqual({ status: "passed", detail: place, output: "" });
  });

  it.each([
    ["another word", passage("It rained when Anna left the mill."), "refuted", /does not say "It rained/],
    ["a comment, which no reader sees", passage("A stranger came to the mill."), "refuted", /does not say/],
    ["no such file", passage("It rained when Anna", "chapters/09.md"), "missing", /no text chapters\/09\.md/],
  ] as const)("is not there: %s", async (_, check, status, detail) => {
    expect(await outcome(check)).toMatchObject({ status, detail: expect.stringMatching(detail) });
  });

  it("is found again where lines were added before it", async () => {
    const files = { "a.md": `${"line\n".repeat(40)}It rained when Anna came.\n` };
    expect((await outcome(passage("It rained when Anna came.", "a.md"), files)).detail).toBe("a.md:41");
  });

  it("in another document was there before; the author's own notes are none", async () => {
    const named = (words: string) => placeOfPassage(passage(words, "chapters/07.md"), documents());
    expect(await named("It rained when Anna")).toMatchObject({ path: "chapters/01-mill.md" });
    expect(await named("Anna finds the mill empty.")).toBeUndefined();
  });

  it("is looked for in long texts at once, whatever they hold", async () => {
    const files = { "a.md": `${"<!-- ".repeat(50_000)}${"> ".repeat(50_000)}${" ".repeat(100_000)}x` };
    expect((await outcome(passage("It rained when Anna came.", "a.md"), files)).status).toBe("refuted");
  });
});

describe("counts and links", () => {
  const count = (...counts: NonNullable<DocumentCheck["counts"]>) => outcome({ counts });

  it("hold between their bounds, of one chapter or of all", async () => {
    expect(await count({ of: "chapters", least: 2, most: 2 })).toMatchObject({
      status: "passed",
      detail: "2 chapters in the book",
    });
    expect((await count({ of: "headings", path: "chapters/01-mill.md", least: 1 })).status).toBe("passed");
    expect(await count({ of: "words", least: 900 })).toMatchObject({
      status: "refuted",
      detail: expect.stringMatching(/^\d+ words in all chapters, not at least 900$/),
    });
    expect((await count({ of: "words", path: "chapters/03-sea.md", most: 10 })).status).toBe("missing");
  });

  it("name the first link that leads nowhere, and its line", async () => {
    expect(await outcome({ links: ["chapters/01-mill.md"] })).toMatchObject({ status: "passed" });
    expect(await outcome({ links: ["chapters/01-mill.md", "chapters/02-road.md"] })).toMatchObject({
      status: "refuted",
      detail: 'chapters/02-road.md:3: "03-sea.md" leads to no file',
    });
  });
});

describe("what a text proves", () => {
  const inCode = { isOfTexts: false };
  const readme = passage("Run it with node and a number.", "README.md");

  it.each([
    ["The command adds numbers.", readme, inCode, false],
    ["The README explains how to run it.", readme, inCode, true],
    ["Anna finds the mill.", passage("It rained when Anna"), { isOfTexts: true }, true],
    ["Anna finds the mill.", passage("Anna finds the mill empty.", "outline.md"), { isOfTexts: true }, false],
    ["The outline names the mill.", passage("Anna finds the mill empty.", "outline.md"), { isOfTexts: true }, true],
    ["Anna finds the mill.", { counts: [{ of: "words" as const, least: 1 }] }, { isOfTexts: true }, false],
    ["Each chapter has 900 words.", { counts: [{ of: "words" as const, least: 1 }] }, { isOfTexts: true }, true],
    ["Anna finds the mill.", { links: ["README.md"] }, { isOfTexts: true }, false],
    ["All links resolve.", { links: ["README.md"] }, { isOfTexts: true }, true],
  ])("%s by %j: %j %j", (text, check, where, proves) => {
    expect(whyNoProof(check, { text, ...where }) === undefined).toBe(proves);
  });
});
