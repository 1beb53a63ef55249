/** What the copy of a tree has beside its files. */
import { afterAll, expect, it } from "vitest";
import { evaluation, type Files, removeFolders } from "../../test/doubles/evaluation.ts";

afterAll(removeFolders);

const run = async (script: string, files: Files = {}) =>
  (await evaluation({ "a.txt": "a\n", ...files }, { command: { argv: ["sh", "-c", script] } })).command;

it("is a repository of Git where the tree has signs of one (needs git)", async ({ skip }) => {
  expect(await run("ls -A")).toMatchObject({ stdout: "a.txt\n" });
  const found = await run("git rev-parse --is-inside-work-tree && git status --short && git add . && git ls-files", {
    ".gitignore": "",
  });
  if (found?.stderr.includes("not found")) skip();
  expect(found).toMatchObject({ status: "passed", stdout: "true\n?? .gitignore\n?? a.txt\n.gitignore\na.txt\n" });
});

it("has the links of the tree, and none that leads out of it", async () => {
  const links = { "b/c.txt": "../a.txt", "folder/again": "../b", "up.txt": "../../secret", "abs.txt": "/etc/passwd" };
  const files = { "a.txt": "a\n", "b/d.txt": "d\n", ".l2mac-links.json": JSON.stringify(links) };
  const script = "cat b/c.txt folder/again/d.txt && ls && readlink b/c.txt && echo x > folder/again/new.txt && ls b";
  const { command } = await evaluation(files, { command: { argv: ["sh", "-c", script] } });
  expect(command).toMatchObject({ stdout: "a\nd\na.txt\nb\nfolder\n../a.txt\nc.txt\nd.txt\nnew.txt\n" });
});

it("leaves colours to the programs", async () => {
  expect(await run("echo $NO_COLOR$FORCE_COLOR-$CI")).toMatchObject({ stdout: "-1\n" });
});
