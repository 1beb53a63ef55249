import { expect, it } from "vitest";
import { checkText } from "./evidence.ts";
import { gradeWords } from "./grade-words.ts";

it("says beside a grade what it means, in a few words", () => {
  const check = { tests: ["test/a.test.js"] };
  expect(gradeWords({ check, grade: 2 })).toBe("proven (E2: red on stubs)");
  expect(gradeWords({ check, grade: 1, noStubs: "Rust" })).toBe("proven (E1: no stubs of Rust)");
  expect(gradeWords({ check, grade: 1 })).toBe("noted, no proof (E1)");
  const passages = [{ path: "chapters/01-a.md", words: "It rained." }];
  expect(gradeWords({ check: { passages }, grade: 1, noStubs: "documents" })).toBe("proven (E1: by passage)");
});

it("names what a check of documents looks at", () => {
  const check = {
    passages: [{ path: "a.md", words: "It rained." }],
    counts: [
      { of: "words" as const, path: "b.md", least: 900, most: 1200 },
      { of: "chapters" as const, most: 3 },
    ],
    links: ["README.md"],
  };
  expect(checkText(check)).toBe(
    'a.md "It rained.", 900 to 1200 words in b.md, at most 3 chapters in the book, links of README.md',
  );
});
