import { describe, expect, it } from "vitest";
import { isCountOf } from "./asked-counts.ts";
import { askedDocuments } from "./asked-documents.ts";

describe("a requirement", () => {
  it.each([
    "The command converts Markdown to HTML.",
    "`wc input.txt` prints the number of words.",
    "`wc input.md` prints the number of words.",
    "Saves the to-dos in todo.txt.",
    "Notes are saved to notes.md.",
    "The command reads README.md and prints its headings.",
    "Given README.md, the command lists what it links to.",
    "The endpoint /docs serves OpenAPI.",
    "The documentation endpoint lists all routes.",
    "The tool generates documentation from comments.",
    "It lists the licenses that are described in LICENSE files.",
    "The license has an expiry date.",
    "An archive includes a README if --readme is given.",
    "The linter reports links that are explained in README.md.",
    "out.md has as many lines as the input.",
    "All functions are documented.",
    "",
  ])("asks for no document: %s", (text) => {
    expect(askedDocuments(text)).toEqual([]);
  });

  it.each([
    ["A README shows how to run and test it; nothing but Node is needed.", "README.md", "docs/README.txt", "USAGE.md"],
    ["The README has at least 500 words.", "README.md", "README", "docs/a.md"],
    ["It has a `README.md`.", "README.md", "packages/a/readme.md", "NOTES.md"],
    ["Write a short README.", "README.md", "README.md", "x.md"],
    ["There is a LICENSE.", "LICENSE", "LICENSE.md", "README.md"],
    ["A changelog lists each version.", "CHANGELOG.md", "docs/CHANGELOG.md", "README.md"],
    ["CONTRIBUTING.md explains how to test.", "CONTRIBUTING.md", "docs/CONTRIBUTING.md", "docs/a.md"],
    ["A user guide in docs/ shows each command.", "docs/guide.md", "README.md", "guide.txt"],
    ["The API documentation describes every route.", "docs/api.md", "README.md", "src/api.md"],
    ["It is small, and the tutorial explains it.", "docs/tutorial.md", "README.md", "tutorial.md"],
    ["docs/USAGE.md describes all options.", "docs/USAGE.md", "docs/usage.md", "USAGE.md"],
    ["All options are documented in docs/options.rst.", "docs/options.rst", "docs/options.rst", "README.md"],
    ["Every option is described in the README.", "README.md", "README.rst", "docs/a.md"],
  ])("asks for a document, which others are not: %s", (text, one, other, wrong) => {
    const fits = (path: string) => askedDocuments(text).some((isAsked) => isAsked(path));
    expect([one, other, wrong].map(fits)).toEqual([true, true, false]);
  });
});

describe("a count", () => {
  const words = (least?: number, most?: number) => ({
    of: "words" as const,
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  });

  it.each([
    ["The README has at least 500 words.", words(500), true],
    ["The README has at least 500 words.", words(1), false],
    ["The README has at least 500 words.", words(undefined, 500), false],
    ["The README has at least 500 words.", words(undefined, 1_000_000), false],
    ["It has no more than 1,200 words.", words(undefined, 1200), true],
    ["It has no more than 1,200 words.", words(1200), false],
    ["It has 900 to 1200 words.", words(900, 1200), true],
    ["It has about 900 words.", words(undefined, 900), false],
    ["Ten chapters of 900 words.", words(10), false],
    ["Ten chapters of 900 words.", { of: "chapters" as const, least: 10, most: 10 }, true],
    ["Version 2 of the README has words.", words(2), false],
    ["The README is short.", words(undefined, 100), false],
    ["The README has 5 sections.", words(5), false],
    ["The README has 5 sections.", { of: "headings" as const, least: 5 }, true],
  ])("is what is asked for: %s %j %j", (text, count, is) => {
    expect(isCountOf(text, count)).toBe(is);
  });
});
