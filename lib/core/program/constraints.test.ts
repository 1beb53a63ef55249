import { describe, expect, it } from "vitest";
import { extractConstraints } from "./constraints.ts";
import { extractRequirements } from "./requirements.ts";

const TASK = `# A calculator

1. It adds.
2. It subtracts.

## Constraints
- No packages
- C5: Node 24 only
- **C1:** One file

## Tech stack
- TypeScript

Out of scope:
- A window
  - and its icons
`;

describe("the constraints of a task", () => {
  it("are the items under its constraints, tech stack and exclusions, and no requirements", () => {
    expect(extractConstraints(TASK)).toEqual([
      { id: "C2", text: "No packages" },
      { id: "C5", text: "Node 24 only" },
      { id: "C1", text: "One file" },
      { id: "C3", text: "Tech stack: TypeScript" },
      { id: "C4", text: "Out of scope: A window; and its icons" },
    ]);
    expect(extractRequirements(TASK)).toEqual([
      { id: "R1", text: "It adds." },
      { id: "R2", text: "It subtracts." },
    ]);
  });

  it("may be the items below an item that names them", () => {
    const task = "- Features\n  - add\n  - subtract\n- Not needed\n  - a window\n  - a server\n";
    expect(extractConstraints(task)).toEqual([
      { id: "C1", text: "Not needed: a window" },
      { id: "C2", text: "Not needed: a server" },
    ]);
  });

  it("are none of a task without such lists", () => {
    expect(extractConstraints("It adds, and uses no packages.")).toEqual([]);
  });

  it("are named by the short line that limits, not by the paragraph before their list", () => {
    const task = `## Constraints\n\nPlease observe all of these:\n\n- No network\n- ${"long ".repeat(10)}words\n`;
    expect(extractConstraints(task)[0]).toEqual({ id: "C1", text: "No network" });
    const stack = `## Tech stack\n\n${"We like tools. ".repeat(60)}\n\n- Go\n- SQLite\n`;
    expect(extractConstraints(stack).map(({ text }) => text)).toEqual(["Tech stack: Go", "Tech stack: SQLite"]);
  });

  it("keep a label once: the second one takes the next number", () => {
    const task = "Constraints:\n- C1: one\n- C1: two\n";
    expect(extractConstraints(task)).toEqual([
      { id: "C1", text: "one" },
      { id: "C2", text: "two" },
    ]);
  });
});
