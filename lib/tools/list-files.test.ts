import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { listFiles } from "./list-files.ts";

const list = (given: object, bench: MemoryBench) => listFiles.call("1", JSON.stringify(given), bench);
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`src/file-${String(index).padStart(4, "0")}.js`, "x\n"]),
  );

describe("list_files", () => {
  test("names path, bytes, lines and last instruction, in order of path", async () => {
    const bench = createMemoryBench({ files: { "src/b.js": "12\n34", "a.md": "x\n" } });
    const result = await list({}, bench);
    expect(result).toMatchObject({ ok: true, note: "2 files", about: { kind: "other" } });
    expect(result.text).toBe("a.md (2 bytes, 1 line, instruction 1)\nsrc/b.js (5 bytes, 2 lines, instruction 1)");
  });

  test("tells files that were there from the start", async () => {
    const bench = createMemoryBench();
    const old = {
      ...bench,
      files: { ...bench.files, list: async () => [{ path: "a", bytes: 1, lines: 1, instruction: 0 }] },
    };
    expect((await list({}, old)).text).toBe("a (1 byte, 1 line, there from the start)");
  });

  test.each([["src"], ["src/"], ["./src/"], ["/src"]])(
    "with the prefix %j names only what begins with it",
    async (prefix) => {
      const bench = createMemoryBench({ files: { "src/b.js": "", "a.md": "" } });
      expect((await list({ prefix }, bench)).text).toBe("src/b.js (0 bytes, 0 lines, instruction 1)");
    },
  );

  test.each([[""], ["."], ["./"], ["/"], [null]])("with the prefix %j names all", async (prefix) => {
    expect((await list({ prefix }, createMemoryBench({ files: { a: "", b: "" } }))).note).toBe("2 files");
  });

  test("gives pages that fit one answer and together name every file once", async () => {
    const files = many(700);
    const bench = createMemoryBench({ files, answerChars: 4_000 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { text } = await list({ cursor }, bench);
      expect(text.length).toBeLessThanOrEqual(4_000);
      seen.push(...Array.from(text.matchAll(/^(\S+) \(/gm), (line) => line[1] ?? ""));
      cursor = /the cursor of the next page is (.*)$/.exec(text)?.[1];
    } while (cursor !== undefined);
    expect(seen).toEqual(Object.keys(files));
  });

  test("goes on even where the room is too small for one line", async () => {
    const bench = createMemoryBench({ files: many(2), answerChars: 10 });
    expect((await list({}, bench)).text).toContain("the cursor of the next page is src/file-0000.js");
  });

  test("says that there is nothing", async () => {
    expect((await list({}, createMemoryBench())).text).toBe("There are no files.");
    expect((await list({ prefix: "lib/" }, createMemoryBench())).text).toBe("There are no files that begin with lib/.");
    expect((await list({ cursor: "z" }, createMemoryBench({ files: { a: "" } }))).text).toBe(
      "There are no more files.",
    );
  });

  test("refuses a prefix or a cursor that is no path", async () => {
    expect((await list({ prefix: "../" }, createMemoryBench())).ok).toBe(false);
    expect((await list({ cursor: "a\0" }, createMemoryBench())).text).toContain("no cursor");
  });
});
