/** What the copy of a tree has beside its files. */
import { afterAll, expect, it } from "vitest";
import { evaluation, removeFolders, toolchain } from "../../test/doubles/evaluation.ts";

afterAll(removeFolders);

const run = async (script: string) =>
  (await evaluation({ "a.txt": "a\n" }, { command: { argv: ["sh", "-c", script] } })).command;

it("is a repository of Git, with the files to be added (needs git)", async ({ skip }) => {
  const found = await run("git rev-parse --is-inside-work-tree && git status --short && git add . && git ls-files");
  if (found?.stderr.includes("not found")) skip();
  expect(found).toMatchObject({ status: "passed", stdout: "true\n?? a.txt\na.txt\n" });
});

it("leaves colours to the programs", async () => {
  expect(toolchain.node).toBeTruthy();
  expect(await run("echo $NO_COLOR$FORCE_COLOR-$CI")).toMatchObject({ stdout: "-1\n" });
});
