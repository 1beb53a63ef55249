import { describe, expect, it } from "vitest";
import { lintPack, PROMPT_FILE_BYTES, type PromptPack } from "./prompt.ts";

const good: Record<string, string> = {
  "pack.json": JSON.stringify(
    { name: "notes", domain: "custom", description: "Notes.", checks: { syntax: true, tests: false } },
    null,
    2,
  ),
  "system.md": "You write notes.",
  "planner.md": "You plan notes.",
  "plan.md": "Planning the program\n{{task}}\n{{requirements}}\n{{steps}}\n{{listing}}",
  "reflect.md": "{{program}}\n{{uncovered}}",
  "instruction.md":
    "{{task}}\nInstruction {{number}} of {{total}}: {{title}}\n{{text}}\n{{listing}}\n{{handover}}\n{{note}}",
};

const problemsOf = (files: Record<string, string>, fallback?: PromptPack): string[] => {
  const linted = lintPack(files, fallback);
  return "problems" in linted ? linted.problems : [];
};

const declared = (fields: object): string =>
  JSON.stringify(
    { name: "n", domain: "book", description: "d", checks: { syntax: false, tests: false }, ...fields },
    null,
    2,
  );

function packOf(files: Record<string, string>, fallback?: PromptPack): PromptPack {
  const linted = lintPack(files, fallback);
  if ("problems" in linted) throw new Error(linted.problems.join("\n"));
  return linted.pack;
}

describe("a prompt pack", () => {
  it("is accepted when all its files are in order", () => {
    const pack = packOf(good);
    expect(pack.declaration.name).toBe("notes");
    expect(pack.texts.system).toBe("You write notes.");
  });

  it("may come with a byte order mark and Windows line ends", () => {
    const windows = Object.fromEntries(
      Object.entries(good).map(([name, text]) => [name, `\uFEFF${text.replaceAll("\n", "\r\n")}`]),
    );
    expect(packOf(windows)).toEqual(packOf(good));
  });

  it("takes missing files from the fallback", () => {
    const pack = packOf({ "system.md": "You write courses." }, packOf(good));
    expect(pack.texts.system).toBe("You write courses.");
    expect(pack.texts.planner).toBe("You plan notes.");
    expect(pack.declaration.name).toBe("notes");
  });

  it("is refused without a fallback when a file is missing", () => {
    const { "plan.md": _, ...rest } = good;
    expect(problemsOf(rest)).toEqual(["plan.md line 1: the file is missing."]);
  });

  it("is refused when it has none of the files, even with a fallback", () => {
    expect(problemsOf({}, packOf(good))[0]).toContain("This is no prompt pack");
  });

  it("names a file that belongs to no pack", () => {
    expect(problemsOf({ ...good, "sytem.md": "x" })[0]).toContain("sytem.md line 1: this is no file of a pack");
  });

  it("names file and line of an unknown slot", () => {
    const files = { ...good, "system.md": "one\n{{task}}" };
    expect(problemsOf(files)).toEqual(["system.md line 2: {{task}} is unknown: this text has no slots."]);
  });

  it("names a required slot that is missing", () => {
    const files = { ...good, "reflect.md": "{{program}}" };
    expect(problemsOf(files)[0]).toContain("reflect.md line 1: {{uncovered}} is missing");
  });

  it("does not count a required slot that another slot's emptiness hides", () => {
    const files = { ...good, "reflect.md": "{{#uncovered}}{{program}}{{uncovered}}{{/uncovered}}" };
    expect(problemsOf(files)).toEqual([
      "reflect.md line 1: {{program}} is missing; it must stand outside of other slots' sections.",
    ]);
  });

  it("is refused with an empty text", () => {
    expect(problemsOf({ ...good, "system.md": " \n" })).toEqual(["system.md line 1: the file is empty."]);
  });

  it("is refused with a text that is too large, counted in bytes", () => {
    const fits = { ...good, "system.md": "é".repeat(PROMPT_FILE_BYTES / 2) };
    expect(problemsOf(fits)).toEqual([]);
    expect(problemsOf({ ...fits, "system.md": `${fits["system.md"]}x` })[0]).toContain(
      "16385 bytes; at most 16384 fit",
    );
  });
});

describe("the declaration of a pack", () => {
  it("names the line of an unknown field", () => {
    const problems = problemsOf({ ...good, "pack.json": declared({ colour: "red" }) });
    expect(problems[0]).toContain("pack.json line 9: colour is no field of a pack");
  });

  it("names an unknown field of the checks", () => {
    const checks = { syntax: true, tests: true, lint: true };
    const problems = problemsOf({ ...good, "pack.json": declared({ checks }) });
    expect(problems[0]).toContain("lint is no field of checks, which has syntax, tests, prose, command");
  });

  it("names an unknown tool", () => {
    const problems = problemsOf({ ...good, "pack.json": declared({ tools: ["write_file", "read_files"] }) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("pack.json line 10: write_file is no tool");
  });

  it("names a field of the wrong kind", () => {
    const problems = problemsOf({ ...good, "pack.json": declared({ domain: "film" }) });
    expect(problems[0]).toMatch(/^pack\.json line 3: domain: /);
  });

  it("names the line where it is not JSON", () => {
    const problems = problemsOf({ ...good, "pack.json": '{\n  "name": "x",\n  oops\n}' });
    expect(problems[0]).toMatch(/^pack\.json line 3: this is not JSON/);
  });
});
