import { expect, it } from "vitest";
import { sayReport, sayWrapped, wrapped } from "./wrap.ts";

it("long lines are broken at spaces, and a word that is longer has a line for itself", () => {
  const text = `the scene was written beforehand ${"x".repeat(30)} · 日本語 end`;
  expect(wrapped(text, 20)).toEqual([
    ...["the scene was", "  written beforehand", `  ${"x".repeat(30)}`, "  · 日本語 end"],
  ]);
  expect(wrapped("short", 20)).toEqual(["short"]);
});

it("lines stay whole where there is no terminal", () => {
  const said: string[] = [];
  const say = (line: string): unknown => said.push(line);
  sayWrapped({ progress: { columns: 9 } as NodeJS.WriteStream, say } as never, "one two three");
  sayWrapped({ progress: { isTTY: true, columns: 9 } as NodeJS.WriteStream, say } as never, "one two three");
  expect(said).toEqual(["one two three", "one two", "  three"]);
});

it("a report is wrapped, but not its commands, which are copied", () => {
  const said: string[] = [];
  const shell = { progress: { isTTY: true, columns: 9 }, say: (line: string): unknown => said.push(line) } as never;
  for (const line of ["one two three", "Next: l2mac resume X", "  or: l2mac doctor"]) sayReport(shell, line);
  expect(said).toEqual(["one two", "  three", "Next: l2mac resume X", "  or: l2mac doctor"]);
});
