/** Book: books to write, with executed checks of what was asked for. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parse } from "yaml";
import { projectFile } from "../../../../lib/files/project-files.ts";
import type { EvalCase, Suite } from "../../suite.ts";
import { BookTask, checksOf, wordsOfTask } from "./book-task.ts";
import { forgeriesOf, headingsOf } from "./forged-books.ts";
import { delivered, specimenOf } from "./specimen.ts";

const FOLDER = "packages/eval/data/book";

export const book: Suite = {
  name: "book",
  about: "books to write, with checks of lengths, facts, references and delivery",
  source: "of this project",
  checker: { program: "node", script: "book.mjs" },
  domain: "book",
  isDistinct: true,
  load: async () => readdirSync(projectFile(FOLDER)).sort().map(caseOf),
};

function caseOf(file: string): EvalCase {
  const task = BookTask.parse(parse(readFileSync(projectFile(`${FOLDER}/${file}`), "utf8")));
  return {
    id: basename(file, ".yaml"),
    task: wordsOfTask(task),
    spec: checksOf(task),
    seconds: 30,
    oracle: delivered(specimenOf(task)),
    stub: headingsOf(task),
    forgeries: forgeriesOf(task),
    // Nothing of the tree is executed; these are the texts that are slowest to read.
    hanging: { "chapters/01.md": `# ${"[](".repeat(300_000)}`, "chapters/02.md": "[".repeat(900_000) },
  };
}
