import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { encodeText } from "../../core/text/file-text.ts";
import { plain } from "../display/paint.ts";
import { exactText, shownLines } from "./diff-text.ts";
import { diffTrees, statLines } from "./tree-diff.ts";

const tree = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, encodeText(text)]));
const textOf = (before: Record<string, string>, after: Record<string, string>): string =>
  exactText(diffTrees(tree(before), tree(after)));

/** What `git apply` makes of the first tree. */
function applied(before: Record<string, string>, patch: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-diff-"));
  try {
    for (const [path, text] of Object.entries(before)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
    if (patch !== "") execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: patch, env });
    const paths = PATHS.filter((path) => existsSync(join(folder, path)));
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PATHS = ["a.txt", "b c.txt", "d/e", "\u00fc.md"];

describe("the difference of two trees", () => {
  it("names what was added, changed and deleted, and leaves out what is the same", () => {
    expect(
      textOf({ "a.txt": "1\n2\n", same: "x", gone: "y\n" }, { "a.txt": "1\n3\n", same: "x", "new.txt": "n" }),
    ).toBe(
      [
        ...["diff --git a/a.txt b/a.txt", "--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", " 1", "-2", "+3"],
        ...[
          "diff --git a/gone b/gone",
          "deleted file mode 100644",
          "--- a/gone",
          "+++ /dev/null",
          "@@ -1,1 +0,0 @@",
          "-y",
        ],
        ...[
          "diff --git a/new.txt b/new.txt",
          "new file mode 100644",
          "--- /dev/null",
          "+++ b/new.txt",
          "@@ -0,0 +1,1 @@",
        ],
        ...["+n", "\\ No newline at end of file", ""],
      ].join("\n"),
    );
  });

  it("only names binary files", () => {
    const diffs = diffTrees(new Map([["i.png", new Uint8Array([0, 1])]]), new Map([["i.png", new Uint8Array([0, 2])]]));
    expect(exactText(diffs)).toBe("diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n");
    expect(statLines(diffs)).toEqual(["M i.png  binary", "1 file (1 changed), 0 lines added, 0 removed"]);
  });

  it("is counted line by line in the summary", () => {
    const diffs = diffTrees(tree({ "a.txt": "1\n2\n", gone: "y\n" }), tree({ "a.txt": "1\n3\n4\n", n: "" }));
    expect(statLines(diffs)).toEqual([
      "M a.txt  +2 -1",
      "D gone   +0 -1",
      "A n      +0 -0",
      "3 files (1 added, 1 changed, 1 deleted), 2 lines added, 2 removed",
    ]);
  });

  it("turns the first tree into the second when git applies it", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "-- c", "++ d", "é\r", "\\"), { maxLength: 12 });
    const file = fc.tuple(text, fc.boolean()).map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));
    const files = fc.dictionary(fc.constantFrom(...PATHS), file, { noNullPrototype: true });
    fc.assert(
      fc.property(files, files, (before, after) => {
        expect(applied(before, textOf(before, after))).toEqual(after);
      }),
      { numRuns: 25 },
    );
  });

  it("shows texts that have nothing in common as one in place of the other, and does not compute for long", () => {
    const length = thorough(2_000, 6_000);
    const lines = (mark: string) => `${Array.from({ length }, (_, line) => `${mark}${line}`).join("\n")}\n`;
    const [diff] = diffTrees(tree({ a: lines("x") }), tree({ a: lines("y") }));
    expect(diff).toMatchObject({ added: length, removed: length });
    expect(diff?.lines[3]).toBe(`@@ -1,${length} +1,${length} @@\n`);
  });

  it("shows no escape of a file on a terminal", () => {
    const [diff] = diffTrees(tree({}), tree({ a: "\u001b]0;title\u0007red\u001b[31m\tx\n" }));
    expect(diff && shownLines(diff, plain).at(-1)).toBe("+red    x");
  });
});
