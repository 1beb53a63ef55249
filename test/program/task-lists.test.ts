import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintProgram } from "../../lib/core/program/language/lint/lint.ts";
import { readProgramData } from "../../lib/core/program/language/read-program.ts";
import { readCheckboxes } from "../../lib/core/program/language/task-lists/checkbox-list.ts";
import { importTasks, taskFormatOf } from "../../lib/core/program/language/task-lists/import-tasks.ts";
import { readProgram, readProgramFile } from "../../lib/files/program-file.ts";
import { projectFile } from "../../lib/files/project-files.ts";

const listed = (path: string) => readProgramFile(projectFile(join("examples/task-lists", path)));
const SPEC_KIT = readFileSync(projectFile("examples/task-lists/spec-kit/tasks.md"), "utf8");

function imported(text: string) {
  const source = importTasks("spec-kit", text, undefined);
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
    expect(importTasks("spec-kit", SPEC_KIT.replaceAll("[ ]", "[x]"), undefined)).toMatchObject({
      findings: [{ message: "all 6 tasks are done: there is nothing to execute.", place: { line: 1, column: 1 } }],
    });
  });
});

describe("a task list of Kiro", () => {
  it("is the program of its smallest open tasks, with the criteria that they serve", () => {
    const { draft, notices } = listed("kiro/tasks.md");
    expect(draft.instructions).toEqual([
      {
        id: "2.1",
        title: "Write `store.js`",
        text: "Write `store.js`\n\n- `add(url)` returns a code\n\n- Both halves use one file.\n\nPart of: 2. Keep links",
        requirements: ["R1.1", "R1.2"],
      },
      {
        id: "2.2",
        title: "Test the store with random addresses",
        text: "Test the store with random addresses\n\nPart of: 2. Keep links",
        requirements: ["R1.2"],
      },
      {
        id: "3",
        title: "Serve them",
        text: "Serve them\n\n- Redirect from a code to its address",
        requirements: ["R2.1"],
      },
    ]);
    expect(draft.requirements[0]).toEqual({
      id: "R1.1",
      text: "WHEN an address is added THEN the store SHALL return a code.",
    });
    expect(notices).toEqual([
      "A task list of Kiro: 3 of 4 tasks; 1 done task is left out, 1 optional task is included.",
    ]);
  });

  it("leaves out requirements whose texts are not beside it, and says so", () => {
    const text = readFileSync(projectFile("examples/task-lists/kiro/tasks.md"), "utf8");
    const source = importTasks("Kiro", text, undefined);
    expect("notices" in source && source.notices[1]).toBe(
      "Requirements without a text in requirements.md beside the file are left out: 1.1, 1.2, 2.1.",
    );
  });
});

describe("a task list of OpenSpec", () => {
  it("is the program of its open tasks", () => {
    const { draft, notices } = listed("openspec/changes/add-short-links/tasks.md");
    expect(draft.instructions.map(({ title }) => title)).toEqual([
      "Write `store.js`",
      "Redirect from a code to its address",
      "Answer 404 for a code that is not known",
    ]);
    expect(notices).toEqual(["A task list of OpenSpec: 3 of 4 tasks; 1 done task is left out."]);
  });
});

describe("task lists among programs", () => {
  it.each([
    ["program.md", "- [ ] T001 a", undefined],
    ["a/tasks.md", "1. Parse\n2. Count", undefined],
    ["a/tasks.md", "- [ ] Parse\n- [ ] Count", undefined],
    ["a/tasks.md", "- [ ] **T001** a", "spec-kit"],
    ["a/tasks.md", "- [ ] 1. a\n  - _要件: 1.1_", "Kiro"],
    ["a/.kiro/specs/x/tasks.md", "- [ ] a", "Kiro"],
    ["a\\openspec\\changes\\x\\tasks.md", "- [ ] a", "OpenSpec"],
    ["tasks.md", "## 1. A\n- [ ] 1.1 a", "OpenSpec"],
  ])("%s with %j is %s", (path, text, format) => {
    expect(taskFormatOf(path, text)).toBe(format);
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
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom("spec-kit", "Kiro", "OpenSpec"),
        (lines, format) => {
          const source = importTasks(format, lines.join("\n"), undefined);
          if ("findings" in source) return;
          const read = readProgramData(source);
          if ("findings" in read) throw new Error(read.findings[0]?.message);
          const errors = lintProgram(read.program).findings.filter(({ severity }) => severity === "error");
          expect(errors).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
