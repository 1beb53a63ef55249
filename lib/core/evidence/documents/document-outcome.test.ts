import { describe, expect, it } from "vitest";
import { type DocumentCheck, whyNoProof } from "./document-check.ts";
import { documentOutcome, placeOfPassage } from "./document-outcome.ts";

const ONE = "chapters/01-mill.md";
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

  it.each([
    ["a definition of a link", "[//]: # (WORDS)"],
    ["its title, on lines of its own", "[a]: b\n  (x\nWORDS)"],
    ["a definition in a quote", "> [//]: # 'WORDS'"],
    ["a hidden element", "<p hidden>WORDS</p>"],
    ["one with others of its name in it", "<div style='display: none'><div>a</div>\n\nWORDS</div>"],
    ["an element that nothing shows", "<template>\nWORDS\n</template>"],
    ["an attribute", "<span title='a > b WORDS'>x</span>"],
    ["the title of a link", '[x](y "WORDS")'],
    ["the address of a link", "[x](<WORDS>)"],
    ["a comment behind a block of code", "```\na\n````\n<!-- WORDS -->"],
    ["a comment between two backticks", "a ` b\n\n<!-- WORDS --> ` c"],
  ])("is not there, for no reader sees it: %s", async (_, text) => {
    const words = "this text is seen by no reader";
    const files = { "a.md": `# A\n\n${text.replace("WORDS", words)}\n\nThe end.\n` };
    expect((await outcome(passage(words, "a.md"), files)).status).toBe("refuted");
    expect((await outcome(passage("this text is seen by no", "a.md"), { "a.md": words })).status).toBe("passed");
  });

  it("is not there in front matter", async () => {
    const files = { "a.md": "---\ntitle: It rained when Anna came here\n---\n\nText.\n" };
    expect((await outcome(passage("It rained when Anna came", "a.md"), files)).status).toBe("refuted");
  });

  it.each([
    ["behind a span of code", "`<!--` begins a comment.\n\nIt rained when Anna came here.", 3],
    ["in a block of code", "~~~sh\n# <!-- It rained when Anna came here.\n~~~", 2],
    ["around a link, as it is written", 'It rained when\n[Anna](anna.md "Anna!") came here.', 1],
    ["beside an element", "<b>It</b> rained when <i>Anna</i> came here.", 1],
    ["in a footnote", "[^1]: It rained when Anna came here.", 1],
    ["beside an address", "<https://example.com/> It rained when Anna came here.", 1],
    ["beside a sign that begins no tag", "a < b. It rained when Anna came here.", 1],
  ])("is there %s", async (_, text, line) => {
    const words = text.includes("anna.md") ? "It rained when [Anna](anna.md) came here." : undefined;
    const raw = text.includes("<b>")
      ? "<b>It</b> rained when <i>Anna</i> came here."
      : "It rained when Anna came here.";
    const { status, detail } = await outcome(passage(words ?? raw, "a.md"), { "a.md": text });
    expect([status, detail.startsWith(`a.md:${line}`)]).toEqual(["passed", true]);
  });

  it("is found again where lines were added before it", async () => {
    const files = { "a.md": `${"line\n".repeat(40)}It rained when Anna came.\n` };
    expect((await outcome(passage("It rained when Anna came.", "a.md"), files)).detail).toBe("a.md:41");
  });

  it("in another document was there before; the author's own notes are none", async () => {
    const named = (words: string) => placeOfPassage(passage(words, "chapters/07.md"), documents());
    expect(await named("It rained when Anna found the mill")).toMatchObject({ path: "chapters/01-mill.md" });
    expect(await named("Anna finds the mill empty.")).toBeUndefined();
  });

  it("is looked for in long texts at once, whatever they hold", async () => {
    for (const text of [
      `${"<!-- ".repeat(50_000)}${"> ".repeat(50_000)}${" ".repeat(100_000)}x`,
      ...["`a``b```", "<a '", '<a "<a b" ', "](", '](a "', "[a]: ", "<p hidden>", "```\n"].map((part) =>
        part.repeat(20_000),
      ),
    ])
      expect((await outcome(passage("It rained when Anna came.", "a.md"), { "a.md": text })).status).toBe("refuted");
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

describe("a reference", () => {
  const two = "# Two\n\n## At the gate\n\nText.\n\n## What's next?\n";
  const outcomeOf = async (text: string) =>
    (
      await outcome(
        { links: ["chapters/01-one.md"] },
        {
          "chapters/01-one.md": `# One\n\n[two](02-two.md)\n\n${text}\n`,
          "chapters/02-two.md": two,
          "images/a.png": "",
        },
      )
    ).status;

  it.each([
    ["to a file that is there", "[two](02-two.md) ![a](../images/a.png) [top](/chapters/02-two.md)"],
    ["to a heading that is there", "[gate](02-two.md#at-the-gate) [next](02-two.md#whats-next) [here](#one)"],
    ["to the web", "[a](https://example.com/b) [c](mailto:a@b.c)"],
    ["in code", "`[a](gone.md)`"],
    ["to a folder", "[images](../images/)"],
    ["to a chapter that is there", "As told in Chapter 2, and see chapter 1."],
    ["to a chapter of another book", "As told in chapter 14 of the Odyssey."],
  ])("%s holds", async (_, text) => {
    expect(await outcomeOf(text)).toBe("passed");
  });

  it.each([
    ["a file", "[three](03-three.md)"],
    ["a picture", "![b](../images/b.png)"],
    ["a heading", "[wall](02-two.md#at-the-wall)"],
    ["a heading of its own", "[two](#two)"],
    ["a file by a definition", "[a]: gone.md"],
    ["a chapter", "This returns: see Chapter 14."],
  ])("to %s that is not there is broken", async (_, text) => {
    expect(await outcomeOf(text)).toBe("refuted");
  });

  it("of hostile shape is looked at no longer than its length", async () => {
    for (const text of ["[".repeat(90_000), "](".repeat(45_000), "[a](b/) ".repeat(12_000), "`".repeat(60_000)])
      expect(await outcomeOf(text)).toMatch(/passed|refuted/);
  });
});

it("a document without a link has none that resolves", async () => {
  for (const text of ["# A\n", "# A\n\n![a picture](a.png)\n", "`[a](b.md)`\n"])
    expect(await outcome({ links: ["a.md"] }, { "a.md": text, "a.png": "" })).toMatchObject({
      ...{ status: "refuted", detail: "a.md has no link" },
    });
});

describe("what a text proves", () => {
  const paths = ["outline.md", "notes/a.md", "chapters/01-mill.md", "LICENSE", "scratch.txt", "docs/notes/x.md"];
  const inCode = { isOfTexts: false, paths };
  const inBook = { isOfTexts: true, paths };
  const readme = passage("Run it with node and a number.", "README.md");
  const words = (path: string, least: number) => ({ counts: [{ of: "words" as const, path, least }] });

  it.each([
    ["The command adds numbers.", readme, inCode, false],
    ["The command converts Markdown to HTML.", readme, inCode, false],
    ["The README explains how to run it.", readme, inCode, true],
    ["The README explains how to run it.", passage("Run it with node and a number.", "misc/zzz.txt"), inCode, false],
    ["The README has at least 500 words.", words("README.md", 500), inCode, true],
    ["The README has at least 500 words.", words("README.md", 1), inCode, false],
    ["The README has at least 500 words.", words("docs/other.md", 500), inCode, false],
    ["The README has at least 500 words.", { counts: [{ of: "words" as const, least: 500 }] }, inCode, false],
    ["The README links to the API reference.", { links: ["README.md"] }, inCode, true],
    ["The README links to the API reference.", { links: ["docs/a.md"] }, inCode, false],
    ["Anna finds the mill.", passage("It rained when Anna"), inBook, true],
    ["Anna finds the mill.", passage("Anna finds the mill empty.", "outline.md"), inBook, false],
    ["Anna finds the mill.", passage("Anna finds the mill empty.", "docs/notes/x.md"), inBook, false],
    ["Anna finds the mill.", passage("Anna finds the mill empty.", "scratch.txt"), inBook, false],
    ["Anna finds the mill.", passage("Anna finds the mill empty.", "LICENSE"), inBook, false],
    ["Anna notes that the mill is empty.", passage("Anna finds the mill empty.", "notes/a.md"), inBook, false],
    ["notes/a.md names the mill.", passage("Anna finds the mill empty.", "notes/a.md"), inBook, true],
    ["The outline names the mill.", passage("Anna finds the mill empty.", "outline.md"), inBook, true],
    ["Anna finds the mill.", { counts: [{ of: "words" as const, least: 1 }] }, inBook, false],
    ["Each chapter has 900 words.", { counts: [{ of: "words" as const, least: 1 }] }, inBook, false],
    ["Each chapter has 900 words.", { counts: [{ of: "words" as const, least: 900 }] }, inBook, true],
    ["Anna finds the mill.", { links: [ONE] }, inBook, false],
    ["All links resolve.", { links: [ONE] }, inBook, true],
  ])("%s by %j: %j %j", (text, check, where, proves) => {
    expect(whyNoProof(check, { text, ...where }) === undefined).toBe(proves);
  });
});
