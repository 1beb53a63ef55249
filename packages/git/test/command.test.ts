/** The command against Git's own server: a run from a repository, pushed and written as a folder, as docs/repository.md has it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { type ServedRepository, startServedRepository } from "../../../test/servers/stage-repository.ts";

const TOKEN = "t0ken-of-the-command";
const page = readFileSync(new URL("../../../docs/repository.md", import.meta.url), "utf8");
const section = page.split(/^## /m).find((text) => text.startsWith("A repository on a server")) ?? "";
const lines = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));

let bench: Bench;
let model: ScriptedServer;
let served: ServedRepository;

beforeAll(async () => {
  served = await startServedRepository(TOKEN, { "README.md": "# Shop\n", ".env": "A=b\n" });
  model = await startProgramServer({ instructions: 2 });
  bench = aBench({
    ...{ L2MAC_GIT_TOKEN: TOKEN, L2MAC_GIT_HOST: served.host },
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "example-key", L2MAC_MODEL: "scripted" },
  });
});
afterAll(async () => {
  await Promise.all([served.close(), model.close()]);
  bench.remove();
});

/** A line of the page, with the address of the server and the name of the run. */
function type(line: string, run = ""): ReturnType<Bench["run"]> {
  const words = line
    .replaceAll("https://github.com/ann/shop", served.url)
    .replaceAll("<run>", run)
    .match(/"[^"]*"|\S+/g);
  const [npx, l2mac, ...args] = (words ?? []).map((word) => word.replaceAll('"', ""));
  expect([npx, l2mac]).toEqual(["npx", "l2mac"]);
  return bench.run([...args, ...(args.includes("--from") ? ["--model", "scripted"] : [])]);
}

describe("a repository on a server", () => {
  it("is listed, worked on, pushed and written by the commands of the page", async () => {
    const [list = "", work = "", again = "", folder = "", ...rest] = lines.filter((line) => line.startsWith("npx"));
    expect(rest).toEqual([]);
    const listed = await type(list);
    expect(listed, listed.stderr).toMatchObject({ code: 0, stdout: "README.md\n" });
    expect(listed.stderr).toContain("left out 1: 1 .env file");

    const worked = await type(work);
    expect(worked.code, worked.stderr).toBe(0);
    const id = /run (\w{26})/.exec(worked.stderr)?.[1] ?? "";
    const status = await bench.run(["status"]);
    expect(status.stdout).toContain(`start     ${served.url}#main at ${served.head}`);
    const [, branch = ""] = /pushed {4}branch (\S+) at/.exec(status.stdout) ?? [];
    const tip = served.ask("rev-parse", branch);
    expect(served.ask("rev-parse", `${branch}~2`)).toBe(served.head);
    expect(worked.stderr).toContain(`Pushed 2 commits to branch ${branch}`);

    const repeated = await type(again, id);
    expect(repeated, repeated.stderr).toMatchObject({ code: 0, stdout: `${branch}\n` });
    expect(served.ask("rev-parse", branch)).toBe(tip);

    const written = await type(folder, id);
    expect(written.code, written.stderr).toBe(0);
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: written.stdout.trim(), encoding: "utf8" }).trim();
    // The same commits, with the same ids.
    expect(git("rev-parse", "main")).toBe(tip);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("fsck", "--strict")).not.toMatch(/error|missing/);
  });

  it("leaves the token in no output and in no file", async () => {
    const wrong = await bench.run([
      "run",
      "x",
      "--from",
      served.url.replace("//", "//ann:pass-w0rd@"),
      "--model",
      "scripted",
    ]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("a user or a password in it") });
    expect(wrong.stderr).not.toContain("pass-w0rd");
    const files = readdirSync(bench.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
    const sent = JSON.stringify(model.requests);
    for (const secret of [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString("base64")]) {
      expect(stored).not.toContain(secret);
      expect(sent).not.toContain(secret);
    }
  });

  it("says in one line what is wrong, and what --push lacks", async () => {
    const lacks = await bench.run(["run", "x", "--push", "--new", "--model", "scripted"]);
    expect(lacks).toMatchObject({ code: 2, stderr: expect.stringContaining("--push needs --from") });
    const ssh = await bench.run(["run", "x", "--from", "git@github.com:ann/shop.git", "--model", "scripted"]);
    expect(ssh).toMatchObject({ code: 2, stderr: expect.stringContaining("only addresses with https://") });
  });
});
