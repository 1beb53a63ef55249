/** Trees without what no stubs can be made of: code in other languages is gone, and pages, texts and data are blank. */
import { isDocument } from "../../core/evidence/documents/document-check.ts";
import type { TreeOutcome } from "../../core/evidence/evidence.ts";
import { isRed } from "../../core/evidence/evidence.ts";
import { canStub } from "../../core/evidence/stubs/stub-file.ts";
import type { Change } from "../../core/ports.ts";
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import { sourceLanguageOf } from "../../core/text/source-languages.ts";
import { changed, type EvaluatedTree, hashOfFiles, isOfTests, type StepTrees } from "./trees.ts";

export interface Unstubbed {
  /** What is gone or blank: `Rust`, `a text or data`. */
  what: string;
  tree: EvaluatedTree;
  /** Whether the check, executed there, shows that it looks at it. */
  isNoticed: (outcome: TreeOutcome) => boolean;
}

/** What is blank, where no code is. */
export const TEXTS = "pages, texts or data";

interface Reading {
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** Files of the check stay. */
  kept: readonly string[];
  /** There is no function in the tree: scripts are blank, too. */
  hasFunctions: boolean;
  /** Documents are what is asked for. Else what a text says shows nothing of the work. */
  isOfText: boolean;
}

/** Of the files that differ from the base. None: each of them is of a language that has stubs, or of the check. */
export async function treesWithoutUnstubbed(trees: StepTrees, reading: Reading): Promise<Unstubbed[]> {
  const { base, work } = trees;
  const written = [...work.keys()].filter(
    (path) => base.get(path) !== work.get(path) && !isOfTests(path) && !reading.kept.includes(path),
  );
  const code = written.filter(isOtherCode);
  const rest = written.filter(
    (path) =>
      !isOtherCode(path) && !(isScript(path) && reading.hasFunctions) && (reading.isOfText || !isDocument(path)),
  );
  const without: Unstubbed[] = [];
  // Whatever uses it does not even compile then, so that no assertion is reached.
  if (code[0] !== undefined)
    without.push({
      what: sourceLanguageOf(code[0])?.name ?? "code",
      tree: treeWith(
        trees,
        code.map((path) => ({ path, content: null })),
      ),
      isNoticed: isRed,
    });
  if (rest.length > 0)
    without.push({
      what: rest.some(isScript) ? "code without functions" : TEXTS,
      tree: treeWith(trees, await Promise.all(rest.map((path) => blank(path, reading)))),
      isNoticed: ({ status }) => status === "refuted",
    });
  return without;
}

const isScript = (path: string): boolean => sourceLanguageOf(path) !== undefined && !isPage(path) && !isOtherCode(path);

export const isOtherCode = (path: string): boolean =>
  sourceLanguageOf(path) !== undefined && !isPage(path) && !canStub(path) && !/\.d\.[cm]?ts$/.test(path);

const isPage = (path: string): boolean => ["HTML", "CSS"].includes(sourceLanguageOf(path)?.name ?? "");

/** JSON stays JSON, so that reading it is no error. */
async function blank(path: string, { read }: Reading): Promise<Change> {
  const bytes = path.endsWith(".json") ? await read(path) : undefined;
  const first = (bytes && decodeText(bytes))?.trimStart()[0];
  return { path, content: encodeText(first === "[" ? "[]\n" : first === "{" ? "{}\n" : "") };
}

const treeWith = ({ work, changes }: StepTrees, edits: Change[]): EvaluatedTree => ({
  changes: [...changes.filter(({ path }) => !edits.some((edit) => edit.path === path)), ...edits],
  hash: hashOfFiles(changed(work, edits)),
});
