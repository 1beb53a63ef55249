import { describe, expect, it } from "vitest";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { withoutKeys } from "./redact.ts";

const saying = (stdout: string): Verdict => ({
  ...notRun("not_asked"),
  command: { status: "passed", exitCode: 0, stdout, stderr: "" },
});
const redacted = (text: string): string | undefined => withoutKeys(saying(text)).command?.stdout;

describe("a verdict without keys", () => {
  it.each([
    ["an access key of AWS", "AKIAIOSFODNN7EXAMPLE"],
    ["a temporary access key of AWS", "ASIAIOSFODNN7EXAMPLE"],
    ["a session token of AWS", `IQoJb3JpZ2luX2Vj${"aB3/+".repeat(30)}`],
    ["an older session token of AWS", `FwoGZXIvYXdzE${"aB3/+".repeat(30)}`],
    ["a token of GitHub", `ghp_${"aB3d".repeat(9)}`],
    ["a token of GitHub's newer kind", `github_pat_${"aB3d_".repeat(12)}`],
    ["a token of GitLab", `glpat-${"aB3d-".repeat(4)}`],
    ["a token of Slack", `xoxb-${"1234-".repeat(5)}`],
    ["a key of Google", `AIza${"aB3d_".repeat(7)}`],
    ["a key of OpenAI", `sk-proj-${"aB3d_".repeat(10)}`],
  ])("does not tell %s", (_, key) => {
    expect(redacted(`before ${key} after`)).toBe("before [redacted] after");
    expect(redacted(`shown as "a\\n${key}"`)).toBe('shown as "a\\n[redacted]"');
  });

  it("does not tell a secret key of AWS that is called so", () => {
    const key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    expect(redacted(`aws_secret_access_key = ${key}`)).toBe("aws_secret_access_key = [redacted]");
    expect(redacted(`{"AWS_SECRET_ACCESS_KEY":"${key}"}`)).toBe('{"AWS_SECRET_ACCESS_KEY":"[redacted]"}');
  });

  it("does not tell a private key, nor one whose end was cut off", () => {
    const begin = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA";
    expect(redacted(`a\n${begin}\n-----END RSA PRIVATE KEY-----\nb`)).toBe("a\n[redacted]\nb");
    expect(redacted(`a\n${begin}`)).toBe("a\n[redacted]");
  });

  it("leaves everything else as it is", () => {
    const text =
      "sk-loading-indicator-of-a-page, AKIA, a task-12345678901234567890123, gh_pages, -----BEGIN CERTIFICATE-----";
    expect(redacted(text)).toBe(text);
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

  it("does not tell secrets that it is given, but for those that are words", () => {
    expect(withoutKeys(saying('of "my own secret" word'), ['"my own secret"', "word"]).command?.stdout).toBe(
      "of [redacted] word",
    );
  });
});
