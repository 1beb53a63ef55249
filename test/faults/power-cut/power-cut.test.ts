/** A power cut in the middle of a run: what it leaves lets the run go on, and nothing is paid twice. */
import { expect, it } from "vitest";
import { play } from "../laboratory.ts";

it("loses no run and pays no stored answer again (needs strace)", async ({ skip }) => {
  const lines: string[] = [];
  const code = await play(["power-cut", "--quick"], (line) => lines.push(line));
  const text = lines.join("\n");
  if (text.includes("Skipped:")) return skip();
  expect(text).toContain("Nothing was lost, nothing was paid twice.");
  expect(code).toBe(0);
});
