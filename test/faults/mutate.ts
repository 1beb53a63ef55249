/** Breaks the machine's own lines, one mutation at a time, in a copy: the laboratory has to fail, and to name the invariant. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Row, tableOf } from "../../bench/table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL("mutations", import.meta.url));

export interface Mutation {
  name: string;
  file: string;
  /** The invariant that it breaks. */
  breaks: string;
  /** The experiment that shows it. */
  shownBy: string;
}

export function readMutations(): Mutation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".patch"))
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, "utf8");
      const said = (what: string): string => new RegExp(`^${what}: (\\S+)`, "m").exec(text)?.[1] ?? "";
      return { name: basename(name, ".patch"), file, breaks: said("Breaks"), shownBy: said("Shown-by") };
    });
}

/** All, unless some are named. Answers the exit code: 0 where every mutation was found out. */
export async function mutate(say: (line: string) => void, names: string[] = []): Promise<number> {
  const mutations = readMutations();
  const unknown = names.filter((name) => !mutations.some((each) => each.name === name));
  if (unknown.length > 0) {
    say(`There is no mutation ${unknown.join(", ")}.`);
    return 2;
  }
  const rows: Row[] = [];
  const copy = copyOfSources();
  try {
    for (const mutation of names.length === 0 ? mutations : mutations.filter(({ name }) => names.includes(name))) {
      const row = await found(copy, mutation);
      say(`${mutation.name}: ${row.figure}`);
      rows.push(row);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  say("");
  say(tableOf(rows));
  const missed = rows.filter(({ reached }) => !reached).length;
  say(missed === 0 ? "Every mutation was found out." : `${missed} mutations were not found out.`);
  return missed === 0 ? 0 : 1;
}

const PARTS = ["bench", "lambdas", "lib", "package.json", "packages", "prompts", "rehearsals", "statemachine", "test"];
const PATIENCE_MS = 1_200_000;

/** One copy serves all mutations, so that Node compiles only what a mutation changes. */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), "l2mac-mutation-"));
  for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function found(copy: string, { name, file, breaks, shownBy }: Mutation): Promise<Row> {
  const applied = await run("git", ["apply", file], copy);
  if (applied.code !== 0) return rowOf(name, `does not apply: ${applied.text.trim().split("\n")[0]}`, breaks);
  try {
    const words = [join(copy, "test/faults/run.ts"), shownBy, "--quick", "--until", breaks];
    const { code, text } = await run(process.execPath, words, copy);
    const broken = text.split("\n").find((line) => line.startsWith(`BROKEN ${breaks}:`));
    const figure = broken ? broken.slice(0, FIGURE_CHARS) : `ended with ${code}, and did not name it`;
    return { ...rowOf(name, figure, breaks), reached: code === 1 && broken !== undefined };
  } finally {
    await restore(copy, file);
  }
}

async function restore(copy: string, file: string): Promise<void> {
  const { code, text } = await run("git", ["apply", "--reverse", file], copy);
  if (code !== 0) throw new Error(`${basename(file)} cannot be taken back: ${text.trim()}`);
}

const FIGURE_CHARS = 90;

const rowOf = (what: string, figure: string, breaks: string): Row => ({ what, figure, aim: breaks, reached: false });

function run(command: string, words: string[], cwd: string): Promise<{ code: number | null; text: string }> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(cwd, "compiled") };
  const child = spawn(command, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE_MS });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}
