import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { readFiles } from "./read-files.ts";
import { sharesOf } from "./shares.ts";

const read = (given: unknown, bench: MemoryBench) => readFiles.call("1", JSON.stringify(given), bench);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_files", () => {
  test("shows files as they are, so that passages can be copied", async () => {
    const bench = createMemoryBench({ files: { "a.js": "\tone\n  two\n", "b.js": "last" } });
    const result = await read({ files: [{ path: "a.js" }, { path: "b.js" }] }, bench);
    expect(result).toMatchObject({ ok: true, note: "2 files", about: { kind: "view", paths: ["a.js", "b.js"] } });
    expect(result.text).toBe(
      "a.js (2 lines):\n```\n\tone\n  two\n```\n\nb.js (1 line; no newline at the end):\n```\nlast\n```",
    );
  });

  test("shows the lines asked for", async () => {
    const bench = createMemoryBench({ files: { "a.js": numbered(9) } });
    const { text } = await read({ files: [{ path: "a.js", from_line: 3, to_line: 4 }] }, bench);
    expect(text).toBe("a.js (lines 3–4 of 9):\n```\nline 3\nline 4\n```");
    expect((await read({ files: [{ path: "a.js", from_line: 8, to_line: 400 }] }, bench)).text).toContain(
      "lines 8–9 of 9",
    );
  });

  test("says when the range is empty", async () => {
    const bench = createMemoryBench({ files: { "a.js": numbered(9), "empty.txt": "" } });
    expect((await read({ files: [{ path: "a.js", from_line: 10 }] }, bench)).text).toBe("a.js has only 9 lines.");
    expect((await read({ files: [{ path: "a.js", from_line: 4, to_line: 3 }] }, bench)).text).toContain("to_line");
    expect((await read({ files: ["empty.txt"] }, bench)).text).toBe("empty.txt: empty.");
  });

  test("leaves out what does not fit, and says from which line to read on until all was read", async () => {
    const bench = createMemoryBench({ files: { "a.js": numbered(500) }, answerChars: 1_000 });
    let [from, seen]: [number | undefined, string] = [1, ""];
    while (from !== undefined) {
      const { text }: { text: string } = await read({ files: [{ path: "a.js", from_line: from }] }, bench);
      expect(text.length).toBeLessThanOrEqual(1_000);
      seen += /```\n([\s\S]*)```/.exec(text)?.[1] ?? "";
      const next = /read on with from_line (\d+)/.exec(text)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(seen).toBe(numbered(500));
  });

  test("cuts a single line that is longer than the room, and says so", async () => {
    const bench = createMemoryBench({ files: { "a.min.js": `${"x".repeat(9_000)}\nnext\n` }, answerChars: 1_000 });
    const { text } = await read({ files: ["a.min.js"] }, bench);
    expect(text).toMatch(/more characters in this line/);
    expect(text).toContain("read on with from_line 2");
    expect(text.length).toBeLessThan(1_100);
  });

  test("gives a small file its whole room beside large ones", async () => {
    const bench = createMemoryBench({
      files: { "big.txt": numbered(900), "small.txt": "tiny\n", "huge.txt": numbered(5_000) },
      answerChars: 3_000,
    });
    const { text } = await read({ files: ["big.txt", "small.txt", "huge.txt"] }, bench);
    expect(text).toContain("small.txt (1 line):\n```\ntiny\n```");
    expect(text.match(/read on with from_line/g)).toHaveLength(2);
    expect(text.length).toBeLessThanOrEqual(3_000);
  });

  test("describes what cannot be shown as plain text", async () => {
    const bench = createMemoryBench({
      files: { "a.png": new Uint8Array([137, 80, 0]), "win.txt": "\ufeffa\r\nb\r\n" },
    });
    expect((await read({ files: ["a.png"] }, bench)).text).toBe("a.png: binary, 3 bytes.");
    expect((await read({ files: ["win.txt"] }, bench)).text).toBe(
      "win.txt (2 lines; lines end in CRLF; begins with a byte order mark):\n```\n\ufeffa\nb\n```",
    );
  });

  test("names similar paths for a missing one, and the others are shown all the same", async () => {
    const bench = createMemoryBench({ files: { "src/app.js": "1\n", "src/b.js": "2\n" } });
    const both = await read({ files: ["src/ap.js", "src/b.js"] }, bench);
    expect(both.ok).toBe(true);
    expect(both.text).toContain("There is no file src/ap.js. There are: src/app.js");
    expect(both.about).toEqual({ kind: "view", paths: ["src/b.js"] });
    expect((await read({ files: ["nope"] }, bench)).ok).toBe(false);
    expect((await read({ files: ["src"] }, bench)).text).toContain("src is a folder");
  });

  test("refuses a bad path", async () => {
    expect(await read({ files: ["/etc/passwd"] }, createMemoryBench())).toMatchObject({
      ok: false,
      text: expect.stringContaining("not relative"),
    });
  });

  test("keeps a file between fences that its text cannot close", async () => {
    const bench = createMemoryBench({ files: { "a.md": "```\nevil\n```\nb.js (1 line):\n" } });
    expect((await read({ files: ["a.md"] }, bench)).text).toMatch(/^a\.md \(4 lines\):\n````\n[\s\S]*\n````$/);
  });

  test.each([
    ["a path for the list", { files: "a.js" }],
    ["paths", { files: ["a.js"] }],
    ["paths under their own name", { paths: ["a.js"] }],
    ["one file alone", { path: "a.js", from_line: "1" }],
    ["one object for the list", { files: { path: "a.js" } }],
    ["a path alone", "a.js"],
    ["paths alone", ["a.js"]],
    ["null for absent", { files: [{ path: "a.js", from_line: null, to_line: null }] }],
  ])("accepts %s", async (_, given) => {
    expect((await read(given, createMemoryBench({ files: { "a.js": "1\n" } }))).text).toBe(
      "a.js (1 line):\n```\n1\n```",
    );
  });
});

test("shares never exceed the budget or a need, and leave nothing over while a need is open", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 20 }), fc.nat(5_000), (needs, budget) => {
      const shares = sharesOf(needs, budget);
      const total = shares.reduce((sum, share) => sum + share, 0);
      expect(total).toBeLessThanOrEqual(budget);
      expect(shares.every((share, index) => share <= (needs[index] ?? 0))).toBe(true);
      const open = shares.some((share, index) => share < (needs[index] ?? 0));
      if (open) expect(budget - total).toBeLessThan(needs.length);
    }),
  );
});
