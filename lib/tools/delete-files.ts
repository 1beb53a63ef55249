/** Deletes files; history keeps them. */
import * as z from "zod";
import { PATHS_PER_TURN } from "../core/limits.ts";
import { absence, checkedPaths, filesNote } from "./known-paths.ts";
import { renamed } from "./lenient.ts";
import { defineTool, refusal } from "./tool.ts";

export const deleteFiles = defineTool({
  name: "delete_files",
  category: "delete",
  description: "Deletes files. Earlier versions are kept in the run's history.",
  schema: z.strictObject({ paths: z.array(z.string()).min(1).max(PATHS_PER_TURN) }),
  accept: (given) => renamed(renamed(given, "path", "paths"), "files", "paths"),
  async run({ paths: raw }, bench) {
    const checked = checkedPaths(raw);
    if ("problem" in checked) return refusal(`Nothing was deleted.\n${checked.problem}`);
    const paths = [...new Set(checked.paths)];
    const deleted: string[] = [];
    const problems: string[] = [];
    for (const path of paths) {
      const removed = await bench.files.remove(path);
      if (removed === true) deleted.push(path);
      else problems.push(removed ? `Not deleted: ${path}. ${removed.problem}` : await absence(path, bench));
    }
    if (deleted.length === 0) return refusal(`Nothing was deleted.\n${problems.join("\n")}`);
    return {
      ok: problems.length === 0,
      text: [`Deleted ${deleted.join(", ")}.`, ...problems].join("\n"),
      note: filesNote(deleted),
      about: { kind: "write", paths: deleted },
    };
  },
});
