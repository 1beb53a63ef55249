import { expect, it } from "vitest";
import { shownNotes } from "./shown-notes.ts";

it("shows short notes whole", () => {
  expect(shownNotes("\n# Notes\n\n- SQLite\n", { path: "NOTES.md", tokens: 100 })).toBe("# Notes\n\n- SQLite");
});

it("shows the beginning of long notes, and says how much more there is", () => {
  const text = Array.from({ length: 100 }, (_, at) => `line ${at} of the notes`).join("\n");
  const shown = shownNotes(text, { path: "NOTES.md", tokens: 70 });
  expect(shown).toMatch(
    /^line 0 of the notes\n(?:line \d+ of the notes\n)+\(NOTES\.md goes on for \d\d more lines; shorten it\)$/,
  );
  expect(shown.length).toBeLessThan(300);
});

it("shows nothing of one line that is longer than all of it", () => {
  expect(shownNotes("x".repeat(9_000), { path: "n.md", tokens: 10 })).toBe(
    "(n.md goes on for 1 more lines; shorten it)",
  );
});
