import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readYaml } from "../evaluator/languages/javascript/yaml-manifest.ts";
import { readProgram } from "./program-file.ts";
import { projectFile } from "./project-files.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-program-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(root, name), content);
  return join(root, name);
};

describe("a program's file", () => {
  it("is the same program in each of the forms that its name can tell", () => {
    const [markdown, yaml, json] = ["md", "yaml", "json"].map((end) =>
      readProgram(projectFile(`examples/program.${end}`)),
    );
    expect(yaml).toEqual(markdown);
    expect(json).toEqual(markdown);
  });

  it.each([
    ["x.txt", "1. do", /ends in \.md, \.yaml, \.yml or \.json/],
    ["x.json", "{", /x\.json: .*JSON/],
    ["x.yaml", "a: [", /x\.yaml: /],
    ["x.md", "no list", /line 1, column 1: there is no list/],
    ["y.md", Uint8Array.of(0xff, 0xfe), /y\.md cannot be read/],
  ])("is refused with its name: %s", (name, content, message) => {
    expect(() => readProgram(file(name, content))).toThrow(message);
  });

  it("writes no line of YAML to the terminal", () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    expect(() => readProgram(file("tags.yaml", "a: !nothing b\n&a: : \u001b[2J\n"))).toThrow(/tags\.yaml/);
    expect(readYaml("a: !nothing b\n")).toEqual({ a: "b" });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("is refused where YAML would unfold without end", () => {
    const bomb = [
      "a: &a [x, x]",
      ...[..."bcdefghi"].map((name, at) => `${name}: &${name} [*${"abcdefghi"[at]}, *${"abcdefghi"[at]}]`),
    ];
    expect(() => readProgram(file("bomb.yml", bomb.join("\n")))).toThrow(/bomb\.yml/);
  });
});
