import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { moveFiles } from "./move-files.ts";

const move = (given: unknown, bench: MemoryBench) => moveFiles.call("1", JSON.stringify(given), bench);
const TREE = { "a.js": "1", "src/b.js": "2", "data.json": "{" };
const moved = (...moves: [string, string][]) => ({ moves: moves.map(([from, to]) => ({ from, to })) });

describe("move_files", () => {
  test("moves several files, and answers with the findings at their new places", async () => {
    const bench = createMemoryBench({ files: TREE });
    const result = await move(moved(["./a.js", "lib/a.js"], ["data.json", "lib/data.json"]), bench);
    expect(bench.paths()).toEqual(["lib/a.js", "lib/data.json", "src/b.js"]);
    expect(bench.text("lib/a.js")).toBe("1");
    expect(result.text).toMatch(
      /^Moved a\.js to lib\/a\.js, data\.json to lib\/data\.json\.\n[\s\S]*lib\/data\.json:1/,
    );
    expect(result).toMatchObject({
      ok: true,
      note: "2 files · 1 syntax error",
      facts: { files: 2 },
      about: { kind: "write", paths: ["a.js", "data.json", "lib/a.js", "lib/data.json"], gone: ["a.js", "data.json"] },
    });
  });

  test("lets files change places: neither is gone", async () => {
    const bench = createMemoryBench({ files: TREE });
    const { about } = await move(moved(["a.js", "src/b.js"], ["src/b.js", "a.js"]), bench);
    expect([bench.text("a.js"), bench.text("src/b.js")]).toEqual(["2", "1"]);
    expect(about).toEqual({ kind: "write", paths: ["a.js", "src/b.js"], gone: [] });
  });

  test.each([
    ["a file that is not there", moved(["a.js", "x.js"], ["b.js", "y.js"]), "There is no file b.js."],
    ["a folder", moved(["src", "lib"]), "src is a folder"],
    ["onto another file", moved(["a.js", "x.js"], ["data.json", "src/b.js"]), "src/b.js exists"],
    ["two files to one name", moved(["a.js", "x.js"], ["src/b.js", "X.js"]), "Two files would be moved to X.js."],
    ["one file to two names", moved(["a.js", "x.js"], ["a.js", "y.js"]), "a.js is moved twice"],
    ["a file to itself", moved(["a.js", "./a.js"]), "a.js would stay where it is."],
    ["out of the run", moved(["a.js", "../a.js"]), "leaves the run"],
  ])("moves nothing when asked to move %s", async (_, given, words) => {
    const bench = createMemoryBench({ files: TREE });
    const result = await move(given, bench);
    expect(result.ok).toBe(false);
    expect(result.text).toMatch(/^Nothing was moved\./);
    expect(result.text).toContain(words);
    expect(bench.paths()).toEqual(["a.js", "data.json", "src/b.js"]);
  });

  test("accepts one move without a list, and refuses more than a turn can change", async () => {
    const bench = createMemoryBench({ files: TREE });
    expect(await move({ from: "a.js", to: "b.js" }, bench)).toMatchObject({
      ok: true,
      facts: { subject: "a.js → b.js" },
    });
    const many = Array.from({ length: 41 }, (_, at): [string, string] => [`${at}.js`, `x${at}.js`]);
    expect((await move(moved(...many), bench)).text).toContain("move_files was not run");
  });
});
