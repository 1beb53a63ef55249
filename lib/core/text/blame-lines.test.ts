import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blameLines } from "./blame-lines.ts";

const origins = (...texts: string[]): string[] =>
  blameLines(texts.map((text, index) => ({ text, origin: index }))).map(({ text, origin }) => `${origin} ${text}`);

describe("the blame of a text", () => {
  it("names the version that wrote each line", () => {
    expect(origins("a\nb\nc\n", "a\nB\nc\nd\n", "0\na\nB\nc\nd\n")).toEqual(["2 0", "0 a", "1 B", "0 c", "1 d"]);
  });

  it("is the earlier one where a text returns to an earlier version", () => {
    expect(origins("a\nb\n", "", "a\nb\n")).toEqual(["0 a", "0 b"]);
    expect(origins("a\nb\n", "x\n", "a\nb\n", "a\nb\nc\n")).toEqual(["0 a", "0 b", "3 c"]);
  });

  it("takes an empty text, one without an end of line, and none", () => {
    expect(origins()).toEqual([]);
    expect(origins("a", "")).toEqual([]);
    expect(origins("a", "a\n", "a\nb")).toEqual(["0 a", "2 b"]);
  });

  it("lists exactly the lines of the last version, each as its origin has it", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
        const lines = blameLines(texts.map((each, index) => ({ text: each, origin: index })));
        const last = texts.at(-1) ?? "";
        expect(lines.map((line) => line.text)).toEqual(last === "" ? [] : last.replace(/\n$/, "").split("\n"));
        for (const { text: line, origin } of lines) expect(texts[origin]?.split("\n")).toContain(line);
      }),
      { numRuns: 300 },
    );
  });

  it("agrees with git blame where every line is different", () => {
    const versions = ["1\n2\n3\n4\n5\n", "1\n2b\n3\n4\n5\n6\n", "0\n1\n3\n4\n6\n7\n", "0\n1\n3\n4d\n6\n7\n8\n"];
    const folder = mkdtempSync(join(tmpdir(), "l2mac-blame-"));
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder, encoding: "utf8" });
    try {
      git("init", "-q");
      const commits = versions.map((text) => {
        writeFileSync(join(folder, "f"), text);
        git("add", "f");
        git("commit", "-q", "-m", "x");
        return git("rev-parse", "HEAD").trim();
      });
      const blamed = git("blame", "--line-porcelain", "f")
        .split("\n")
        .flatMap((line) => /^([0-9a-f]{40}) /.exec(line)?.[1] ?? []);
      expect(
        blameLines(versions.map((text, origin) => ({ text, origin }))).map(({ origin }) => commits[origin]),
      ).toEqual(blamed);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
