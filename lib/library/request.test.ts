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

it("starts from a Git repository by its address, and says what is wrong with one without repeating it", async () => {
  const from = "https://git.example.org/ann/shop#v1.2";
  const { run, files } = await submitted({ ...rehearsed, from, push: true });
  expect(run).toMatchObject({ git: { url: "https://git.example.org/ann/shop", ref: "v1.2", push: true }, packed: -1 });
  expect(files.size).toBe(0);
  const problem = async (given: Partial<DomainOptions>): Promise<string> =>
    requestFrom("Make it.", { ...rehearsed, ...given }).then(
      () => "",
      (error: Error) => error.message,
    );
  const hidden = await problem({ from: "https://ann:pass-w0rd@git.example.org/ann/shop" });
  expect(hidden).toContain("a user or a password in it");
  expect(hidden).not.toContain("pass-w0rd");
  expect(await problem({ from: "ssh://git@git.example.org/ann/shop" })).toContain("only addresses with https://");
  expect(await problem({ from: "https://git.example.org" })).toContain("no repository");
  expect(await problem({ from: "https://git.example.org/a/b#--upload-pack=x" })).toContain("after # comes");
  expect(await problem({ from: { "a.txt": "a" }, push: true })).toContain("push needs the address");
});

it("is refused by the API where a repository comes with files, or a push without a repository", async () => {
  const client = await openLocalClient({ home: aFolder(), env: {} });
  onTestFinished(() => client.close());
  const body = { task: "Make it.", model: "rehearsal" };
  const from = "https://git.example.org/ann/shop";
  const trees = { files: new Map([["a.txt", new TextEncoder().encode("a")]]) };
  await expect(client.submit({ ...body, from }, trees)).rejects.toThrow(/from files that are sent/);
  await expect(client.submit({ ...body, push: true })).rejects.toThrow(/give `from`/);
  await expect(client.submit({ ...body, from: "http://ann:pw@git.example.org/x" })).rejects.toThrow(/password in it/);
});
