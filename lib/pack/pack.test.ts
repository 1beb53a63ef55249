import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { afterAll, describe, expect, test } from "vitest";
import type { Change } from "../core/ports.ts";
import { changesBetween, entriesOf, packTree, pickUpEntries, unpackTree } from "./pack.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const change = (path: string, content: string | null): Change => ({
  path,
  content: content === null ? null : bytes(content),
});

/** Unicode names, an empty file, one that deflates well, one that does not, and names that sort around `/`. */
const tree: Change[] = [
  change("src/größe/日本語.ts", "export const größe = 1;\n".repeat(40)),
  change("empty.txt", ""),
  change("src.md", "x"),
  change("src/🙂.md", "smile ".repeat(1000)),
  { path: "noise.bin", content: Uint8Array.from({ length: 600 }, (_, index) => (index * index * 7919) >> 3) },
];
const asMap = (changes: Change[]): Map<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>();
  for (const { path, content } of changes) content ? files.set(path, content) : files.delete(path);
  return files;
};
const plain = (files: Map<string, Uint8Array>): [string, string][] =>
  [...files].map(([path, content]): [string, string] => [path, Buffer.from(content).toString("hex")]).sort();

describe("packing", () => {
  test("gives back every file, byte for byte", () => {
    expect(plain(unpackTree(packTree(undefined, tree)))).toEqual(plain(asMap(tree)));
  });

  test("of nothing gives an empty tree", () => {
    expect(unpackTree(packTree(undefined, [])).size).toBe(0);
    expect(packTree(undefined, [])).toHaveLength(22);
  });

  test("replaces, adds and removes; the last of several changes to a path counts", () => {
    const first = packTree(undefined, [change("a", "1"), change("b", "2"), change("c", "3")]);
    const second = packTree(first, [change("b", null), change("a", "4"), change("a", "5"), change("gone", null)]);
    expect(plain(unpackTree(second))).toEqual(plain(asMap([change("a", "5"), change("c", "3")])));
  });

  test("lists paths and sizes in order of code units", () => {
    expect(entriesOf(packTree(undefined, tree))).toEqual([
      { path: "empty.txt", bytes: 0 },
      { path: "noise.bin", bytes: 600 },
      { path: "src.md", bytes: 1 },
      { path: "src/größe/日本語.ts", bytes: 26 * 40 },
      { path: "src/🙂.md", bytes: 6000 },
    ]);
  });

  test("does not look at the content of what did not change", () => {
    const whole = packTree(undefined, [change("kept", "the kept content"), change("other", "1")]);
    const at = Buffer.from(whole).indexOf("the kept");
    whole[at] = 0;
    const next = packTree(whole, [change("other", "2")]);
    expect(Buffer.from(next).includes("\0he kept content")).toBe(true);
    expect(() => unpackTree(next)).toThrow("kept is not what its header says");
  });

  test("does not hold on to the bytes that it was given", () => {
    const content = bytes("before");
    const pack = packTree(undefined, [{ path: "a", content }]);
    content.fill(0);
    const unpacked = unpackTree(pack);
    pack.fill(0);
    expect(plain(unpacked)).toEqual(plain(asMap([change("a", "before")])));
  });

  test("is the same whether done at once, in any order, or change by change", () => {
    const path = fc.constantFrom("a", "a/b", "a.b", "B", "ä", "\u{1f642}", "\uffee", "z/y/x");
    const content = fc.option(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(bytes("long ".repeat(99)))));
    const changes = fc.array(fc.record({ path, content }), { maxLength: 20 });
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 5 }), (all, stride) => {
        let inParts: Uint8Array | undefined;
        for (let at = 0; at < all.length; at += stride) inParts = packTree(inParts, all.slice(at, at + stride));
        const files = [...asMap(all)].map(([path, content]) => ({ path, content }));
        const atOnce = packTree(undefined, files.reverse());
        expect(Buffer.compare(inParts ?? packTree(undefined, []), atOnce)).toBe(0);
      }),
    );
  });
});

describe("a damaged pack", () => {
  const pack = packTree(undefined, tree);

  test("is rejected if any byte changed, unless it still gives the same tree", () => {
    const expected = plain(asMap(tree));
    for (let at = 0; at < pack.length; at += 1) {
      const damaged = pack.slice();
      damaged[at] = (pack[at] ?? 0) ^ (1 << (at % 8));
      expect(outcomeOf(damaged)).toSatisfy((outcome) => outcome === "damaged" || equal(outcome, expected));
    }
  });

  test("is rejected when its content changed", () => {
    const damaged = packTree(undefined, [change("a", "content")]);
    damaged[Buffer.from(damaged).indexOf("content")] = 0;
    expect(() => unpackTree(damaged)).toThrow("This pack is damaged: a is not what its header says.");
  });

  test("is rejected at whatever byte it was cut", () => {
    for (let length = 0; length < pack.length; length += 13) {
      expect(() => unpackTree(pack.subarray(0, length))).toThrow("This pack is damaged");
    }
  });

  test("is not taken as the base of the next one when its headers are off", () => {
    const damaged = pack.slice();
    damaged[10] = 1;
    expect(() => packTree(damaged, [])).toThrow("This pack is damaged: its headers do not fit its contents.");
  });

  test("cannot claim that a few bytes are gigabytes", () => {
    const bomb = packTree(undefined, [change("a", "a".repeat(100))]);
    const view = new DataView(bomb.buffer);
    view.setUint32(22, 0xffffffff, true);
    view.setUint32(bomb.length - 22 - 1 - 46 + 24, 0xffffffff, true);
    expect(() => unpackTree(bomb)).toThrow("a cannot have its size");
  });
});

const outcomeOf = (pack: Uint8Array): unknown => {
  try {
    return plain(unpackTree(pack));
  } catch (error) {
    return error instanceof Error && error.message.startsWith("This pack is damaged") ? "damaged" : error;
  }
};
const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

describe("other programs read it", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const stored = (name: string, pack: Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, pack);
    return path;
  };
  const whole = stored("whole.zip", packTree(undefined, tree));
  const empty = stored("empty.zip", packTree(undefined, []));
  const has = (command: string, ...argv: string[]): boolean => spawnSync(command, argv).status === 0;

  test("fflate", () => {
    expect(plain(new Map(Object.entries(unzipSync(packTree(undefined, tree)))))).toEqual(plain(asMap(tree)));
    expect(unzipSync(packTree(undefined, []))).toEqual({});
  });

  test.skipIf(!has("unzip", "-v"))("unzip (skipped where there is none)", () => {
    expect(execFileSync("unzip", ["-t", whole], { encoding: "utf8" })).toContain("No errors detected");
    const listing = execFileSync("unzip", ["-Z", whole], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(listing).toContain("src/größe/日本語.ts");
    expect(listing).toMatch(/-rw-r--r--.*80-Jan-01 00:00 empty\.txt/);
    // 1 is a warning: there is nothing in it.
    expect(spawnSync("unzip", ["-t", empty]).status).toBe(1);
  });

  test.skipIf(!has("python3", "-c", "import zipfile"))("Python (skipped where there is none)", () => {
    const script = `
import json, sys, zipfile
answers = []
for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as z:
        answers.append([z.testzip(), {i.filename: [z.read(i).hex(), i.date_time, oct(i.external_attr >> 16)] for i in z.infolist()}])
print(json.dumps(answers))`;
    const [ofWhole, ofEmpty] = JSON.parse(execFileSync("python3", ["-c", script, whole, empty], { encoding: "utf8" }));
    const expected = [...asMap(tree)].map(([path, content]) => [
      path,
      [Buffer.from(content).toString("hex"), [1980, 1, 1, 0, 0, 0], "0o100644"],
    ]);
    expect(ofWhole).toEqual([null, Object.fromEntries(expected)]);
    expect(ofEmpty).toEqual([null, {}]);
  });
});

describe("what leads from one pack to the next", () => {
  const paths = fc.constantFrom("a", "b/c", "b/d", "e.txt");
  const files = fc.dictionary(paths, fc.string({ maxLength: 30 }));

  test("applied to the first gives the second, whatever they hold, and names nothing that is in both", () => {
    fc.assert(
      fc.property(files, files, (one, other) => {
        const packOf = (tree: Record<string, string>) =>
          packTree(
            undefined,
            Object.entries(tree).map(([path, content]) => change(path, content)),
          );
        const between = changesBetween(pickUpEntries(packOf(one)), pickUpEntries(packOf(other)));
        expect(packTree(packOf(one), between)).toEqual(packOf(other));
        expect(between.filter(({ path }) => one[path] === other[path])).toEqual([]);
      }),
    );
  });
});
