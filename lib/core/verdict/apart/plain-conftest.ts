/** In place of a conftest.py that says where code is: one that says that, and nothing else. Pure. */
import { isTestPath } from "../test-paths.ts";
import type { ScriptFile } from "./script-runner.ts";

/** Of folders that hold what the given tests import by its bare name. */
export function plainConftest(own: ReadonlyMap<string, string>, tests: ScriptFile[]): ScriptFile[] {
  const found = [...own].find(([path, text]) => /(?:^|\/)conftest\.py$/.test(path) && text.includes("sys.path"));
  if (!found) return [];
  const names = new Set(tests.flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, name = ""]) => name)));
  const folders = new Set(
    [...own.keys()].flatMap((path) => {
      const [, folder, name = ""] = MODULE.exec(path) ?? [];
      return folder !== undefined && names.has(name) && !isTestPath(path) ? [folder] : [];
    }),
  );
  const [path] = found;
  const up = "../".repeat(path.split("/").length - 1);
  const lines = [...folders].map(
    (folder) => `    os.path.normpath(os.path.join(here, ${JSON.stringify(up + folder)})),`,
  );
  const text = `import os\nimport sys\n\nhere = os.path.dirname(os.path.abspath(__file__))\nsys.path[:0] = [\n${lines.join("\n")}\n]\n`;
  return folders.size > 0 ? [{ path, text }] : [];
}

const IMPORTED = /^[ \t]*(?:from|import)[ \t]+(\w+)/gm;
/** In a folder: at the top it is found anyway. */
const MODULE = /^(.+)\/(\w+)(?:\.py|\/__init__\.py)$/;
