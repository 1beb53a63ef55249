/**
 * Changes a folder as a run changed its copy of it. Usage: apply-changes.mjs RESULT FOLDER, where RESULT has the files of
 * the run in `tree`, and in `changes.jsonl` what `l2mac diff --stat --json` prints.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [result = "", folder = ""] = process.argv.slice(2);
const lines = readFileSync(join(result, "changes.jsonl"), "utf8").split("\n").filter(Boolean);
for (const { path, kind } of lines.map((line) => JSON.parse(line))) {
  const target = join(folder, path);
  if (kind === "deleted") rmSync(target, { force: true });
  else put(target, readFileSync(join(result, "tree", path)));
}

/** A file keeps its mode; scripts can be executed, because the files of a run have no mode of their own. */
function put(target, content) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  if (content.subarray(0, 2).toString() === "#!") chmodSync(target, statSync(target).mode | 0o111);
}
