import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintProgram } from "../../lib/core/program/language/lint/lint.ts";
import { readProgramData } from "../../lib/core/program/language/read-program.ts";
import { readProgram, readProgramFile } from "../../lib/files/program-file.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { readCheckboxes } from "../../lib/files/spec-kit/checkbox-list.ts";
import { importTasks, taskListOf } from "../../lib/files/spec-kit/import-tasks.ts";

const listed = (path: string) => readProgramFile(projectFile(join("examples/task-lists", path)));
const SPEC_KIT = readFileSync(projectFile("examples/task-lists/spec-kit/tasks.md"), "utf8");

function imported(text: string) {
  const source = importTasks(text, undefined);
  if ("findings" in source) throw new Error(source.findings[0]?.message);
  const read = readProgramData(source);
  if ("findings" in read) throw new Error(read.findings[0]?.message);
  return read.program.instructions.map(({ id, needs }) => [id, needs]);
}

describe("a task list of spec-kit", () => {
  it("is the program of its open tasks, with what they need", () => {
    const { draft, notices } = listed("spec-kit/tasks.md");
    expect(draft.instructions.map(({ title }) => title)).toEqual([
      "Write the store in `src/store.js` (FR-001)",
      "Write the page in `src/page.js`",
      "Serve both in `src/server.js`",
      "Write `README.md`",
      "Test the server with 1,000 codes (depends on T002)",
    ]);
    expect(draft.instructions[2]?.text).toBe(
      "Serve both in `src/server.js`\n\n- answer 404 for a code that is not known\n\nPart of: Phase 2: User Story 1 - Shorten an address (Priority: P1)",
    );
    expect(draft.instructions[0]?.requirements).toEqual(["R1"]);
    expect(draft.requirements).toEqual([{ id: "R1", text: "The store MUST keep the address of every code." }]);
    expect(notices).toEqual(["A task list of spec-kit: 5 of 6 tasks; 1 done task is left out."]);
    expect(imported(SPEC_KIT)).toEqual([
      ["T002", []],
      ["T003", []],
      ["T004", ["T002", "T003"]],
      ["T005", ["T004"]],
      ["T006", ["T005", "T002"]],
    ]);
  });

  it("begins a phase after all of the one before, and names a number that is there twice apart", () => {
    const text = "## A\n- [ ] T001 [P] a\n- [ ] T002 [P] b\n## B\n- [ ] T003 [P] c\n- [ ] T003 d (depends on T001)";
    expect(imported(text)).toEqual([
      ["T001", []],
      ["T002", []],
      ["T003", ["T001", "T002"]],
      ["T003-2", ["T003", "T001"]],
    ]);
  });

  it("is refused where all is done, and named with its place where a rule is broken", () => {
    expect(importTasks(SPEC_KIT.replaceAll("[ ]", "[x]"), undefined)).toMatchObject({
      findings: [{ message: "all 6 tasks are done: there is nothing to execute.", place: { line: 1, column: 1 } }],
    });
  });
});

describe("a task list of another tool", () => {
  it.each([
    ["tasks.md", "- [ ] 1. a\n  - _Requirements: 1.1_\n", "Kiro"],
    [".kiro/specs/x/tasks.md", "- [ ] a\n", "Kiro"],
    ["openspec/changes/x/tasks.md", "- [ ] a\n", "OpenSpec"],
    ["tasks.md", "## 1. A\n- [ ] 1.1 a\n", "OpenSpec"],
  ])("%s with %j is refused by the name %s, with what to do instead", (path, text, tool) => {
    const folder = mkdtempSync(join(tmpdir(), "l2mac-tasks-"));
    try {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const refusal = { exitCode: 2, remedy: expect.stringContaining("to a file of another name") };
      expect(() => readProgramFile(file)).toThrow(expect.objectContaining(refusal));
      expect(() => readProgramFile(file)).toThrow(`task lists of ${tool} are not read any more`);
      writeFileSync(join(folder, "program.md"), text);
      expect(readProgram(join(folder, "program.md")).instructions).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("task lists among programs", () => {
  it.each([
    ["program.md", "- [ ] T001 a", undefined],
    ["a/tasks.md", "1. Parse\n2. Count", undefined],
    ["a/tasks.md", "- [ ] Parse\n- [ ] Count", undefined],
    ["a/tasks.md", "- [ ] **T001** a", "spec-kit"],
    ["a/tasks.md", "- [ ] 1. a\n  - _要件: 1.1_", "Kiro"],
    ["a\\openspec\\changes\\x\\tasks.md", "- [ ] a", "OpenSpec"],
  ])("%s with %j is %s", (path, text, format) => {
    expect(taskListOf(path, text)).toBe(format);
  });

  it("leave a list of another name as it is", () => {
    expect(readProgram(projectFile("examples/program.md")).instructions).toHaveLength(3);
  });

  it("hide what is in code and in comments", () => {
    const text =
      "<!--\n- [ ] no\n-->\n- [ ] yes, `<!-- x -->`\n```\n- [ ] no\n```\n- [x] done\n  ```\n  - [ ] no\n  ```";
    expect(readCheckboxes(text).map(({ text: own }) => own)).toEqual(["yes, `<!-- x -->`", "done"]);
  });

  it("never make a program that cannot be executed, whatever the file holds", () => {
    const line = fc.constantFrom(
      ...[
        "- [ ] T001 [P] a",
        "- [x] T002 b",
        "  - [ ] T003 (depends on T001, T009)",
        "## Phase 1",
        "```",
        "<!--",
        "-->",
      ],
      ...[
        "- [ ]* 1.1 **c** d",
        "    - _Requirements: 1.1, 2_",
        "text",
        "",
        "- [ ] `",
        "\t- [ ] T001 e",
        "- [-] __f__ [US1]",
      ],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const source = importTasks(lines.join("\n"), undefined);
        if ("findings" in source) return;
        const read = readProgramData(source);
        if ("findings" in read) throw new Error(read.findings[0]?.message);
        const errors = lintProgram(read.program).findings.filter(({ severity }) => severity === "error");
        expect(errors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
