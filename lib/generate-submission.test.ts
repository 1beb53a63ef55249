import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { submissionFrom } from "./generate-submission.ts";

const rehearsed = { domain: "codebase", rehearse: true } as const;
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

it("lays given tests over the files to start from, by their contents or from a folder", async () => {
  const from = { "a.py": "a = 1\n", "test_a.py": "old\n" };
  const named = await submissionFrom("Make it.", { ...rehearsed, from, tests: { "./test_a.py": "new\n" } });
  expect(named).toMatchObject({ tests: ["test_a.py"], options: { runTests: true, from: true } });
  expect([...(named.from ?? [])].map(([path, bytes]) => [path, text(bytes)])).toEqual([
    ["a.py", "a = 1\n"],
    ["test_a.py", "new\n"],
  ]);
  const folder = mkdtempSync(join(tmpdir(), "l2mac-given-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "tests"));
  writeFileSync(join(folder, "tests/test_b.py"), "b\n");
  const read = await submissionFrom("Make it.", { ...rehearsed, tests: folder });
  expect(read.tests).toEqual(["tests/test_b.py"]);
  expect(read.options.from).toBe(true);
});

it("runs tests unless they are turned off, and refuses given ones that are none or that nobody would run", async () => {
  expect((await submissionFrom("Make it.", { ...rehearsed, tests: false })).options.runTests).toBe(false);
  expect((await submissionFrom("Make it.", { ...rehearsed, tests: true })).options.runTests).toBe(true);
  expect(await submissionFrom("Make it.", rehearsed)).not.toHaveProperty("tests");
  await expect(submissionFrom("Make it.", { ...rehearsed, tests: {} })).rejects.toThrow(/are no files/);
  const book = { domain: "book", rehearse: true, tests: { "test_a.py": "" } } as const;
  await expect(submissionFrom("Write it.", book)).rejects.toThrow(/no tests are run/);
});
