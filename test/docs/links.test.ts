/** The docs read as one book: every link leads somewhere, and every page is in the table of contents. */
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { type Page, pages, ROOT } from "./pages.ts";

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");

/** As GitHub names the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsIn = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));

interface Link {
  target: string;
  anchor: string | undefined;
}

const linksIn = ({ path, text }: Page): Link[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = "", anchor] = link.split("#");
      return { target: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });

describe.each(pages.map((page) => [page.path, page] as const))("%s", (_, page) => {
  it("links only to files and headings that exist", () => {
    const broken = linksIn(page).filter(({ target, anchor }) => {
      if (!existsSync(join(ROOT, target))) return true;
      const text = pages.find(({ path }) => path === target)?.text;
      return anchor !== undefined && text !== undefined && !anchorsIn(text).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

it("every page is in the table of contents", () => {
  const contents = pages.find(({ path }) => path === "docs/README.md");
  const listed = new Set(contents ? linksIn(contents).map(({ target }) => target) : []);
  const own = pages.map(({ path }) => path).filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(own.filter((path) => !listed.has(path))).toEqual([]);
});

it("the README is one page of at most 150 lines", () => {
  const readme = pages.find(({ path }) => path === "README.md")?.text ?? "";
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
