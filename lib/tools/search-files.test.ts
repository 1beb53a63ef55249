import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { searchFiles } from "./search-files.ts";

const search = (given: object, bench: MemoryBench) => searchFiles.call("1", JSON.stringify(given), bench);
const TREE = { "src/a.js": "one\r\ntwo\r\n", "src/b.py": "def two():\n  pass\n", "README.md": "Two\n" };

describe("search_files", () => {
  test("finds lines in all files, with path and number", async () => {
    const result = await search({ pattern: "two" }, createMemoryBench({ files: TREE }));
    expect(result).toMatchObject({ ok: true, note: "2 lines", about: { kind: "other" } });
    expect(result.text).toBe("2 lines found in 3 files searched.\n```\nsrc/a.js:2: two\nsrc/b.py:1: def two():\n```");
  });

  test("matches line by line, whatever ends the lines", async () => {
    const bench = createMemoryBench({ files: TREE });
    expect((await search({ pattern: "^two$" }, bench)).text).toContain("src/a.js:2: two");
    expect((await search({ pattern: "one\\s+two" }, bench)).note).toBe("0 lines");
  });

  test("ignores case on request, and searches only what the glob lets through", async () => {
    const bench = createMemoryBench({ files: TREE });
    expect((await search({ pattern: "(?i)two" }, bench)).note).toBe("3 lines");
    expect((await search({ pattern: "(?i)two", glob: "*.{md,py}" }, bench)).text).toContain(
      "2 lines found in 2 files searched",
    );
    expect((await search({ pattern: "(?i)two", glob: "src" }, bench)).text).toContain("in 2 files");
    expect((await search({ pattern: "two", glob: null }, bench)).ok).toBe(true);
  });

  test.each([
    ["(a", undefined, "missing closing"],
    ["(?=a)", undefined, "Lookahead"],
    ["(a)\\1", undefined, "backreferences"],
    ["a{2000}", undefined, "repeat"],
    ["a", "{a,b}".repeat(20), "The glob is not valid"],
  ])("refuses the pattern %j with the glob %j in words", async (pattern, glob, words) => {
    const result = await search({ pattern, glob }, createMemoryBench());
    expect(result.ok).toBe(false);
    expect(result.text).toContain(words);
  });

  test("ends soon with patterns that are made to be slow", async () => {
    const bench = createMemoryBench({ files: { "a.txt": `${"a".repeat(5_000)}!\n`.repeat(20) } });
    expect((await search({ pattern: "^(a+)+$" }, bench)).note).toBe("0 lines");
    expect((await search({ pattern: "(a|aa)*b" }, bench)).note).toBe("0 lines");
  });

  test("with a large pattern passes over files that would take too long, and says so", async () => {
    const bench = createMemoryBench({ files: { "big.txt": "ab".repeat(200_000), "small.txt": "c\n" } });
    const { text } = await search({ pattern: "(.*.*.*){300}c|c" }, bench);
    expect(text).toContain("small.txt:1: c");
    expect(text).toContain("Too large to search: big.txt.");
  });

  test("stops at its limits and says where it stopped", async () => {
    const hits = createMemoryBench({ files: { "a.txt": "x\n".repeat(150), "b.txt": "x\n".repeat(150) } });
    expect((await search({ pattern: "x" }, hits)).text).toContain("The search ended early, after 200 lines.");
    const files = Object.fromEntries(
      Array.from({ length: 1_005 }, (_, index) => [`${String(index).padStart(4, "0")}.txt`, "y"]),
    );
    const { text } = await search({ pattern: "x" }, createMemoryBench({ files }));
    expect(text).toContain("No lines found in 1000 files searched.");
    expect(text).toContain("ended early, before 1000.txt, after 1000 files");
    expect(text).toContain("narrower");
  });

  test("walks all pages of the listing", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, index) => [`d/${String(index).padStart(4, "0")}.txt`, "y"]),
    );
    const bench = createMemoryBench({ files: { ...files, "z/last.js": "here" } });
    expect((await search({ pattern: "here", glob: "*.js" }, bench)).text).toContain("z/last.js:1: here");
  });

  test("stays within the room of one answer", async () => {
    const bench = createMemoryBench({ files: { "a.txt": `${"x".repeat(100)}\n`.repeat(100) }, answerChars: 2_000 });
    const { text } = await search({ pattern: "x" }, bench);
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/\d+ more lines are left out/);
  });

  test("shows of a long line the part that matches", async () => {
    const bench = createMemoryBench({ files: { "a.min.js": `${"x".repeat(3_000)}needle${"y".repeat(3_000)}` } });
    const { text } = await search({ pattern: "needle" }, bench);
    expect(text).toMatch(/a\.min\.js:1: …x+needley+…/);
    expect(text.length).toBeLessThan(500);
  });

  test("leaves binary files out", async () => {
    const bench = createMemoryBench({ files: { "a.bin": new Uint8Array([120, 0, 120]) } });
    expect((await search({ pattern: "x" }, bench)).note).toBe("0 lines");
  });
});
