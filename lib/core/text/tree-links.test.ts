import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leadsWithin, linksIn, textOfLinks } from "./tree-links.ts";

const made = (links: Record<string, string>, files: string[] = []) =>
  linksIn(JSON.stringify(links), files).map(({ path }) => path);

describe("the links of a tree", () => {
  it("are read as they were written", () => {
    const links = [
      { path: "a/b.txt", target: "../c.txt" },
      { path: "d", target: "./a" },
    ];
    expect(linksIn(textOfLinks(links), ["c.txt", "a/e"])).toEqual(links);
  });

  it.each([
    ["leads out", "a", "../b"],
    ["is absolute", "a", "/etc/passwd"],
    ["leads up from what may be a link", "x/y/a", "b/../../../c"],
    ["is a circle", "a", "a"],
    ["leads to a folder that holds it", "a/b/c", "../../a"],
    ["leads to the root of the tree", "a/b", "../"],
    ["is empty", "a", ""],
    ["has no path of a file", "../a", "b"],
    ["has a backslash", "a", "..\\b"],
  ])("leave out one that %s", (_, path, target) => {
    expect(made({ [path]: target })).toEqual([]);
  });

  it("leave out what is where a file or another link is", () => {
    expect(made({ a: "b", "c/d": "../b", e: "b", "e/f": "../b" }, ["a", "c", "b"])).toEqual(["e"]);
    expect(made({ src: "lib" }, ["src/a.ts", "lib/a.ts"])).toEqual([]);
  });

  it("are none of a text that is no list of links", () => {
    for (const text of ["", "{", "[]", '{"a": 1}', "null"]) expect(linksIn(text, [])).toEqual([]);
  });

  it("never lead out, whatever they say", () => {
    const words = (part: fc.Arbitrary<string>) =>
      fc.array(part, { minLength: 1, maxLength: 6 }).map((all) => all.join("/"));
    const paths = words(fc.constantFrom("a", "b"));
    const targets = words(fc.constantFrom("..", ".", "a", "b", ""));
    fc.assert(
      fc.property(paths, targets, (path, target) => {
        if (leadsWithin(path, target)) expect(posix.join(posix.dirname(path), target)).not.toMatch(/^(?:\.\.|\/|$)/);
      }),
    );
  });
});
