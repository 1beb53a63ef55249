/** Data that nobody here wrote: how often it is told to be broken. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Kind, Place } from "../../lambdas/evaluate/kind.ts";
import { css } from "../../lambdas/evaluate/kinds/css.ts";
import { html } from "../../lambdas/evaluate/kinds/html.ts";
import { json } from "../../lambdas/evaluate/kinds/json.ts";
import { toml } from "../../lambdas/evaluate/kinds/toml.ts";
import { yaml } from "../../lambdas/evaluate/kinds/yaml.ts";
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
      const { errors } = await kind.syntax({ tree: { folder, files: [path] } }, noPlace);
      const [first] = errors;
      if (first) found.push(`${shownFrom(join(folder, path))}:${first.line} ${first.message}`);
    }
  }
  return { looked, found };
}

const filesOf = (kind: Kind, folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => kind.owns(path) && !path.startsWith("site-packages/"))
    .sort();

const shownFrom = (path: string): string => relative(process.cwd(), path).replace(/^(?:\.\.\/)+.*\/lib\//, "");

const nobody = async (): Promise<never> => {
  throw new Error("data is parsed where it is asked for: nothing is run");
};
const noPlace: Place = { toolchain: { node: "", path: "" }, scripts: "", path: "", newFolder: nobody, run: nobody, copy: nobody };
