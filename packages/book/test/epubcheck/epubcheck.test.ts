/** The validator of the W3C reads the EPUB of a book that has everything a book can have. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeForm, type Tree } from "../made-book.ts";
import { makeJpeg, makePng } from "../made-pictures.ts";

const classpath = process.env.L2MAC_EPUBCHECK;
const folder = mkdtempSync(join(tmpdir(), "l2mac-epubcheck-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RICH: Tree = {
  "outline.md": '# R & D: "A <T>"\n',
  "chapters/1.md":
    "# One\n\n## There\n\n*a* **b** ~~c~~ `d` H<sub>2</sub>O [2](2.md#there) [web](https://example.org/?a=b&c=d).[^1]\n\n> q\n\n1. x\n   - y\n- [x] z\n\n|a|b|\n|-:|:-:|\n|1|2|\n\n```js\nlet a = 1 < 2;\n```\n\n---\n\n![P](/p.png) ![Q](/q.jpg)\n\n[^1]: A *note*.\n\n    More of it.\n",
  "chapters/2.md": "# Two\n\n## There\n\nEnd.\n",
  "p.png": makePng({ width: 4, height: 4 }),
  "q.jpg": makeJpeg,
};
const HEBREW: Tree = {
  "chapters/1.md": "---\nlang: he\n---\n# \u05e9\u05dc\u05d5\u05dd\n\n\u05e9\u05dc\u05d5\u05dd.\n",
};

describe("EPUBCheck", () => {
  it.skipIf(!classpath).each([
    ["a book with everything", RICH],
    ["a book from right to left", HEBREW],
    ["a book with a chapter without a word", { "chapters/1.md": "" }],
  ])(
    "finds nothing in %s (needs EPUBCheck: bash packages/book/test/epubcheck/install.sh FOLDER, then L2MAC_EPUBCHECK=FOLDER/classpath)",
    (_, tree) => {
      const path = join(folder, "book.epub");
      writeFileSync(path, makeForm(tree, "epub"));
      const jars = readFileSync(classpath ?? "", "utf8").trim();
      const check = ["-cp", jars, "com.adobe.epubcheck.tool.Checker", path, "--failonwarnings"];
      const { stdout, stderr, status } = spawnSync("java", check, { encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("No errors or warnings detected");
    },
    300_000,
  );
});
