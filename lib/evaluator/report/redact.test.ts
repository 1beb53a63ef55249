import { describe, expect, it } from "vitest";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { withoutKeys } from "./redact.ts";

const saying = (stdout: string): Verdict => ({
  ...notRun("not_asked"),
  command: { status: "passed", exitCode: 0, stdout, stderr: "" },
});
const redacted = (text: string): string | undefined => withoutKeys(saying(text)).command?.stdout;

describe("a verdict without keys", () => {
  it("does not tell what has the format of a secret", () => {
    expect(redacted("a AKIAIOSFODNN7EXAMPLE b")).toBe("a [secret: aws access key] b");
  });

  it("takes them out of every field, names and messages too", () => {
    const key = "AKIAIOSFODNN7EXAMPLE";
    const verdict = saying("");
    const everywhere: Verdict = {
      ...verdict,
      syntax: { status: "failed", detail: key, errors: [{ path: key, message: key, rule: key }] },
      tests: { ...verdict.tests, output: key, cases: [{ name: key, status: "failed", message: key }] },
      missingPackages: [key],
      truncated: [key],
    };
    expect(JSON.stringify(withoutKeys(everywhere))).not.toContain(key);
  });

  it("leaves kept files as they are, and leaves out those that hold a secret that it is given", () => {
    const kept = (text: string) => ({ path: `${text.length}.txt`, base64: btoa(text) });
    const [plain, key, own] = [kept("plain"), kept("AKIAIOSFODNN7EXAMPLE"), kept("this is my own secret, kept")];
    const verdict = saying("");
    if (verdict.command) verdict.command.kept = { files: [plain, key, own] };
    expect(withoutKeys(verdict, ["my own secret"]).command?.kept?.files).toEqual([plain, key]);
  });

  it("does not tell secrets that it is given, but for those that are words", () => {
    expect(withoutKeys(saying('of "my own secret" word'), ['"my own secret"', "word"]).command?.stdout).toBe(
      "of [redacted] word",
    );
  });
});
