/** What shellcheck says of scripts that their shells can read. It is not everywhere, and nothing depends on it. */

import * as z from "zod";
import { headAndTail } from "../../../core/text/cut.ts";
import { sanitize } from "../../../core/text/sanitize.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { Workspace } from "../../language.ts";
import type { Script } from "./scripts.ts";

const Comment = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  level: z.enum(["error", "warning", "info", "style"]),
  code: z.int(),
  message: z.string(),
});
const Answer = z.object({ comments: z.array(Comment) });

export interface ShellcheckResult {
  errors: Finding[];
  warnings: Finding[];
}

/** Some scripts take it very long; what it would say is not worth that. */
const TIME_MS = 20_000;
const AT_ONCE = 200;
const OUTPUT_BYTES = 4 * 1024 * 1024;
const MESSAGE_CHARS = 300;
/** What it cannot know rather than what is wrong: a script without a first line, one that another tool fills in. */
const LEFT_OUT = "SC1071,SC1090,SC1091,SC2148";
/**
 * Errors to it that working scripts are full of: lists without quotes, and expansions that are zsh's. What it cannot
 * parse (its codes below 2000) the script's own shell has read.
 */
const ADVICE = new Set([2068, 2145, 2152, 2296]);
const FIRST_THAT_IS_NOT_ABOUT_PARSING = 2000;
const WHERE_IT_IS = 'command -v shellcheck >/dev/null 2>&1 || exit 127; exec shellcheck "$@"';
const LEVELS = ["error", "warning", "info", "style"];

export async function shellcheck(scripts: Script[], workspace: Workspace): Promise<ShellcheckResult> {
  const known = scripts.filter(({ shell }) => shell !== "zsh");
  const comments: z.infer<typeof Comment>[] = [];
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const paths = known.slice(from, from + AT_ONCE).map(({ path }) => `./${path}`);
    const options = ["-f", "json1", "-e", LEFT_OUT];
    const argv = ["sh", "-c", WHERE_IT_IS, "sh", ...options, ...paths];
    const { stdout } = await workspace.run({ argv, timeoutMs: TIME_MS, outputBytes: OUTPUT_BYTES });
    comments.push(...commentsIn(stdout));
  }
  const sorted = comments.toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return {
    errors: sorted.filter(isError).map(findingOf),
    warnings: sorted.filter((comment) => !isError(comment)).map(findingOf),
  };
}

const isError = ({ level, code }: z.infer<typeof Comment>): boolean =>
  level === "error" && code >= FIRST_THAT_IS_NOT_ABOUT_PARSING && !ADVICE.has(code);

function commentsIn(text: string): z.infer<typeof Comment>[] {
  try {
    return Answer.safeParse(JSON.parse(text)).data?.comments ?? [];
  } catch {
    return [];
  }
}

const findingOf = ({ file, line, column, code, message }: z.infer<typeof Comment>): Finding => ({
  path: file.replace(/^\.\//, ""),
  line,
  column,
  message: headAndTail(sanitize(message), MESSAGE_CHARS),
  rule: `SC${code}`,
});
