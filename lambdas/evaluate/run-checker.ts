/** Runs a script that parses files inside their own language and prints what it found as JSON. */
import * as z from "zod";
import { Finding } from "../../lib/core/verdict.ts";
import type { Place, SyntaxFound } from "./kind.ts";
import { plainText, shortened } from "./plain-text.ts";
import type { CommandResult } from "./run-command.ts";

const Answer = z.object({ findings: z.array(Finding), unchecked: z.array(z.string()).optional() });
export type CheckerAnswer = { findings: Finding[]; unchecked: string[] };

/** A whole answer must fit, else it cannot be read. */
const ANSWER_BYTES = 8 * 1024 * 1024;
const MESSAGE_CHARS = 500;

export async function runChecker(
  place: Place,
  argv: string[],
  request: { tree: string[]; paths: string[] | null },
): Promise<CheckerAnswer | SyntaxFound> {
  const result = await place.run({ argv, stdin: JSON.stringify(request), outputBytes: ANSWER_BYTES });
  const answer = parsed(result.stdout);
  if (result.status !== "exited" || result.exitCode !== 0 || !answer) return broken(result);
  const findings = answer.findings.map((finding) => ({
    ...finding,
    message: shortened(plainText(finding.message), MESSAGE_CHARS),
  }));
  return { findings, unchecked: answer.unchecked ?? [] };
}

function parsed(text: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function broken(result: CommandResult): SyntaxFound {
  const said = shortened(result.stderr.trim(), MESSAGE_CHARS);
  if (result.status === "not_found") return { status: "not_run", reason: "no_toolchain", detail: said, errors: [] };
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  return {
    status: "crashed",
    detail: `the checker ended with ${result.signal ?? result.exitCode}: ${said}`,
    errors: [],
  };
}
