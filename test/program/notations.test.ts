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
import { readProgramSource } from "../../lib/files/program-file.ts";
import { projectFile } from "../../lib/files/project-files.ts";
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
    ["Markdown", (program: Program) => readMarkdown(renderMarkdown(program)), 200],
    [
      "Markdown with Windows line ends",
      (program: Program) => readMarkdown(renderMarkdown(program).replaceAll("\n", "\r\n")),
      60,
    ],
    ["JSON", (program: Program) => readJson(JSON.stringify(dataOf(program), null, 2)), 70],
    ["YAML", (program: Program) => readYaml(writeYaml(dataOf(program))), 70],
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

it("the example of every kind is the same program in the three notations", () => {
  const [markdown, yaml, json] = ["md", "yaml", "json"].map((end) =>
    plain(programOf(readProgramSource(projectFile(`examples/every-kind.${end}`)))),
  );
  expect(yaml).toEqual(markdown);
  expect(json).toEqual(markdown);
});

/** Of every value and every field. */
function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

describe("the place of a part", () => {
  it("is the same in JSON as the YAML parser finds for the same text", () => {
    fc.assert(
      fc.property(anyProgram, fc.constantFrom(0, 2), (program, indent) => {
        const text = JSON.stringify(dataOf(program), null, indent);
        const [json, yaml] = [readJson(text), readYaml(text)];
        if ("findings" in json || "findings" in yaml) throw new Error("It is JSON, and YAML.");
        const wrong = pathsIn(json.data).filter((path) => !isDeepStrictEqual(json.placeOf(path), yaml.placeOf(path)));
        expect(wrong).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    ["1. **a** {#x .repat}", "1:14", "there is no kind"],
    ["1. **a** (R1) {#x needs}", "1:19", "is no mark"],
    ["1. {.group}\n\n   - {.repeat atMost=0 until={}}\n     - x", "3:15", "it is 0"],
    ["# Program\n\n1. {.group title=x}", "3:12", "is not written in braces"],
    ["1. {.group}\n   1. a\n\n   text", "4:4", "belongs to no item"],
    ['1. {.if condition={"tests":true}}\n   1. {.else}\n      1. x', "1:1", "`if` needs `then`"],
    ["1. {.call program=a}\n   text", "1:1", "`call` has no field `text`"],
  ])("in Markdown is where a person finds it: %j", (text, place, message) => {
    const source = readMarkdown(text);
    const read = "findings" in source ? source : readProgramData(source);
    const found = "findings" in read ? read.findings : [];
    expect(found.map((each) => `${each.place?.line}:${each.place?.column}`)).toContain(place);
    expect(found.map((each) => each.message).join()).toContain(message);
  });

  it("belongs to a text where braces are no marks", () => {
    const text = "1. **Serve** /users/{id}\n2. Use {#fff}\n3. **Colour** the {.btn}\n4. Teams /{group}";
    const read = programOf(readMarkdown(text));
    expect(read.instructions.map((node) => node.kind === "do" && node.text)).toEqual([
      ...["/users/{id}", "Use {#fff}", "the {.btn}", "Teams /{group}"],
    ]);
  });
});
