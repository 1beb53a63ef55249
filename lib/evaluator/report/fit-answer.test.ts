import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { notRun, Verdict } from "../../core/verdict/verdict.ts";
import { fitAnswer } from "./fit-answer.ts";

const MiB = 1024 * 1024;
const sizeOf = (verdict: Verdict): number => Buffer.byteLength(JSON.stringify(verdict));
const small: Verdict = { ...notRun("not_asked"), requestId: "1", milliseconds: 5 };

describe("the evaluator's answer", () => {
  it("is the verdict itself where that is small", () => {
    expect(fitAnswer(small)).toEqual(small);
  });

  it("is a verdict of at most a megabyte, whatever the checks said, and says that it was cut", () => {
    const text = fc.integer({ min: 0, max: 3 }).map((size) => '"\u0000漢\n'.repeat(size * 100_000));
    const many = fc.constantFrom(0, 10, 40_000);
    fc.assert(
      fc.property(text, text, many, many, (output, message, cases, findings) => {
        const verdict: Verdict = {
          ...small,
          tests: {
            ...small.tests,
            output,
            cases: Array.from({ length: cases }, (_, at) => ({ name: `case ${at}`, status: "failed", message: "no" })),
          },
          syntax: {
            ...small.syntax,
            errors: [{ path: "a", message }, ...Array.from({ length: findings }, () => ({ path: "a", message: "no" }))],
          },
          command: { status: "passed", exitCode: 0, stdout: output, stderr: message },
        };
        const answer = fitAnswer(verdict);
        expect(sizeOf(answer)).toBeLessThanOrEqual(MiB);
        expect(Verdict.safeParse(answer).success).toBe(true);
        expect(answer.truncated.length > 0).toBe(sizeOf(verdict) > MiB);
      }),
      { numRuns: thorough(6, 20) },
    );
  });

  it("keeps the cases that failed when it must leave some out", () => {
    const cases = Array.from({ length: 30_000 }, (_, at) => ({
      name: `case ${at} ${"x".repeat(40)}`,
      status: at === 29_999 ? ("failed" as const) : ("passed" as const),
    }));
    const answer = fitAnswer({ ...small, tests: { ...small.tests, cases } });
    expect(answer.tests.cases[0]?.name).toContain("case 29999");
  });

  it("contains no credentials of the function, in whatever field generated code printed them", () => {
    const secret = 'abc/def+"ghijklmnop';
    const output = `AWS_SECRET_ACCESS_KEY=${secret}\nAWS_ACCESS_KEY_ID=ASIAABCDEFGHIJKLMNOP`;
    const command = { status: "passed" as const, exitCode: 0, stdout: output, stderr: output };
    const answer = fitAnswer({ ...small, tests: { ...small.tests, output }, command }, [secret, ""]);
    expect(JSON.stringify(answer)).not.toMatch(/ghijklmnop|ASIAABCD/);
    expect(answer.tests.output).toBe("AWS_SECRET_ACCESS_KEY=[redacted]\nAWS_ACCESS_KEY_ID=[secret: aws access key]");
  });
});
