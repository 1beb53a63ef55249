import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { checkPath, foldPath, parentsOf } from "./file-path.ts";
import { byteLength } from "./file-text.ts";

const accepted = (raw: string): string | undefined => {
  const checked = checkPath(raw);
  return "path" in checked ? checked.path : undefined;
};
const problemOf = (raw: string): string => {
  const checked = checkPath(raw);
  return "problem" in checked ? checked.problem : "";
};

const HOSTILE = [
  // nothing, and folders
  ...["", ".", "./", "/", "//", "src/", "src/.", "./src//", "a/./"],
  // out of the run
  ...["..", "../a", "a/..", "a/../b", "a/../../b", "./../a", "..//a", "../../etc/passwd", "a/b/../../../c"],
  // absolute, drives, homes, other machines, other schemes
  ...["/etc/passwd", "//host/share", "C:", "C:a", "c:/a", "C:\\a", "\\a", "\\\\host\\share", "\\\\?\\C:\\a"],
  ...["~", "~/a", "~root/a", "./~", "././~/a", "file:///etc/passwd", "http://host/a"],
  // backslashes
  ...["a\\b", "..\\a", "a\\..\\..\\b", "src\\"],
  // characters that no Windows file can have, and streams
  ...["a<b", "a>b", 'a"b', "a|b", "a?b", "a*b", "a:b", "a.txt::$DATA", "a.txt:stream"],
  // control characters
  ...["a\0", "\0", "a\0.txt", "a\nb", "a\rb", "a\tb", "a\x1b[31m", "a\x7f", "a\x85b", "a\u2028b", "a\u2029b"],
  // what cannot be seen, or turns around what can
  ...["a\u200b.js", "a\u200d.js", "\ufeffa", "a\u00ad", "a\u2060", "a\u202egpj.exe", "a\u2066b", "a\u200e", "a\u061c"],
  ...["a\u{e0041}", "a\ufe0f", "\u3164", "a\uffff", "a\ufdd0"],
  // half characters
  ...["\ud800", "a\udc00b", "\udc00\ud800"],
  // devices
  ...[
    "CON",
    "con",
    "NUL.txt",
    "nul.tar.gz",
    "a/AUX",
    "PRN/a",
    "COM1",
    "com9.log",
    "LPT1",
    "COM¹",
    "LPT³.x",
    "CON .txt",
  ],
  ...["CONIN$", "conout$", "aux."],
  // names that Windows changes
  ...["a.", "a ", "a./b", "a /b", "...", "a/...", " a", "a/ b", ". /a", ".. /a", "a/.. "],
  // the history of a checkout
  ...[".git", ".git/config", "a/.git/hooks/pre-commit", ".GIT/config", ".Git", "git~1/config"],
  // too long
  ...[
    "a".repeat(201),
    "é".repeat(101),
    `${"a/".repeat(300)}a`,
    "a".repeat(100_000),
    `${"և".repeat(84)}/`.repeat(2) + "և".repeat(84),
  ],
];

const harmless = [
  ...[
    "a",
    "a/b",
    "README.md",
    ".gitignore",
    ".github/workflows/ci.yml",
    ".gitattributes",
    ".env.example",
    "a b/c d.txt",
  ],
  ...["src/~a.js", "a~", "console.js", "nullable.ts", "auxiliary/com.js", "com10.txt", "lpt.md", "a..b", "..a", "...a"],
  ...[
    "глава/один.md",
    "第1章.md",
    "ß.txt",
    "naïve.txt",
    "@scope/[id]/(group)/$x.tsx",
    "a%2f..%2fb",
    "-rf",
    "__init__.py",
  ],
];

describe("checkPath", () => {
  test("the list of hostile names is long", () => expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(100));

  test.each(HOSTILE)("refuses %j", (raw) => expect(problemOf(raw)).not.toBe(""));

  test.each(harmless)("accepts %j as it is", (raw) => expect(accepted(raw)).toBe(raw));

  test.each([
    ["./a", "a"],
    ["././a//b", "a/b"],
    ["a/./b", "a/b"],
    ["a///b", "a/b"],
    ["cafe\u0301.md", "caf\u00e9.md"],
  ])("takes %j for %j", (raw, expected) => expect(accepted(raw)).toBe(expected));

  test("says what to write instead of a backslash", () => expect(problemOf("src\\a.js")).toContain("write /"));

  test("shows what is invisible in its answer, and not all of a long name", () => {
    expect(problemOf("a\u202eb")).toContain("\\u{202e}");
    expect(problemOf("a".repeat(5000)).length).toBeLessThan(300);
  });

  test("takes 512 bytes in segments of 200, and no more", () => {
    const longest = `${"a".repeat(200)}/${"b".repeat(200)}/${"c".repeat(110)}`;
    expect(accepted(longest)).toBe(longest);
    expect(problemOf(`${longest}c`)).toContain("512 bytes");
  });
});

const pieces = fc.constantFrom(
  ..."..|.|/|//|\\|~|C:|a|B|CON|nul|.git|.txt| |\0|\n|*|\u202e|\u0301|e|ß|ẞ|ς|Σ|ſ|İ|ı|ﬁ|և|\ud800|\udc00|-|$|%|com1".split(
    "|",
  ),
);
const anyPath = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 40 }),
);

describe("an accepted path, whatever came in,", () => {
  const holds = (law: (path: string) => void) => () =>
    fc.assert(
      fc.property(anyPath, (raw) => {
        const known = accepted(raw);
        if (known !== undefined) law(known);
      }),
      { numRuns: thorough(500, 3_000) },
    );

  test(
    "stays inside the folder it is joined to, on every system",
    holds((known) => {
      for (const [system, root] of [
        [path.posix, "/srv/run"],
        [path.win32, "C:\\srv\\run"],
      ] as const) {
        const inside = system.resolve(root, known);
        expect(inside.startsWith(root + system.sep)).toBe(true);
        expect(system.relative(root, inside).split(system.sep).join("/")).toBe(known);
      }
    }),
  );

  test(
    "is accepted again unchanged",
    holds((known) => expect(accepted(known)).toBe(known)),
  );

  test(
    "is NFC, within its bytes, and so is its folded form",
    holds((known) => {
      expect(known.normalize("NFC")).toBe(known);
      expect(byteLength(known)).toBeLessThanOrEqual(512);
      expect(byteLength(foldPath(known))).toBeLessThanOrEqual(512);
    }),
  );

  test(
    "folds to a form that folds to itself, in every case and composition",
    holds((known) => {
      const folded = foldPath(known);
      expect(foldPath(folded)).toBe(folded);
      expect(foldPath(known.toUpperCase())).toBe(folded);
      expect(foldPath(known.toLowerCase())).toBe(folded);
      expect(foldPath(known.normalize("NFD"))).toBe(folded);
    }),
  );
});

test("every character folds to a form that folds to itself", () => {
  const restless: string[] = [];
  for (let point = 0x20; point <= 0x1ffff; point++) {
    const character = String.fromCodePoint(point);
    if (!character.isWellFormed()) continue;
    const folded = foldPath(character);
    if (foldPath(folded) !== folded) restless.push(point.toString(16));
    if (foldPath(character.toUpperCase()) !== folded) restless.push(`${point.toString(16)} upper`);
    if (foldPath(character.toLowerCase()) !== folded) restless.push(`${point.toString(16)} lower`);
  }
  expect(restless).toEqual([]);
});

test.each([
  ["README.md", "readme.MD"],
  ["straße", "STRASSE"],
  ["straße", "STRAẞE"],
  ["ΟΔΟΣ", "οδος"],
  ["ΟΔΟΣ", "οδοσ"],
  ["caf\u00e9", "CAFE\u0301"],
  ["ﬁle", "FILE"],
  ["\u212a", "k"],
  ["ſ", "S"],
])("%j and %j are one path", (one, other) => expect(foldPath(one)).toBe(foldPath(other)));

test("folding keeps the beginning of a path its beginning, so that folders and prefixes can be looked up folded", () => {
  expect(foldPath("οδοσα").startsWith(foldPath("οδοσ"))).toBe(true);
  fc.assert(
    fc.property(anyPath, (raw) => {
      const known = accepted(raw);
      for (const parent of known === undefined ? [] : parentsOf(known)) {
        expect(foldPath(known ?? "").startsWith(`${foldPath(parent)}/`)).toBe(true);
      }
    }),
    { numRuns: thorough(500, 3_000) },
  );
});

test("different paths stay different", () => {
  const folded = ["a/b", "a-b", "ab", "a/bb", "café", "cafe", "i", "j"].map(foldPath);
  expect(new Set(folded).size).toBe(folded.length);
});

test("parentsOf names the folders of a path, outermost first", () => {
  expect(parentsOf("a")).toEqual([]);
  expect(parentsOf("a/b/c.js")).toEqual(["a", "a/b"]);
});
