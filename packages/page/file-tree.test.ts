import { describe, expect, it } from "vitest";
import { foldersOf, treeRows } from "./file-tree.ts";

const files = ["README.md", "src/a.js", "src/deep/b.js", "src/deep/c.js", "test/a.test.js"].map((path) => ({ path }));
const shown = (isOpen: (folder: string) => boolean): string[] =>
  treeRows(files, isOpen).map(
    ({ name, depth, file, count }) => `${" ".repeat(depth)}${name}${file ? "" : `/ ${count}`}`,
  );

describe("the tree of files", () => {
  it("shows what lies in open folders, and of closed ones how much lies in them", () => {
    expect(shown(() => true)).toEqual([
      ...["README.md", "src/ 3", " a.js", " deep/ 2", "  b.js", "  c.js", "test/ 1", " a.test.js"],
    ]);
    expect(shown((folder) => folder === "src")).toEqual(["README.md", "src/ 3", " a.js", " deep/ 2", "test/ 1"]);
    expect(shown(() => false)).toEqual(["README.md", "src/ 3", "test/ 1"]);
  });

  it("knows the folders of a path", () => {
    expect(foldersOf("a/b/c.js")).toEqual(["a", "a/b"]);
    expect(foldersOf("c.js")).toEqual([]);
  });
});
