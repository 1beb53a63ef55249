/** Moves and renames files. */
import * as z from "zod";
import { PATHS_PER_TURN } from "../core/limits.ts";
import { foldPath } from "../core/text/file-path.ts";
import { pluralize } from "../core/text/format.ts";
import type { Move, Workbench } from "../core/turn/workbench.ts";
import { absence, checkedPaths, filesNote } from "./known-paths.ts";
import { singular } from "./lenient.ts";
import { syntaxAfter } from "./syntax-after.ts";
import { defineTool, refusal } from "./tool.ts";

/** A move changes two paths. */
const MOVES_PER_CALL = PATHS_PER_TURN / 2;

export const moveFiles = defineTool({
  name: "move_files",
  category: "write",
  description:
    "Moves or renames files, all or none. It replaces no file, and leaves what refers to the old names as it is.",
  schema: z.strictObject({
    moves: z
      .array(z.strictObject({ from: z.string(), to: z.string() }))
      .min(1)
      .max(MOVES_PER_CALL),
  }),
  accept: (given) => singular(given, "moves", "from"),
  async run({ moves: raw }, bench) {
    const from = checkedPaths(raw.map((move) => move.from));
    const to = checkedPaths(raw.map((move) => move.to));
    const bad = [from, to].flatMap((checked) => ("problem" in checked ? [checked.problem] : []));
    if ("problem" in from || "problem" in to) return refusal(`Nothing was moved.\n${bad.join("\n")}`);
    const moves = from.paths.map((path, index) => ({ from: path, to: to.paths[index] ?? path }));
    const problem = repeatedIn(moves) ?? (await absentIn(moves, bench)) ?? (await bench.files.move(moves));
    if (problem !== undefined) return refusal(`Nothing was moved.\n${problem}`);
    const syntax = await syntaxAfter(to.paths, bench);
    const paths = [...new Set([...from.paths, ...to.paths])];
    const [only] = moves;
    const subject = moves.length === 1 && only ? `${only.from} → ${only.to}` : pluralize(moves.length, "file");
    return {
      ok: true,
      text: `Moved ${moves.map((move) => `${move.from} to ${move.to}`).join(", ")}.\n${syntax.text}`,
      note: { ...filesNote(to.paths), subject, finding: syntax.finding },
      about: { kind: "write", paths, gone: paths.filter((path) => !to.paths.includes(path)) },
    };
  },
});

/** By folded names, as files are told apart. A file that only changes the case of its name is moved. */
function repeatedIn(moves: Move[]): string | undefined {
  const same = moves.find(({ from, to }) => from === to);
  if (same) return `${same.from} would stay where it is.`;
  const twice = (paths: string[]) =>
    paths.find((path, at) => paths.findIndex((other) => foldPath(other) === foldPath(path)) < at);
  const [left, reached] = [twice(moves.map(({ from }) => from)), twice(moves.map(({ to }) => to))];
  if (left !== undefined) return `${left} is moved twice: give each file once.`;
  return reached === undefined ? undefined : `Two files would be moved to ${reached}.`;
}

async function absentIn(moves: Move[], bench: Workbench): Promise<string | undefined> {
  const problems: string[] = [];
  for (const { from } of moves) if (!(await bench.files.read(from))) problems.push(await absence(from, bench));
  return problems.length > 0 ? problems.join("\n") : undefined;
}
