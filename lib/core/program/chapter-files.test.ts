import { expect, it } from "vitest";
import { chapterPaths } from "./chapter-files.ts";

it("takes the Markdown under chapters/, folders of it too, where there is any", () => {
  const paths = ["chapters/10.md", "chapters/2.MD", "chapters/part/1.markdown", "chapters/a.txt", "preface.md"];
  expect(chapterPaths(paths)).toEqual(["chapters/2.MD", "chapters/10.md", "chapters/part/1.markdown"]);
});

it("else takes all Markdown but outline, notes and README", () => {
  const paths = ["outline.md", "README.md", "docs/readme.md", "notes/a/b.md", "b.md", "a/outline.md", "a.py"];
  expect(chapterPaths(paths)).toEqual(["a/outline.md", "b.md"]);
  expect(chapterPaths([...paths, "chapters/map.png"])).toEqual(["a/outline.md", "b.md"]);
});

it("takes nothing where there is nothing to read", () => {
  expect(chapterPaths(["outline.md", "main.py"])).toEqual([]);
});
