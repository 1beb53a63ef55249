/** Makes a verdict fit to leave the evaluator: small enough for its caller, and without secrets. Pure. */

import { MiB } from "../../core/limits.ts";
import { byteLength } from "../../core/text/file-text.ts";
import type { Finding, Verdict } from "../../core/verdict/verdict.ts";
import { withoutKeys } from "./redact.ts";

/** Half of what its caller reads, which is far less than Lambda carries. */
const ANSWER_BYTES = 1 * MiB;
/** Each round keeps a quarter of what the last one kept. */
const ROUNDS = [
  { cases: 1_000, chars: 64_000 },
  { cases: 250, chars: 16_000 },
  { cases: 60, chars: 4_000 },
  { cases: 15, chars: 1_000 },
];

/** The function's own credentials permit nothing, but are removed too. */
export function fitAnswer(verdict: Verdict, secrets: string[] = []): Verdict {
  const redacted = withoutKeys(verdict, secrets);
  let fitting = redacted;
  for (const round of ROUNDS) {
    if (byteLength(JSON.stringify(fitting)) <= ANSWER_BYTES) return fitting;
    fitting = { ...shortened(redacted, round), truncated: [...redacted.truncated.slice(0, round.cases), TOO_LARGE] };
  }
  return fitting;
}

const TOO_LARGE = "everything: the verdict was too large";

function shortened({ syntax, tests, command, ...rest }: Verdict, { cases, chars }: (typeof ROUNDS)[number]): Verdict {
  const cut = (text: string): string => text.slice(0, chars);
  const ofCase = Math.max(200, Math.floor(chars / 100));
  const firstOf = (findings: Finding[]): Finding[] =>
    findings.slice(0, cases).map((finding) => ({ ...finding, message: finding.message.slice(0, ofCase) }));
  return {
    ...rest,
    missingPackages: rest.missingPackages.slice(0, cases).map(cut),
    syntax: {
      ...syntax,
      errors: firstOf(syntax.errors),
      ...(syntax.warnings ? { warnings: firstOf(syntax.warnings) } : {}),
    },
    tests: {
      ...tests,
      output: cut(tests.output),
      // What failed is what somebody must read.
      cases: tests.cases
        .toSorted((one, other) => Number(one.status === "passed") - Number(other.status === "passed"))
        .slice(0, cases)
        .map(({ message, ...each }) => ({
          ...each,
          name: each.name.slice(0, ofCase),
          ...(message === undefined ? {} : { message: message.slice(0, ofCase) }),
        })),
    },
    ...(command ? { command: { ...command, stdout: cut(command.stdout), stderr: cut(command.stderr) } } : {}),
  };
}
