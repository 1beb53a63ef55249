/** The tests that a user gives, laid into the tree that a run starts from: under their own paths, over what is there. */
import { UserError } from "../../core/errors.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import { checkedTree } from "../../pack/checked-tree.ts";
import type { PackEntry } from "../../pack/layout.ts";

type Files = ReadonlyMap<string, Uint8Array | PackEntry>;

export interface StartingFiles<File> {
  /** Absent where the run starts from nothing. */
  from?: Map<string, File>;
  /** Those of its paths that are given tests. */
  tests?: string[];
}

export interface StartingInput<File> {
  from?: Map<string, File> | undefined;
  tests?: Map<string, File> | undefined;
  pack: PromptPack;
  /** Whether tests are run at all. */
  runTests: boolean;
}

/** Refuses tests that would not be run, names that clash, and trees that are too large. */
export function startingFiles<File extends Uint8Array | PackEntry>({
  from,
  tests,
  pack,
  runTests,
}: StartingInput<File>): StartingFiles<File> {
  if (!tests) return from ? { from } : {};
  if (!runTests) throw refused("Tests are given, and running tests is turned off.", "Give --tests or --no-tests.");
  if (!pack.declaration.checks.tests) {
    const message = `Tests are given, and with the prompt pack "${pack.declaration.name}" no tests are run.`;
    throw refused(message, "Leave --tests out, or choose a domain that has tests: --domain codebase.");
  }
  const together = new Map([...(from ?? []), ...tests]);
  const files = from ? checkedTree("The files to start from, with the given tests", together) : together;
  return { from: files, tests: [...tests.keys()] };
}

const refused = (message: string, remedy: string): UserError => new UserError(message, { exitCode: 2, remedy });

const NAMED = 5;

/** What becomes of what both have, in words. */
export function replacedByTests(from: Files | undefined, tests: Files | undefined): string[] {
  const both = [...(tests?.keys() ?? [])].filter((path) => from?.has(path));
  if (both.length === 0) return [];
  const more = both.length > NAMED ? ` and ${both.length - NAMED} more` : "";
  return [`--from and --tests both have ${both.slice(0, NAMED).join(", ")}${more}: the given test is taken.`];
}
