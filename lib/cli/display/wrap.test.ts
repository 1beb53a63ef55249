import { expect, it } from "vitest";
import { sayWrapped, wrapped } from "./wrap.ts";

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
