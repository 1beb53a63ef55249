/** Writes the folder from which the evaluator's image is built. Needs no Docker. */
import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { projectFile } from "../files/project-files.ts";
import { bundle } from "./bundle.ts";

const SOURCES = "lambdas/evaluate";
const SCRIPTS = "lib/evaluator/scripts";
const AS_THEY_ARE = [
  ...["Dockerfile", "python-packages.lock", "npm-packages.json", "npm-packages.lock.json"].map(
    (name) => `${SOURCES}/${name}`,
  ),
  SCRIPTS,
];
/** Leftovers that would change the image's hash. */
const LEFT_OUT = new Set(["__pycache__", ".DS_Store"]);

/** The function that builds the image in the stack. Returns the folder. */
export const layImageBuilder = (into: string): string =>
  bundle({ entry: "lambdas/build-image/entry.ts", name: "entry" }, into).folder;

/** Returns the folder. */
export function layEvaluatorImage(into: string): string {
  const { folder } = bundle({ entry: `${SOURCES}/entry.ts`, name: "entry" }, into);
  for (const path of AS_THEY_ARE)
    cpSync(projectFile(path), join(folder, basename(path)), {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  return folder;
}
