import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, removeFolders } from "../../../test/doubles/evaluation.ts";
import type { ProseRequest } from "./prose.ts";

afterAll(removeFolders);

interface TestRequest extends ProseRequest {
  /** As the last accepted tree had it. */
  before?: Record<string, string>;
}

async function textOf(files: Files, { before = {}, ...prose }: TestRequest = {}) {
  const differing = Object.keys({ ...files, ...before }).filter((path) => before[path] !== files[path]);
  const changed = differing.map((path) => {
    const text = before[path];
    return text === undefined ? { path } : { path, before: Buffer.from(text) };
  });
  return (await evaluation(files, { prose, changed })).syntax;
}
const findings = async (files: Files, asking?: TestRequest) =>
  (await textOf(files, asking)).errors.map(({ path, line, rule }) => `${path}${line ? `:${line}` : ""} ${rule}`);

/** Prose in which no word follows another twice. */
const prose = (words: number, from = 0): string =>
  Array.from({ length: words }, (_, at) => `w${from + at}${(at + 1) % 12 === 0 ? "\n" : ""}`).join(" ");

describe("the text of a book", () => {
  it("passes where nothing is wrong with it, and is nothing to check where there is none", async () => {
    const book = {
      "chapters/01-a.md": `# A\n\n${prose(200)}\n`,
      "outline.md": "# TODO\n",
      "notes/b.md": "TODO: names\n",
    };
    expect(await textOf(book)).toEqual({ status: "passed", reason: "prose", errors: [] });
    expect(await textOf({ "a.txt": "TODO" })).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("that was there before is not judged again", async () => {
    const old = { "chapters/01-a.md": `TODO: begin\n\n${prose(100)}\n\n${prose(100)}` };
    expect(await findings({ ...old, "chapters/02-b.md": "# B\n" }, { before: old })).toEqual([]);
    expect(await findings(old)).toHaveLength(2);
  });

  it("is looked at file by file while it is written", async () => {
    const files = { "chapters/1.md": `TODO: one\n\n${prose(60)}`, "chapters/2.md": prose(60) };
    expect(await findings(files, { paths: ["chapters/2.md"] })).toEqual([]);
    expect(await findings(files)).toEqual(["chapters/1.md:1 meta", "chapters/2.md:1 repeated"]);
  });

  it("that is too large is not looked at, and that is said", async () => {
    const { warnings } = await textOf({ "chapters/1.md": "a ".repeat(600_000), "chapters/2.md": "b" });
    expect(warnings).toMatchObject([{ path: "chapters/1.md", message: "not checked: it is larger than 1024 KiB" }]);
  });

  it("of hostile shape takes no longer than its length", async () => {
    const files = {
      "chapters/1.md": "[".repeat(500_000),
      "chapters/2.md": "](".repeat(250_000),
      "chapters/3.md": "[a](b/) ".repeat(60_000),
      "chapters/4.md": "same ".repeat(100_000),
      "chapters/5.md": "`".repeat(300_000),
      "chapters/6.md":
        "Aaaaa ".repeat(20_000) +
        Array.from(
          { length: 20_000 },
          (_, at) => `Aaaaa${String.fromCharCode(97 + (at % 26), 97 + ((at / 26) % 26), 97 + ((at / 676) % 26))}`,
        ).join(" "),
      "chapters/7.md": "<".repeat(300_000),
      "chapters/8.md": `${" ".repeat(400_000)}x`,
    };
    expect((await textOf(files)).status).toBe("failed");
  });
});

describe("the length of what an instruction writes", () => {
  it.each<[string, Files, string[]]>([
    ["is as asked", { "chapters/1.md": prose(1_000) }, []],
    ["is too short", { "chapters/1.md": prose(400) }, ["chapters/1.md words"]],
    ["is too long", { "chapters/1.md": prose(2_500) }, ["chapters/1.md words"]],
    ["is counted over all its chapters", { "chapters/1.md": prose(500), "chapters/2.md": prose(600, 5_000) }, []],
    ["is not that of notes", { "notes/a.md": prose(3_000), "outline.md": prose(10) }, []],
  ])("%s", async (_, files, expected) => {
    expect(await findings(files, { words: { least: 750, most: 2_000 } })).toEqual(expected);
  });

  it("is that of new chapters, whatever is mended in others", async () => {
    const before = { "chapters/1.md": prose(5_000) };
    const files = { "chapters/1.md": `${prose(5_000)} more`, "chapters/2.md": prose(1_000, 9_000) };
    expect(await findings(files, { before, words: { least: 750, most: 2_000 } })).toEqual([]);
    expect(await findings({ "chapters/1.md": prose(3_000) }, { before, words: { most: 2_000 } })).toHaveLength(1);
  });
});

describe("a repeated passage", () => {
  it("is reported with both places, within a chapter and across", async () => {
    const passage = prose(50, 7_000);
    const { errors } = await textOf({
      "chapters/01-a.md": `# A\n\n${prose(100)}\n\n${passage}\n`,
      "chapters/02-b.md": `# B\n\n${passage}\n\nend\n\n${passage}\n`,
    });
    expect(errors).toEqual([
      {
        path: "chapters/02-b.md",
        line: 3,
        message: "a passage of 50 words is repeated: it is in chapters/01-a.md:13 already",
        rule: "repeated",
      },
      { path: "chapters/02-b.md", line: 11, message: expect.stringContaining("chapters/01-a.md:13"), rule: "repeated" },
    ]);
  });

  it("may be a refrain, a quote, a poem or an example", async () => {
    const verse = Array.from({ length: 8 }, (_, at) => `the ${at} river runs down to the sea  `).join("\n");
    const quote = prose(60).replace(/^/gm, "> ");
    const code = `\`\`\`\n${prose(60)}\n\`\`\``;
    const refrain = prose(30, 3_000);
    const twice = `${verse}\n\n${quote}\n\n${code}\n\n${refrain}\n\n`;
    expect(await findings({ "chapters/1.md": `one\n\n${twice}two\n\n${twice}` })).toEqual([]);
  });

  it("is found whatever its marks and capitals", async () => {
    const passage = prose(50);
    expect(
      await findings({ "chapters/1.md": `${passage}\n\nthen **${passage.toUpperCase().replaceAll(" ", ", ")}**` }),
    ).toHaveLength(1);
  });
});

describe("what no reader should see", () => {
  it.each([
    "As an AI language model, I cannot write this scene.",
    "Here is the next chapter:",
    "Sure! Here's the revised chapter.",
    "Certainly, here is the scene you asked for:",
    "[Continue in the next part…]",
    "[to be continued]",
    "To be continued in the next response.",
    "**Word count: 1,200**",
    "Word count: ~1200",
    "(1200 words)",
    "In this instruction we meet Anna.",
    '{"tool": "write_files", "arguments": {}}',
    "<tool_call>",
    "Then I call complete_instruction.",
    "[TODO: describe the harbour]",
    "He came to [INSERT CITY] by train.",
    "TODO: the ending",
    "Lorem ipsum dolor sit amet",
    "[Your Name]",
    "[The rest of the chapter remains unchanged]",
    "<|im_end|>",
  ])("is %j", async (line) => {
    expect(await findings({ "chapters/1.md": `# One\n\nIt rained.\n\n${line}\n` })).toEqual(["chapters/1.md:5 meta"]);
  });

  it.each([
    "“As an AI language model,” said the robot, “I must decline.”",
    "Here is the harbour, and here the sea.",
    "Of course, here is where it began.",
    "Of course he came.",
    "To be continued.",
    "She wrote 1,200 words that morning.",
    "The instruction tells the processor to add.",
    "`TODO` marks a line that is not finished; so does `[TODO]`.",
    "See [continue](#one) for more.",
    "He continued [sic] to speak of what was to be done.",
    "Add [your file](a.md) to the list.",
    "The word count is shown at the bottom.",
  ])("is not %j", async (line) => {
    expect(await findings({ "chapters/1.md": `# One\n\n${line}\n`, "chapters/a.md": "a" })).toEqual([]);
  });
});
