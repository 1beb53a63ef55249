/** Calls a parser that takes one file at a time, for all of them in one sandbox. */
import { randomUUID } from "node:crypto";
import type { Finding } from "../../core/verdict/verdict.ts";
import { type CheckRequest, nothingToCheck, type SyntaxResult, type Workspace, withoutToolchain } from "../language.ts";

export interface FileParser {
  /** Which files of the tree are parsed; what lies in `vendor` is not the project's. */
  owns: (path: string) => boolean;
  /** The program, and its arguments before the file's path. Without the program, files are unchecked. */
  program: string | undefined;
  args: string[];
  /** What is missing without the program, and what to do about it. */
  lacking: string;
  /** What it prints about a file in which it finds no mistake. */
  accepts: RegExp;
  /** Where it finds one: its line and its message are the groups `line` and `message`. */
  refuses: RegExp;
}

/** What a parser prints about one file comes after a mark that only this process knows, and its name. */
const EACH = 'mark=$1; shift; while IFS= read -r file; do echo "$mark$file"; "$@" "./$file" </dev/null 2>&1; done';
const OUTPUT_BYTES = 4 * 1024 * 1024;

export async function parseEach(
  { tree, paths }: CheckRequest,
  parser: FileParser,
  workspace: Workspace,
): Promise<SyntaxResult> {
  const { owns, program, args } = parser;
  if (!(paths ?? tree.files).some(owns)) return nothingToCheck;
  if (!program) return { ...withoutToolchain(parser.lacking), errors: [] };
  const named = tree.files.filter((path) => owns(path) && isRead(path) && (!paths || paths.includes(path)));
  if (named.length === 0) return { status: "passed", errors: [] };
  const mark = randomUUID();
  const argv = ["/bin/sh", "-c", EACH, "sh", mark, program, ...args];
  const result = await workspace.run({ argv, stdin: `${named.join("\n")}\n`, outputBytes: OUTPUT_BYTES });
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  const parts = result.stdout.split(mark).slice(1);
  const errors = parts.flatMap((part) => findingIn(part, parser));
  if (errors.length > 0) return { status: "failed", errors };
  if (parts.length < named.length || result.status !== "exited")
    return { status: "crashed", detail: `${program} ended before it had read all files`, errors: [] };
  return { status: "passed", errors: [] };
}

const isRead = (path: string): boolean => !/(?:^|\/)vendor\/|\n/.test(path);

function findingIn(part: string, { accepts, refuses }: FileParser): Finding[] {
  if (accepts.test(part)) return [];
  const [path = "", ...lines] = part.split("\n");
  const said = lines.join("\n").trim();
  const { line, message = said.slice(0, 300) } = refuses.exec(said)?.groups ?? {};
  return [{ path, ...(line ? { line: Number(line) } : {}), message: message.trim(), rule: "syntax" }];
}
