/** Prompt packs from folders: a user's own, and the project's. What is in them is `core/prompt`'s to judge. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { lintPack, PACK_FILES, PROMPT_FILE_BYTES, type PromptPack } from "../core/prompt/prompt.ts";
import type { Domain } from "../core/run/options.ts";
import { readRegular } from "../host/regular-file.ts";
import { projectFile } from "./project-files.ts";

const projectPrompts = projectFile("prompts");

/** From file name to text, for `lintPack`. Other files of the folder are left alone; missing ones are not there. */
export async function loadPack(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of PACK_FILES) {
    const text = await readText(join(folder, name));
    if (text !== undefined) files[name] = text;
  }
  if (Object.keys(files).length > 0) return files;
  throw broken(`${folder} holds no prompt pack: none of ${PACK_FILES.join(", ")} is there.`);
}

/**
 * The project's pack of the domain, or a user's: what that leaves out is taken from the project's. All that is wrong
 * with it is said at once.
 */
export async function choosePack(asked: {
  prompts?: string | undefined;
  domain?: Domain | undefined;
}): Promise<PromptPack> {
  const { prompts: folder, domain } = asked;
  const packs = await builtInPacks();
  if (folder === undefined) return packs[domain ?? "codebase"];
  const linted = lintPack(await loadPack(folder), packs[domain ?? "custom"]);
  if ("pack" in linted) return linted.pack;
  throw broken(`${folder}:\n${linted.problems.map((problem) => `  ${problem}`).join("\n")}`);
}

let projectPacks: Promise<Record<Domain, PromptPack>> | undefined;

/** The project's own packs, which are read once. */
export function builtInPacks(): Promise<Record<Domain, PromptPack>> {
  projectPacks ??= packsIn(projectPrompts);
  return projectPacks;
}

export async function packsIn(folder: string): Promise<Record<Domain, PromptPack>> {
  const pack = async (domain: Domain) => {
    const linted = lintPack(await loadPack(join(folder, domain)));
    if ("pack" in linted) return linted.pack;
    throw broken(`${join(folder, domain)}: ${linted.problems.join(" ")}`);
  };
  return { codebase: await pack("codebase"), book: await pack("book"), custom: await pack("custom") };
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readBounded(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error instanceof UserError ? error : broken(`${path} cannot be read: ${error.message}.`, error);
  });
  if (!bytes) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw broken(`${path} is not UTF-8 text.`, error);
  }
}

async function readBounded(path: string): Promise<Uint8Array> {
  const found = await stat(path);
  if (!found.isFile()) throw broken(`${path} is no file.`);
  if (found.size > PROMPT_FILE_BYTES)
    throw broken(`${path} has ${found.size} bytes; at most ${PROMPT_FILE_BYTES} fit.`);
  return readRegular(path);
}

const broken = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: 2, remedy: "docs/prompts.md says what a pack is made of.", cause });
