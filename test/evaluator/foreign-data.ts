/** Data of other projects: how often it is reported as broken. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Language, Workspace } from "../../lib/evaluator/language.ts";
import { css } from "../../lib/evaluator/languages/data/css.ts";
import { html } from "../../lib/evaluator/languages/data/html.ts";
import { json } from "../../lib/evaluator/languages/data/json.ts";
import { toml } from "../../lib/evaluator/languages/data/toml.ts";
import { yaml } from "../../lib/evaluator/languages/data/yaml.ts";
import { runCommand } from "../../lib/evaluator/process/run-command.ts";
import { shuffled } from "./shuffled.ts";

/** Of each kind; there are few but of JSON. */
const LOOKED_AT = 400;

export async function dataAlarms(folders: string[], seed: number): Promise<{ looked: number; found: string[] }> {
  const found: string[] = [];
  let looked = 0;
  for (const kind of [json, yaml, toml, html, css]) {
    const files = folders.flatMap((folder) => filesOf(kind, folder).map((path) => ({ folder, path })));
    for (const { folder, path } of shuffled(files, seed).slice(0, LOOKED_AT)) {
      looked += 1;
      const { errors } = await kind.syntax({ tree: { folder, files: [path] } }, placeIn(folder));
      const [first] = errors;
      if (first) found.push(`${shownFrom(join(folder, path))}:${first.line} ${first.message}`);
    }
  }
  return { looked, found };
}

const filesOf = (kind: Language, folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => kind.owns(path) && !path.startsWith("site-packages/"))
    .sort();

const shownFrom = (path: string): string => relative(process.cwd(), path).replace(/^(?:\.\.\/)+.*\/lib\//, "");

/** Scripts in pages are parsed in a process of their own. */
function placeIn(folder: string): Workspace {
  const run: Workspace["run"] = (command) => runCommand({ cwd: folder, env: {}, timeoutMs: 60_000, ...command });
  return {
    toolchain: { node: process.execPath, path: "" },
    scripts: join(import.meta.dirname, "../../lib/evaluator/scripts"),
    path: "",
    newFolder: never,
    copy: never,
    run,
    ask: ({ line, ...command }) => run({ ...command, stdin: `${line}\n` }),
  };
}

const never = async (): Promise<never> => {
  throw new Error("nothing of a package is run");
};
