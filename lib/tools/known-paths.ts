/** Paths as models write them, held against the rules for paths and against the files that exist. */
import { checkPath } from "../core/text/file-path.ts";
import { pluralize } from "../core/text/format.ts";
import type { ToolNote } from "../core/turn/tool-note.ts";
import type { Workbench } from "../core/turn/workbench.ts";

/** All paths of a call in the run's form, or what is wrong, path by path. */
export function checkedPaths(raw: string[]): { paths: string[] } | { problem: string } {
  const paths: string[] = [];
  const problems: string[] = [];
  for (const checked of raw.map(checkPath)) {
    if ("path" in checked) paths.push(checked.path);
    else problems.push(`${checked.problem}.`);
  }
  return problems.length > 0 ? { problem: problems.join("\n") } : { paths };
}

/** For watchers: the path, or how many there are. */
export const filesNote = (paths: string[]): ToolNote => {
  const [only = ""] = paths;
  return { subject: paths.length === 1 ? only : pluralize(paths.length, "file"), files: paths.length };
};

/** The beginning of paths: `src`, `src/`, `.`; undefined stands for all. */
export function checkedPrefix(raw: string | undefined): { prefix?: string } | { problem: string } {
  const given = raw?.trim().replace(/^(?:\.?\/)+/, "") ?? "";
  const bare = given.replace(/(?<!\/)\/+$/, "");
  if (bare === "" || bare === ".") return {};
  const checked = checkPath(bare);
  if ("problem" in checked) return checked;
  return { prefix: given === bare ? checked.path : `${checked.path}/` };
}

/** What to tell a model that asked for a file that is not there. */
export async function absence(path: string, bench: Workbench): Promise<string> {
  const { files } = bench;
  // Also that it is not there is seen.
  await bench.noteSight({ kind: "files", paths: [path] });
  const [inFolder] = await files.list({ prefix: `${path}/`, limit: 1 });
  if (inFolder) return `${path} is a folder; list_files with the prefix ${path}/ names its files.`;
  const similar = await files.similar(path);
  return `There is no file ${path}.${similar.length > 0 ? ` There are: ${similar.slice(0, SIMILAR_SHOWN).join(", ")}.` : ""}`;
}

const SIMILAR_SHOWN = 5;
