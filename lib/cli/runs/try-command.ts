/** The command with which a delivered project is tried: one that was seen to start it, else as its own files tell. */
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { quoted } from "../../core/text/command-line.ts";
import { readRegular } from "../../host/regular-file.ts";

interface Trial {
  cwd: string;
  /** The command that started it in an empty place. */
  started?: string | undefined;
  /** Whether its tests ran: a command that was never tried is not offered. */
  tested: boolean;
}

export async function tryCommand(folder: string, { cwd, started, tested }: Trial): Promise<string | undefined> {
  const place = placeFrom(cwd, folder);
  const inside = `cd ${quoted(place)} &&`;
  if (started !== undefined) return `${inside} ${started}`;
  const names = await readdir(folder);
  const script = tested && names.includes("package.json") ? await testScript(join(folder, "package.json")) : undefined;
  if (script) return `${inside} ${/^node --test\b[\w\s./*-]*$/.test(script) ? script : "npm test"}`;
  const python = tested ? await pythonTests(folder, names) : undefined;
  if (python) return `${inside} ${python}`;
  const page = names.find((name) => name.endsWith(".html"));
  if (page) return `open ${quoted(join(place, page))} in a browser`;
  const readme = names.find((name) => /^readme(\.md)?$/i.test(name));
  return readme ? `read ${quoted(join(place, readme))}` : undefined;
}

/** Relative where that is the shorter way: not to a folder elsewhere. */
function placeFrom(cwd: string, folder: string): string {
  const way = relative(cwd, folder) || ".";
  return way.startsWith(`..${sep}..`) ? folder : way;
}

async function testScript(path: string): Promise<string | undefined> {
  try {
    const { scripts } = JSON.parse((await readRegular(path)).toString("utf8")) as { scripts?: { test?: unknown } };
    return typeof scripts?.test === "string" ? scripts.test : undefined;
  } catch {
    return undefined;
  }
}

/** What is written for pytest, unittest passes over without a word. */
async function pythonTests(folder: string, names: string[]): Promise<string | undefined> {
  const inTests = names.includes("tests") ? await readdir(join(folder, "tests")).catch(() => []) : [];
  const files = [...names, ...inTests.map((name) => join("tests", name))].filter((path) => TEST_FILE.test(path));
  if (files.length === 0) return undefined;
  const texts = await Promise.all(files.map((path) => readRegular(join(folder, path)).then(String, () => "")));
  const forUnittest = texts.every((text) => !/\S/.test(text) || /\bTestCase\b/.test(text));
  const first = names.includes("requirements.txt") ? "python3 -m pip install -r requirements.txt && " : "";
  return `${first}python3 -m ${forUnittest ? "unittest" : "pytest"}`;
}

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
