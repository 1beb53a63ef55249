import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLocalClient } from "../client/in-process.ts";
import type { DomainOptions } from "./options.ts";
import { requestFrom } from "./request.ts";

const rehearsed = { domain: "codebase", rehearse: true } as const;
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-given-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is stored of a library call, before anything is computed. */
async function submitted(options: DomainOptions) {
  const home = aFolder();
  const client = await openLocalClient({ home, env: {} });
  onTestFinished(() => client.close());
  const { body, trees } = await requestFrom("Make it.", options);
  const run = await client.run((await client.submit(body, trees)).id);
  if (!run) throw new Error("The run is not there.");
  const { tests } = JSON.parse(readFileSync(join(home, "runs", run.id, "task.json"), "utf8"));
  return { run, files: await client.output(run), tests };
}

it("lays given tests over the files to start from, by their contents or from a folder", async () => {
  const from = { "a.py": "a = 1\n", "test_a.py": "old\n" };
  const named = await submitted({ ...rehearsed, from, tests: { "./test_a.py": "new\n" } });
  expect(named).toMatchObject({ tests: ["test_a.py"], run: { options: { runTests: true, from: true } } });
  expect([...named.files].map(([path, bytes]) => [path, text(bytes)])).toEqual([
    ["a.py", "a = 1\n"],
    ["test_a.py", "new\n"],
  ]);
  const folder = aFolder();
  mkdirSync(join(folder, "tests"));
  writeFileSync(join(folder, "tests/test_b.py"), "b\n");
  const read = await submitted({ ...rehearsed, tests: folder });
  expect(read).toMatchObject({ tests: ["tests/test_b.py"], run: { options: { from: true } } });
});

it("runs tests unless they are turned off, and refuses given ones that are none or that nothing would run", async () => {
  expect((await submitted({ ...rehearsed, tests: false })).run.options.runTests).toBe(false);
  expect((await submitted({ ...rehearsed, tests: true })).run.options.runTests).toBe(true);
  expect((await submitted(rehearsed)).tests).toBeUndefined();
  await expect(submitted({ ...rehearsed, tests: {} })).rejects.toThrow(/are no files/);
  const book = { domain: "book", rehearse: true, tests: { "test_a.py": "" } } as const;
  await expect(submitted(book)).rejects.toThrow(/no tests are run/);
});

it("takes no secrets of a folder, and contents as they are given", async () => {
  const token = `ghp_${"Kq7Zr2Xw9Tb4Vn6M".repeat(3)}`;
  const folder = aFolder();
  for (const [name, content] of Object.entries({ "a.py": "a\n", ".env": "A=b\n", "b.py": token }))
    writeFileSync(join(folder, name), content);
  const pathsFrom = async (options: Partial<DomainOptions>) => {
    const { body, trees } = await requestFrom("Make it.", { ...rehearsed, ...options });
    expect(body).not.toHaveProperty("allowSecrets");
    return [...(trees.files?.keys() ?? [])].sort();
  };
  expect(await pathsFrom({ from: folder })).toEqual(["a.py"]);
  expect(await pathsFrom({ from: folder, allowSecrets: true })).toEqual(["a.py", "b.py"]);
  expect(await pathsFrom({ from: { ".env.test": "A=b\n", "b.py": token } })).toEqual([".env.test", "b.py"]);
});
