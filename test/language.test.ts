/** The project is written in plain technical English: words of its old voice do not come back. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const READ =
  /^(README\.md|(bin|lib|lambdas|test|bench|docs|prompts|statemachine)\/.*\.(ts|tsx|mjs|py|sh|md|json|css))$/;
/** This list itself, and the texts of practice tracks, which are kept as they are. */
const OTHERS = /^(test\/language\.test\.ts$|packages\/eval\/data\/polyglot\/)/;
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => READ.test(path) && !OTHERS.test(path) && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** What may be left of each, with the word to use. The numbers only fall. */
const OLD_VOICE: { pattern: RegExp; use: string; left: number }[] = [
  { pattern: /\b(?:un)?told\b/gi, use: "reported, notified, shown", left: 7 },
  { pattern: /\bwhoever\b/gi, use: "the caller, users, callers who", left: 0 },
  { pattern: /\bwhichever\b/gi, use: "the one that", left: 0 },
  { pattern: /\bwherever\b/gi, use: "if, in every place that", left: 0 },
  { pattern: /\banew\b/gi, use: "again", left: 0 },
  { pattern: /\b(?:is|are|be) to be had\b/gi, use: "is available", left: 0 },
  // The user `nobody` of Unix is one of its names.
  { pattern: /\bnobody\b(?!['"`:/,]| user| \(65534\))/gi, use: "no one, none, or the passive", left: 20 },
  { pattern: /\bbe it\b/gi, use: "or", left: 0 },
  { pattern: /\b(?:it|that|this|what|which|as [a-z]+) stands\b/gi, use: "is", left: 7 },
];

describe("the old voice", () => {
  it.each(OLD_VOICE.map((each) => [each.pattern.source, each] as const))("%s", (_, { pattern, use, left }) => {
    const uses = files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path));
    const places = [...Map.groupBy(uses, (path) => path)].map(([path, { length }]) => `${path} ${length}`);
    expect(uses.length, `Write instead: ${use}. Found in:\n${places.join("\n")}`).toBeLessThanOrEqual(left);
  });
});
