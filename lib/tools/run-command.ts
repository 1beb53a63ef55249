/** Runs a command on the tree, in the evaluator. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import { EVALUATION_MS, KEPT_FILES } from "../core/limits.ts";
import { oneLine } from "../core/text/cut.ts";
import { checkPath } from "../core/text/file-path.ts";
import { pluralize } from "../core/text/format.ts";
import { compileGlob, type Glob } from "../core/text/glob.ts";
import type { Workbench } from "../core/turn/workbench.ts";
import { commandFeedback } from "../core/verdict/command-feedback.ts";
import type { Verdict } from "../core/verdict/verdict.ts";
import { commandNote } from "../core/verdict/verdict-words.ts";
import { renamed } from "./lenient.ts";
import { optional } from "./shape.ts";
import { syntaxAfter } from "./syntax-after.ts";
import { defineTool, refusal } from "./tool.ts";

/** More would be a list of files. */
const KEPT_GLOBS = 20;

export const runCommand = defineTool({
  name: "run_command",
  category: "run",
  description:
    'Runs a program on a copy of the files and answers with its exit code and output. One list item per argument: ["python3", "main.py", "--help"]. For pipes and && use ["sh", "-c", "…"]. Expect no network. Changes it makes to files are discarded, but for those that `keep` names.',
  schema: z.strictObject({
    argv: z.array(z.string()).min(1).describe("the program and its arguments"),
    stdin: optional(z.string().describe("what the program reads from standard input")),
    timeout_seconds: optional(
      z
        .int()
        .min(1)
        .max(EVALUATION_MS / 1000),
    ),
    keep: optional(
      z
        .array(z.string().min(1))
        .max(KEPT_GLOBS)
        .describe("globs of files that it writes and that are kept if it exits with 0: go.sum, migrations/**"),
    ),
  }),
  accept: (given) => renamed(given, "command", "argv"),
  async run({ argv, stdin, timeout_seconds: timeoutSeconds, keep }, bench) {
    const [program = ""] = argv;
    if (program === "" || /[\s"'|&;<>]/.test(program)) return refusal(ACCEPTED, "bad arguments");
    const globs = keep?.map(compileGlob) ?? [];
    const problem = globs.find((glob) => "problem" in glob);
    if (problem) return refusal(`run_command was not run. \`keep\`: ${problem.problem}.`, "bad glob");
    const verdict = await bench.command({ argv, ...defined({ stdin, timeoutSeconds, keep }) });
    const note = { subject: oneLine(argv.join(" "), 60), finding: commandNote(verdict.command) };
    if (verdict.command === undefined || verdict.command.status === "not_run")
      return { ok: false, text: commandFeedback(verdict, bench.answerChars), note };
    if (!keep) return { ok: true, text: `${feedbackWith(DISCARDED, verdict, bench)}\n${DISCARDED}`, note };
    const { said, paths } = await keepFiles(verdict.command, globs, bench);
    const text = `${feedbackWith(said, verdict, bench)}\n${said}`;
    if (paths.length === 0) return { ok: true, text, note };
    const finding = `${note.finding} · kept ${pluralize(paths.length, "file")}`;
    return { ok: true, text, note: { ...note, finding, files: paths.length }, about: { kind: "write", paths } };
  },
});

/** What is said after it stays, however long the output is. */
const feedbackWith = (said: string, verdict: Verdict, { answerChars }: Workbench): string =>
  commandFeedback(verdict, Math.max(answerChars / 2, answerChars - said.length));

/** Written by the same rules as what the model writes itself. The evaluator's answer is untrusted. */
async function keepFiles(
  { status, kept }: NonNullable<Verdict["command"]>,
  globs: (Glob | { problem: string })[],
  bench: Workbench,
): Promise<{ said: string; paths: string[] }> {
  if (status !== "passed") return { said: "Nothing was kept, because the command did not exit with 0.", paths: [] };
  if (kept?.refused) return { said: `Nothing was kept: ${oneLine(kept.refused, 200)}.`, paths: [] };
  const paths: string[] = [];
  const problems: string[] = [];
  for (const { path: raw, base64 } of (kept?.files ?? []).slice(0, KEPT_FILES)) {
    const checked = checkPath(raw);
    const isWanted = globs.some((glob) => !("problem" in glob) && glob.matches(raw));
    const problem =
      "problem" in checked
        ? checked.problem
        : isWanted
          ? await bench.files.write(checked.path, bytesOfBase64(base64))
          : `${checked.path} was not asked for`;
    if (problem) problems.push(`Not kept: ${problem}`);
    else if ("path" in checked) paths.push(checked.path);
  }
  if (paths.length === 0) return { said: [NOTHING_KEPT, ...problems].join("\n"), paths };
  const syntax = await syntaxAfter(paths, bench);
  return { said: [`Kept ${paths.join(", ")}. ${OTHERS}`, ...problems, syntax.text].join("\n"), paths };
}

const bytesOfBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));

const NOTHING_KEPT = "Nothing was kept: the command wrote nothing that matches `keep`.";
const OTHERS = "Its other changes to files are discarded.";

const ACCEPTED =
  'run_command was not run. argv[0] must be the name of a program alone, with each argument an item of its own: {"argv": ["npm", "test"]}. For a shell line: {"argv": ["sh", "-c", "npm test | tail -5"]}.';
const DISCARDED = "Changes that the command made to files are discarded; write_files and edit_file keep theirs.";
