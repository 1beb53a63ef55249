import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob } from "./glob.ts";

function matches(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  if ("problem" in glob) throw new Error(glob.problem);
  return glob.matches(path);
}

describe("a glob", () => {
  test.each([
    ["*.py", "a.py"],
    ["*.py", "src/deep/a.py"],
    ["src/*.py", "src/a.py"],
    ["src/**/*.py", "src/a.py"],
    ["src/**/*.py", "src/a/b/c.py"],
    ["**", "a/b"],
    ["**/test/**", "a/test/b/c"],
    ["**/a", "a"],
    ["", "a/b"],
    ["a?c", "a𝒳c"],
    ["[a-c]x", "bx"],
    ["[!a]x", "bx"],
    ["[]]x", "]x"],
    ["*.{js,ts}", "src/a.ts"],
    ["{src,test}/**/*.{js,ts}", "test/a/b.js"],
    ["a{b{c,d},e}", "abd"],
    ["a{b}", "a{b}"],
    ["{a", "{a"],
    ["{x}{a,b}", "{x}b"],
    ["./src/*", "src/a"],
    ["/src/*", "src/a"],
    ["src/", "src/a/b"],
    ["src", "src/a/b"],
    ["src", "lib/src"],
    ["src/a.js", "src/a.js"],
    ["[x", "[x"],
    ["a*b*c", "aXbYbZc"],
    ["pages/[[]id].tsx", "pages/[id].tsx"],
  ])("%j finds %j", (pattern, path) => expect(matches(pattern, path)).toBe(true));

  test.each([
    ["*.py", "a.pyc"],
    ["src/*.py", "src/a/b.py"],
    ["src/*.py", "lib/src/a.py"],
    ["src/**/*.py", "srcs/a.py"],
    ["?", "ab"],
    ["[!a]x", "ax"],
    ["*.{js,ts}", "a.py"],
    ["a*b", "a/b"],
    ["src", "srcs/a"],
    ["**/a", "ba"],
    ["A", "a"],
    ["a.b", "axb"],
  ])("%j leaves %j out", (pattern, path) => expect(matches(pattern, path)).toBe(false));

  test.each([
    ["src/**/*.py", "src/"],
    ["src/app/a*.py", "src/app/"],
    ["*.py", ""],
    ["{src,test}/*", ""],
    ["src", ""],
  ])("%j can only find what begins with %j", (pattern, prefix) =>
    expect(compileGlob(pattern)).toMatchObject({ prefix }),
  );

  test("that matches too many patterns, is too long or has backslashes is refused in words", () => {
    expect(compileGlob("{a,b}".repeat(20))).toHaveProperty("problem");
    expect(compileGlob("a".repeat(501))).toHaveProperty("problem");
    expect(compileGlob("src\\*.js")).toHaveProperty("problem");
  });

  test("made to be slow still ends", () => {
    expect(matches(`${"*a".repeat(100)}b`, "a".repeat(500))).toBe(false);
    expect(matches(`${"**/a/".repeat(80)}b`, `${"a/".repeat(250)}c`)).toBe(false);
    expect(compileGlob("{".repeat(500))).toHaveProperty("matches");
  });

  test("a folder's pattern does not find a file of that name", () => {
    expect(matches("b/", "b")).toBe(false);
    expect(matches("b/", "b/a")).toBe(true);
    expect(matches("b/**", "b")).toBe(false);
    expect(matches("b/**", "b/a/c")).toBe(true);
  });

  const segment = fc.stringMatching(/^[a-z.[\]{}!-]{1,6}$/);

  test("never finds a path outside its prefix", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "/", "*", "**", "?", "{a,b}", "[ab]"), { maxLength: 8 });
    const paths = fc.array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pattern, paths, (parts, names) => {
        const glob = compileGlob(parts.join(""));
        if ("problem" in glob) return;
        const path = names.join("/");
        if (glob.matches(path)) expect(path.startsWith(glob.prefix)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("takes any text without failing, and finds everything with **", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(segment, { minLength: 1 }), (pattern, names) => {
        const glob = compileGlob(pattern);
        if ("matches" in glob) expect(typeof glob.matches(names.join("/"))).toBe("boolean");
        expect(matches("**", names.join("/"))).toBe(true);
      }),
    );
  });
});
