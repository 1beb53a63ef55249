/** The command with which a delivered project is tried, as its own files tell. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { quoted } from "./words.ts";

export async function tryCommand(folder: string, cwd: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const inside = `cd ${quoted(relative(cwd, folder) || ".")} &&`;
  const script = names.includes("package.json") ? await testScript(join(folder, "package.json")) : undefined;
  if (script) return `${inside} ${/^node --test\b[\w\s./*-]*$/.test(script) ? script : "npm test"}`;
  if (await hasPythonTests(folder, names)) return `${inside} python3 -m unittest`;
  const page = names.find((name) => name.endsWith(".html"));
  if (page) return `open ${quoted(join(relative(cwd, folder) || ".", page))} in a browser`;
  const readme = names.find((name) => /^readme(\.md)?$/i.test(name));
  return readme ? `read ${quoted(join(relative(cwd, folder) || ".", readme))}` : undefined;
}

async function testScript(path: string): Promise<string | undefined> {
  try {
    const { scripts } = JSON.parse(await readFile(path, "utf8")) as { scripts?: { test?: unknown } };
    return typeof scripts?.test === "string" ? scripts.test : undefined;
  } catch {
    return undefined;
  }
}

async function hasPythonTests(folder: string, names: string[]): Promise<boolean> {
  const inTests = names.includes("tests") ? await readdir(join(folder, "tests")).catch(() => []) : [];
  return [...names, ...inTests].some((name) => /^test_.*\.py$|_test\.py$/.test(name));
}
