import { describe, expect, it } from "vitest";
import { syntaxNote } from "./verdict-words.ts";

const error = (message: string) => ({ path: "a.py", line: 1, message });

describe("the note of a syntax check", () => {
  it("tells a module that is not written yet from an error of syntax", () => {
    const missing = error('there is no module ".find" in the project');
    const note = (errors: (typeof missing)[]) => syntaxNote({ status: "failed", errors, checked: 1 } as never);
    expect(note([missing])).toBe("1 unresolved import");
    expect(note([missing, missing, error("invalid syntax")])).toBe("1 syntax error · 2 unresolved imports");
    expect(note([])).toBe("0 syntax errors");
  });
});
