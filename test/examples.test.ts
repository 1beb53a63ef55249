/** The examples are what newcomers copy: each must work as its own text says. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { draftFromData, parseProgramMarkdown } from "../lib/core/program/program-text.ts";
import { extractRequirements, uncovered } from "../lib/core/program/requirements.ts";
import { lintPack } from "../lib/core/prompt/prompt.ts";
import { builtInPacks, loadPack } from "../lib/files/prompt-folder.ts";

const examples = join(import.meta.dirname, "../examples");
const read = (name: string): Promise<string> => readFile(join(examples, name), "utf8");

describe("an example of a task", () => {
  it.each([
    ["url-shortener.md", 17],
    ["microblog.md", 21],
    ["chat.md", 20],
    ["recipe-platform.md", 20],
    ["book.md", 11],
  ])("%s lists %i requirements, numbered from 1", async (name, count) => {
    const requirements = extractRequirements(await read(name));
    const ids = "problem" in requirements ? requirements : requirements.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `R${index + 1}`));
  });
});

describe("the example of a program", () => {
  it("says the same as Markdown, YAML and JSON", async () => {
    const program = parseProgramMarkdown(await read("program.md"));
    expect(program).toHaveProperty("instructions.length", 3);
    expect(draftFromData(parse(await read("program.yaml")))).toEqual(program);
    expect(draftFromData(JSON.parse(await read("program.json")))).toEqual(program);
  });

  it.each(["program.md", "side-by-side.md"])("%s serves every requirement it lists", async (name) => {
    const program = parseProgramMarkdown(await read(name));
    expect("problem" in program ? program : uncovered(program.requirements, program.instructions)).toEqual([]);
  });

  it("of lanes has instructions that need one and not each other", async () => {
    const program = parseProgramMarkdown(await read("side-by-side.md"));
    expect(
      "problem" in program ? program : program.instructions.filter(({ needs }) => needs?.length === 1),
    ).toHaveLength(3);
  });
});

describe("the example of a prompt pack", () => {
  it("lints clean, with the texts of the custom pack where it has none of its own", async () => {
    const { custom } = await builtInPacks();
    const linted = lintPack(await loadPack(join(examples, "pack")), custom);
    expect(linted).toMatchObject({ pack: { declaration: { name: "course" }, texts: { plan: custom.texts.plan } } });
  });
});

it("every example is tested", async () => {
  const tested = [
    "book.md",
    "calls.md",
    "chat.md",
    "control-flow.md",
    ...["every-kind.json", "every-kind.md", "every-kind.yaml"],
    "gallery",
    "microblog.md",
    "pack",
    "program.json",
    "program.md",
    "program.yaml",
    "programs",
    "questions.md",
  ];
  expect((await readdir(examples)).sort()).toEqual([
    ...tested,
    ...["recipe-platform.md", "side-by-side.md", "task-lists", "url-shortener.md"],
  ]);
});
