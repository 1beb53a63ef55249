import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inWords } from "../../lib/core/program/language/finding.ts";
import { readMarkdown } from "../../lib/core/program/language/markdown/read-markdown.ts";
import { renderMarkdown } from "../../lib/core/program/language/markdown/render-markdown.ts";
import { dataOf } from "../../lib/core/program/language/program-data.ts";
import { readProgramData } from "../../lib/core/program/language/read-program.ts";
import type { Program } from "../../lib/core/program/language/schema.ts";
import { type ReadSource, readJson, readYaml, writeYaml } from "../../lib/files/program/yaml-source.ts";
import { anyProgram } from "./any-program.ts";

function programOf(source: ReadSource): Program {
  const read = "findings" in source ? source : readProgramData(source);
  if ("findings" in read) throw new Error(read.findings.map(inWords).join("\n"));
  return read.program;
}

/** Without keys that hold nothing. */
const plain = (program: Program): unknown => JSON.parse(JSON.stringify(program));

describe("a program that is exported and imported", () => {
  it.each([
    ["Markdown", (program: Program) => readMarkdown(renderMarkdown(program)), 400],
    [
      "Markdown with Windows line ends",
      (program: Program) => readMarkdown(renderMarkdown(program).replaceAll("\n", "\r\n")),
      60,
    ],
    ["JSON", (program: Program) => readJson(JSON.stringify(dataOf(program), null, 2)), 150],
    ["YAML", (program: Program) => readYaml(writeYaml(dataOf(program))), 150],
  ] as const)("is the same in %s, whatever its texts hold", (_, through, numRuns) => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const read = programOf(through(program));
        if (!isDeepStrictEqual(plain(read), plain(program))) expect(plain(read)).toEqual(plain(program));
      }),
      { numRuns },
    );
  });
});
