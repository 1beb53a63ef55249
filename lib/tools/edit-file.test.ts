import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { elided } from "../core/turn/stale.ts";
import type { Sight } from "../core/turn/workbench.ts";
import { editFile } from "./edit-file.ts";
import { applyEdits } from "./edits.ts";

const edit = (given: unknown, bench: MemoryBench) => editFile.call("1", JSON.stringify(given), bench);
const on = (content: string | Uint8Array) => createMemoryBench({ files: { "a.txt": content } });

describe("what edit_file shows", () => {
  const given = { path: "a.txt", edits: [{ find: "three", replace: "3" }] };
  const seenIn = async (bench: MemoryBench) => {
    const sights: Sight[] = [];
    const noteSight = async (sight: Sight) => {
      sights.push(sight);
    };
    await editFile.call("1", JSON.stringify(given), { ...bench, noteSight });
    return sights;
  };
  const seen = [{ kind: "files", paths: ["a.txt"] }];

  test("is noted where the edit is refused with the nearest lines, and where there is no such file", async () => {
    expect(await seenIn(on("thre\n"))).toEqual(seen);
    expect(await seenIn(createMemoryBench({ files: { "b.txt": "" } }))).toEqual(seen);
  });
});

describe("edit_file", () => {
  test("replaces each passage once, in order, and answers with the findings", async () => {
    const bench = createMemoryBench({ files: { "a.json": '{"a": 1}\n' } });
    const edits = [
      { find: "1", replace: "2" },
      { find: '"a": 2', replace: '"b": 3' },
    ];
    const result = await edit({ path: "./a.json", edits }, bench);
    expect(bench.text("a.json")).toBe('{"b": 3}\n');
    expect(result).toMatchObject({ ok: true, note: "a.json · syntax ok", about: { kind: "write", paths: ["a.json"] } });
    expect(result.text).toBe("Edited a.json (2 edits, now 1 line).\nSyntax: ok.");
  });

  test("makes no edit when one of them fails", async () => {
    const bench = on("one two");
    const result = await edit(
      {
        path: "a.txt",
        edits: [
          { find: "one", replace: "1" },
          { find: "three", replace: "3" },
        ],
      },
      bench,
    );
    expect(result.ok).toBe(false);
    expect(result.text).toContain("edits[1]");
    expect(bench.text("a.txt")).toBe("one two");
  });

  test("puts the replacement in literally", async () => {
    const bench = on("a b c");
    await edit({ path: "a.txt", edits: [{ find: "b", replace: "$& $1 $` $' $$" }] }, bench);
    expect(bench.text("a.txt")).toBe("a $& $1 $` $' $$ c");
  });

  test("refuses a passage that matches more than once, with the lines, overlapping ones too", async () => {
    expect((await edit({ path: "a.txt", edits: [{ find: "x", replace: "y" }] }, on("x\nb\nx\n"))).text).toContain(
      "matches 2 times (lines 1, 3)",
    );
    expect((await edit({ path: "a.txt", edits: [{ find: "aa", replace: "b" }] }, on("aaa"))).ok).toBe(false);
  });

  test("replaces every match where it is asked to, from left to right", async () => {
    const bench = on("old\nold()\r\nolder\n");
    const result = await edit({ path: "a.txt", edits: [{ find: "old", replace: "$&new", all: true }] }, bench);
    expect(bench.text("a.txt")).toBe("$&new\n$&new()\r\n$&newer\n");
    expect(result.text).toContain("Edited a.txt (1 edit, 3 places, now 3 lines).");
    expect(applyEdits("aaa", [{ find: "aa", replace: "b", all: true }])).toEqual({ text: "ba", places: 1 });
  });

  test("refuses an ambiguous passage without `all`, and names `all`; null is no `all`", async () => {
    const bench = on("x\nx\n");
    const result = await edit({ path: "a.txt", edits: [{ find: "x", replace: "y", all: null }] }, bench);
    expect(result.text).toContain("matches 2 times (lines 1, 2)");
    expect(result.text).toContain("set `all` to replace every match");
    expect(bench.text("a.txt")).toBe("x\nx\n");
  });

  test("refuses `all` where the file would not fit into memory", async () => {
    const bench = on("a".repeat(100_000));
    const result = await edit({ path: "a.txt", find: "a", replace: "b".repeat(10_000), all: true }, bench);
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("1000000000 characters; at most") });
    expect(bench.text("a.txt")).toHaveLength(100_000);
  });

  test("shows the nearest lines with their numbers when nothing matches", async () => {
    const text = `${"filler\n".repeat(50)}function total(list) {\n  return list.length;\n}\n`;
    const result = await edit(
      { path: "a.txt", edits: [{ find: "function total(items) {\n  return items.length;\n}", replace: "" }] },
      on(text),
    );
    expect(result.text).toContain("Lines 51–53 come nearest");
    expect(result.text).toContain("function total(list) {\n  return list.length;\n}");
  });

  test("says when only white space differs", async () => {
    const text = "if (a) {\n    b();\n}\nif (c) {\n\tb();\n}\n";
    const result = await edit({ path: "a.txt", edits: [{ find: "if (c) {\n    b();\n}", replace: "" }] }, on(text));
    expect(result.text).toContain("Lines 4–6 differ from it only in white space");
    expect(result.text).toContain("if (c) {\n\tb();\n}");
  });

  test("says to read the file when nothing comes near", async () => {
    expect((await edit({ path: "a.txt", edits: [{ find: "zzzzzz", replace: "" }] }, on("abc"))).text).toContain(
      "read_files",
    );
  });

  test("takes a passage with plain newlines for one with the file's own, and keeps those", async () => {
    const bench = on("a\r\nb\r\nc\r\n");
    await edit({ path: "a.txt", edits: [{ find: "a\nb", replace: "1\n2\n3" }] }, bench);
    expect(bench.text("a.txt")).toBe("1\r\n2\r\n3\r\nc\r\n");
    await edit({ path: "a.txt", edits: [{ find: "c", replace: "x\ny" }] }, bench);
    expect(bench.text("a.txt")).toBe("1\r\n2\r\n3\r\nx\r\ny\r\n");
  });

  test("takes a passage with CRLF for one with the file's plain newlines", async () => {
    const bench = on("a\nb\n");
    await edit({ path: "a.txt", edits: [{ find: "a\r\nb", replace: "1\r\n2" }] }, bench);
    expect(bench.text("a.txt")).toBe("1\n2\n");
  });

  test("keeps a byte order mark, and the ends of lines it did not touch in a mixed file", async () => {
    const bench = on("\ufeffa\r\nb\nc\r\n");
    await edit({ path: "a.txt", edits: [{ find: "b", replace: "B" }] }, bench);
    expect(bench.text("a.txt")).toBe("\ufeffa\r\nB\nc\r\n");
  });

  test.each([
    ["a missing file", "b.txt", "There is no file b.txt. There are: a.txt."],
    ["a bad path", "../a.txt", "leaves the run"],
  ])("answers %s in words", async (_, path, words) => {
    expect(await edit({ path, edits: [{ find: "a", replace: "b" }] }, on("a"))).toMatchObject({
      ok: false,
      text: expect.stringContaining(words),
    });
  });

  test("refuses binary files, edits that change nothing, and the mark of contents left out", async () => {
    expect(
      (await edit({ path: "a.txt", edits: [{ find: "a", replace: "b" }] }, on(new Uint8Array([97, 0])))).text,
    ).toContain("binary");
    expect((await edit({ path: "a.txt", edits: [{ find: "a", replace: "a" }] }, on("a"))).text).toContain("the same");
    expect((await edit({ path: "a.txt", edits: [{ find: "a", replace: elided(9) }] }, on("a"))).text).toContain(
      "left out",
    );
  });

  test("accepts one edit without a list", async () => {
    const bench = on("a");
    await edit({ path: "a.txt", find: "a", replace: "b" }, bench);
    expect(bench.text("a.txt")).toBe("b");
  });

  test("passes on why the run refuses the write", async () => {
    const bench = on("a");
    const refusing = { ...bench, files: { ...bench.files, write: async () => "The tree is full." } };
    expect(await edit({ path: "a.txt", edits: [{ find: "a", replace: "b" }] }, refusing)).toMatchObject({
      ok: false,
      text: "a.txt is unchanged. The tree is full.",
    });
  });
});

test("an edit changes exactly the one passage, whatever stands in it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n", " ", "é", "𝒳") });
  fc.assert(
    fc.property(text, text, text, text, (before, find, after, replace) => {
      fc.pre(find !== "" && find !== replace);
      const whole = before + find + after;
      fc.pre(whole.indexOf(find) === before.length && whole.indexOf(find, before.length + 1) === -1);
      expect(applyEdits(whole, [{ find, replace }])).toEqual({ text: before + replace + after, places: 1 });
    }),
  );
});

test("looking for the nearest lines ends soon in a large file", () => {
  const text = "const value = compute(one, two, three);\n".repeat(50_000);
  expect(
    applyEdits(text, [{ find: "const value = compute(one, two, four);\n".repeat(200), replace: "" }]),
  ).toHaveProperty("problem");
});
