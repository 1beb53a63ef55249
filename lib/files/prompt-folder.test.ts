import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../core/errors.ts";
import { fill, lintPack, PROMPT_FILE_BYTES, type PromptPack, SLOTS } from "../core/prompt/prompt.ts";
import { Domain } from "../core/run/options.ts";
import { builtInPacks, loadPack, packsIn } from "./prompt-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "l2mac-packs-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function folderWith(name: string, files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  return folder;
}

describe("a pack's folder", () => {
  it("gives the texts of the pack's files and leaves the others alone", async () => {
    const folder = await folderWith("some", { "system.md": "Schreibe Bücher.", "README.md": "about", "plan.md": "x" });
    expect(await loadPack(folder)).toEqual({ "system.md": "Schreibe Bücher.", "plan.md": "x" });
  });

  it("is refused where it holds none of a pack's files, or is not there", async () => {
    const folder = await folderWith("none", { "README.md": "about" });
    await expect(loadPack(folder)).rejects.toThrow(/holds no prompt pack/);
    await expect(loadPack(join(root, "nowhere"))).rejects.toBeInstanceOf(UserError);
  });

  it("is refused with a file that is too large to be a prompt, before it is read", async () => {
    const folder = await folderWith("large", { "system.md": "x".repeat(PROMPT_FILE_BYTES + 1) });
    await expect(loadPack(folder)).rejects.toThrow(/system\.md has 16385 bytes; at most 16384 fit/);
  });

  it("is refused with a file that is not UTF-8", async () => {
    const folder = await folderWith("latin", { "system.md": Uint8Array.of(0x42, 0xfc, 0x63) });
    await expect(loadPack(folder)).rejects.toThrow(/system\.md is not UTF-8/);
  });

  it("is refused where a folder stands in a file's place", async () => {
    const folder = await folderWith("odd", {});
    await mkdir(join(folder, "system.md"));
    await expect(loadPack(folder)).rejects.toThrow(/system\.md is no file/);
  });
});

/** English prose has somewhat more than four characters to a token. */
const tokens = (text: string): number => Math.ceil(text.length / 4.25);

const empty = (pack: PromptPack, name: keyof typeof SLOTS): string => {
  const slots = [...SLOTS[name].required, ...SLOTS[name].optional].map((slot) => [slot, ""]);
  return fill(pack.texts[name] ?? "", Object.fromEntries(slots));
};

describe.each(Domain.options)("the built-in pack %s", (domain) => {
  it("lints clean without a fallback", async () => {
    const files = await loadPack(join(import.meta.dirname, "../../prompts", domain));
    expect(lintPack(files)).toHaveProperty("pack");
  });

  it("is of its domain and bears its name", async () => {
    const { declaration } = (await builtInPacks())[domain];
    expect([declaration.name, declaration.domain]).toEqual([domain, domain]);
  });

  it("leaves a small window room: system at most 360 tokens, the openings' own words below 200", async () => {
    const pack = (await builtInPacks())[domain];
    expect(tokens(pack.texts.system)).toBeLessThanOrEqual(360);
    expect(tokens(pack.texts.planner)).toBeLessThanOrEqual(360);
    for (const name of ["plan", "reflect", "instruction"] as const) expect(tokens(empty(pack, name))).toBeLessThan(200);
  });

  it("says in the conversation where it is", async () => {
    const { texts } = (await builtInPacks())[domain];
    expect(texts.instruction.split("\n")).toContain("Instruction {{number}} of {{total}}: {{title}}");
    expect(texts.plan.split("\n")).toContain("Planning the program");
  });

  it("opens every instruction with the same words up to the end of the task, so that they can be cached", async () => {
    const { texts } = (await builtInPacks())[domain];
    const beforeTask = texts.instruction.slice(0, texts.instruction.indexOf("{{task}}"));
    expect(beforeTask).not.toContain("{{");
  });

  it("shows no headings for what is empty", async () => {
    const pack = (await builtInPacks())[domain];
    expect(empty(pack, "instruction")).not.toMatch(/^# From|^# Where|serves these/m);
    expect(empty(pack, "plan")).not.toMatch(/at most|Files that exist/);
    expect(empty(pack, "reflect")).not.toContain("no instruction serves");
  });
});

describe("the built-in packs", () => {
  it("check what their domain has: code has syntax and tests, a book has its text", async () => {
    const packs = await builtInPacks();
    expect(packs.codebase.declaration.checks).toEqual({ syntax: true, tests: true });
    expect(packs.book.declaration.checks).toEqual({ syntax: false, tests: false, prose: true });
    expect(packs.book.declaration.deliver).toEqual(["html", "epub", "pdf"]);
  });

  it("are refused where the installation is damaged", async () => {
    await expect(packsIn(root)).rejects.toThrow(/codebase/);
  });
});
