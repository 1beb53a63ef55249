/** Runs a command on the tree, in the evaluator. */
import * as z from "zod";
import { EVALUATION_MS } from "../core/limits.ts";
import { oneLine } from "../core/text/cut.ts";
import { commandFeedback } from "../core/verdict/command-feedback.ts";
import { commandNote } from "../core/verdict/verdict-words.ts";
import { renamed } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

export const runCommand = defineTool({
  name: "run_command",
  category: "run",
  description:
    'Runs a program on a copy of the files and answers with its exit code and output. One list item per argument: ["python3", "main.py", "--help"]. For pipes and && use ["sh", "-c", "…"]. Expect no network. Changes it makes to files are discarded.',
  schema: z.strictObject({
    argv: z.array(z.string()).min(1).describe("the program and its arguments"),
    stdin: optional(z.string().describe("what the program reads from standard input")),
    timeout_seconds: optional(
      z
        .int()
        .min(1)
        .max(EVALUATION_MS / 1000),
    ),
  }),
  accept: (given) => renamed(given, "command", "argv"),
  async run({ argv, stdin, timeout_seconds: timeoutSeconds }, bench) {
    const [program = ""] = argv;
    if (program === "" || /[\s"'|&;<>]/.test(program)) return refusal(ACCEPTED, "bad arguments");
    const verdict = await bench.command({
      argv,
      ...(stdin !== undefined && { stdin }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    });
    const ran = verdict.command !== undefined && verdict.command.status !== "not_run";
    const output = commandFeedback(verdict, bench.answerChars - DISCARDED.length);
    return {
      ok: ran,
      text: ran ? `${output}\n${DISCARDED}` : output,
      note: { subject: oneLine(argv.join(" "), 60), finding: commandNote(verdict.command) },
    };
  },
});

const ACCEPTED =
  'run_command was not run. argv[0] must be the name of a program alone, with each argument an item of its own: {"argv": ["npm", "test"]}. For a shell line: {"argv": ["sh", "-c", "npm test | tail -5"]}.';
const DISCARDED = "Changes that the command made to files are discarded; write_files and edit_file keep theirs.";
