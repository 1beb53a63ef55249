import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { elided } from "../core/turn/stale.ts";
import { writeFiles } from "./write-files.ts";

const write = (given: unknown, bench: MemoryBench) => writeFiles.call("1", JSON.stringify(given), bench);
const file = (path: string, content = "x") => ({ path, content });

describe("write_files", () => {
  test("writes whole files and answers with their syntax findings", async () => {
    const bench = createMemoryBench({ files: { "a.json": "{}" } });
    const result = await write({ files: [file("a.json", "{"), file("./src//b.txt", "1\n2\n")] }, bench);
    expect(result).toMatchObject({
      ok: true,
      note: "2 files · 1 syntax error",
      about: { kind: "write", paths: ["a.json", "src/b.txt"] },
    });
    expect(result.text).toContain("Wrote a.json (1 line), src/b.txt (2 lines).\nSyntax: 1 error.");
    expect(result.text).toContain("a.json:1:1 is not JSON");
    expect(bench.text("a.json")).toBe("{");
    expect(bench.text("src/b.txt")).toBe("1\n2\n");
  });

  test("says that the syntax is fine, or why it was not checked", async () => {
    const bench = createMemoryBench();
    expect((await write({ files: [file("a.json", "{}")] }, bench)).text).toContain("Syntax: ok.");
    const unchecked = await write({ files: [file("b.txt")] }, bench);
    expect(unchecked.text).toContain("Syntax: not checked (there is no code to check).");
    expect(unchecked.note).toBe("b.txt · syntax not run (nothing to check)");
  });

  test("writes nothing when one path of the call is bad, and names every bad one", async () => {
    const bench = createMemoryBench();
    const result = await write({ files: [file("good.txt"), file("../bad"), file("a\\b"), file("NUL")] }, bench);
    expect(result.ok).toBe(false);
    for (const part of ["Nothing was written", '"../bad"', '"a\\\\b"', '"NUL"']) expect(result.text).toContain(part);
    expect(bench.paths()).toEqual([]);
  });

  test("writes nothing when a file is there twice, in whatever case", async () => {
    const bench = createMemoryBench();
    const result = await write({ files: [file("Read.me"), file("read.ME")] }, bench);
    expect(result.text).toContain("read.ME is there twice");
    expect(bench.paths()).toEqual([]);
  });

  test("refuses the mark for contents left out", async () => {
    const bench = createMemoryBench({ files: { "a.txt": "long" } });
    const result = await write({ files: [file("a.txt", elided(4))] }, bench);
    expect(result.ok).toBe(false);
    expect(result.text).toContain("read_files");
    expect(bench.text("a.txt")).toBe("long");
  });

  test("refuses half a character", async () => {
    const bench = createMemoryBench();
    expect((await write({ files: [file("a.txt", "\ud83d")] }, bench)).text).toContain("half a character");
    expect(bench.paths()).toEqual([]);
  });

  test("says which files the run refused and which were written", async () => {
    const bench = createMemoryBench({ files: { "src/a.js": "", readme: "" } });
    const result = await write({ files: [file("src"), file("README"), file("b.txt")] }, bench);
    expect(result.ok).toBe(false);
    expect(result.text).toContain("Wrote b.txt");
    expect(result.text).toContain("Not written: src is a folder.");
    expect(result.text).toContain("Not written: README differs from readme");
    expect(result.about).toEqual({ kind: "write", paths: ["b.txt"] });
  });

  test("passes on that a turn changes too many paths", async () => {
    const bench = createMemoryBench();
    await write({ files: Array.from({ length: 80 }, (_, index) => file(`${index}`)) }, bench);
    const beyond = await write({ files: [file("one-more")] }, bench);
    expect(beyond).toMatchObject({ ok: false, text: expect.stringContaining("at most 80 paths") });
    expect((await write({ files: [file("0", "again")] }, bench)).ok).toBe(true);
  });

  test("keeps content byte for byte: $&, CRLF, byte order mark, no newline at the end", async () => {
    const bench = createMemoryBench();
    const content = "\ufeff$& $1\r\nlast";
    await write({ files: [file("a.txt", content)] }, bench);
    expect(bench.text("a.txt")).toBe(content);
  });

  test.each([
    ["one file alone", { path: "a.json", content: "{}" }],
    ["one file for the list", { files: { path: "a.json", content: "{}" } }],
    ["contents by path", { files: { "a.json": "{}" } }],
    ["the list in a string", { files: '[{"path":"a.json","content":"{}"}]' }],
    ["the list alone", [{ path: "a.json", content: "{}" }]],
  ])("accepts %s", async (_, given) => {
    const bench = createMemoryBench();
    expect(await write(given, bench)).toMatchObject({ ok: true });
    expect(bench.text("a.json")).toBe("{}");
  });

  test("accepts the object itself as the content of a .json file, and of no other", async () => {
    const bench = createMemoryBench();
    await write({ files: [{ path: "package.json", content: { name: "x" } }] }, bench);
    expect(bench.text("package.json")).toBe('{\n  "name": "x"\n}\n');
    const other = await write({ files: [{ path: "a.js", content: { name: "x" } }] }, bench);
    expect(other.text).toContain("files[0].content must be a string, not an object");
  });

  test("asks for content where there is none", async () => {
    expect((await write({ files: ["a.txt"] }, createMemoryBench())).text).toContain(
      'Accepted: {"files": [{"path": string, "content": string}]}',
    );
  });
});

test("an object with other keys than path and content is not taken for contents by path", async () => {
  const bench = createMemoryBench();
  const { text } = await write({ files: [{ file: "a.js", text: "1" }] }, bench);
  expect(text).toContain("files[0].path is missing");
  expect(bench.paths()).toEqual([]);
});
