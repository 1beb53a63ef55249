import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { deleteFiles } from "./delete-files.ts";

const remove = (given: unknown, bench: MemoryBench) => deleteFiles.call("1", JSON.stringify(given), bench);
const TREE = { "a.js": "1", "src/b.js": "2", "src/c.js": "3" };

describe("delete_files", () => {
  test("deletes what is there and says what is not, with what is like it", async () => {
    const bench = createMemoryBench({ files: TREE });
    const result = await remove({ paths: ["a.js", "./src/b.js", "src/cc.js", "a.js"] }, bench);
    expect(result).toMatchObject({ ok: false, note: "2 files", about: { kind: "write", paths: ["a.js", "src/b.js"] } });
    expect(result.text).toContain("Deleted a.js, src/b.js.\nThere is no file src/cc.js. There are: src/c.js");
    expect(bench.paths()).toEqual(["src/c.js"]);
  });

  test("deletes nothing when a path is bad", async () => {
    const bench = createMemoryBench({ files: TREE });
    expect((await remove({ paths: ["a.js", "../b"] }, bench)).text).toContain("Nothing was deleted.");
    expect(bench.paths()).toHaveLength(3);
  });

  test("answers within its room, however many paths it names", async () => {
    const paths = Array.from({ length: 80 }, (_, number) => `a-folder-with-a-long-name/file-${number}.js`);
    const files = Object.fromEntries(paths.slice(0, 40).map((path) => [path, ""]));
    const { text, ok, about } = await remove({ paths }, createMemoryBench({ files, answerChars: 900 }));
    expect(ok).toBe(false);
    expect(text.length).toBeLessThanOrEqual(900);
    expect(text).toMatch(/^Deleted a-folder-with-a-long-name\/file-0\.js, /);
    expect(text).toMatch(/characters left out[\s\S]*There is no file a-folder-with-a-long-name\/file-79\.js\.[^\n]*$/);
    expect(about).toMatchObject({ paths: paths.slice(0, 40) });
  });

  test("says what may not be deleted, and why", async () => {
    const bench = createMemoryBench({ files: TREE });
    const { files } = bench;
    const limited = {
      ...bench,
      files: {
        ...files,
        remove: async (path: string) => (path === "a.js" ? { problem: "Too many." } : files.remove(path)),
      },
    };
    const result = await deleteFiles.call("1", JSON.stringify({ paths: ["a.js", "src/b.js"] }), limited);
    expect(result).toMatchObject({ ok: false, text: "Deleted src/b.js.\nNot deleted: a.js. Too many." });
    expect(bench.paths()).toEqual(["a.js", "src/c.js"]);
  });

  test("says of a folder how to name its files", async () => {
    const result = await remove({ paths: ["src"] }, createMemoryBench({ files: TREE }));
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("src is a folder") });
  });

  test.each([[{ path: "a.js" }], [{ paths: "a.js" }], [{ files: ["a.js"] }], ["a.js"], [["a.js"]]])(
    "accepts %j",
    async (given) => {
      const bench = createMemoryBench({ files: TREE });
      expect(await remove(given, bench)).toMatchObject({ ok: true, text: "Deleted a.js.", note: "a.js" });
    },
  );
});
