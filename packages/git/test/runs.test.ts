/** Runs that start from a Git server and are pushed to it: what is recorded, what goes wrong, and where no token is. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GitOrigin } from "../../../lib/core/git/origin.ts";
import type { GitServers } from "../../../lib/core/git/servers.ts";
import { endingWords } from "../../../lib/core/run/ending-words.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import { fileStoreKeys } from "../../../lib/registry/keys.ts";
import { aSubmission, compute, type TestMachine } from "../../../test/doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../../../test/doubles/mortal-storage.ts";
import { openedMachines } from "../../../test/doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../../../test/doubles/scripted-model.ts";
import { type GitServer, git, serveRepository, startGitServer } from "../../../test/servers/git-server.ts";
import { createGitHubApi, type GitHubApi } from "../../../test/servers/github-api.ts";
import { createGitServers } from "../servers.ts";

const TOKEN = "t0ken-that-appears-nowhere";
const { opened } = openedMachines();
const signal = new AbortController().signal;
const writes = writerOf(2, (n) => [{ path: `made/${n}.txt`, content: `${n}\n` }]);

let root: string;
let head: string;
let server: GitServer;
const bare = (): string => join(root, "shop.git");

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "l2mac-git-runs-"));
  const work = join(root, "work");
  mkdirSync(work);
  git(work, "init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries({ "README.md": "# Shop\n", "src.txt": "src\n", ".env": "A=b\n" }))
    writeFileSync(join(work, path), text);
  git(work, "add", "--all", "--force");
  git(work, "commit", "--quiet", "--message", "Begin");
  head = git(work, "rev-parse", "HEAD");
  serveRepository(root, "shop.git", work);
  server = await startGitServer({ root, token: TOKEN });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const servers = (token: string | undefined = TOKEN): GitServers =>
  createGitServers({
    allowPrivate: true,
    hostOf: async (host) => (host === server.host && token !== undefined ? { host, token } : undefined),
  });
const origin = (more: Partial<GitOrigin> = {}): GitOrigin => ({ url: `${server.url}/shop.git`, ...more });
const submission = (name: string, more: Partial<GitOrigin> = {}) =>
  aSubmission({ options: { reflect: 0 }, submission: { name, git: origin(more) } });
const eventsOf = async (machine: TestMachine, run: Run): Promise<string> =>
  JSON.stringify(await machine.registry.events(run.id, { after: 0, limit: 500 }));

describe("a run that starts from a Git server", () => {
  it("is computed on its files, says what was left out, records the commit, and is pushed", async () => {
    const machine = opened({ model: scriptedModel(writes), git: servers() });
    const run = await compute(machine, await submission("first", { push: true }));
    expect(run).toMatchObject({ status: "completed", files: 4, options: { from: true } });
    const tip = git(bare(), "rev-parse", "l2mac/first");
    expect(run.git).toEqual({
      ...{ url: `${server.url}/shop.git`, push: true, commit: head, base: "main" },
      pushed: { branch: "l2mac/first", commit: tip },
    });
    // It goes to webhooks, which get nothing of files and repositories.
    expect(run.detail).toBe("Completed.");
    expect(await eventsOf(machine, run)).toContain(`Pushed 2 commits to branch l2mac/first of ${server.url}/shop.git`);
    expect(git(bare(), "log", "--format=%s", `${head}..l2mac/first`).split("\n")).toEqual(["Part 2", "Part 1"]);
    expect(git(bare(), "diff", "--name-status", head, "l2mac/first")).toBe("A\tmade/1.txt\nA\tmade/2.txt");
    expect(await eventsOf(machine, run)).toContain(`at ${head.slice(0, 12)}: took 2 files, left out 1: 1 .env file.`);
    const report = JSON.parse(Buffer.from((await machine.files.get(fileStoreKeys(run.id).report)) ?? []).toString());
    expect(report.repository).toEqual(run.git);
    expect(await machine.replay(run.id)).toMatchObject({ treeHash: expect.any(String) });
  });

  it("leaves the token in no file of its home, and sends it to no other host", async () => {
    const home = mkdtempSync(join(tmpdir(), "l2mac-git-home-"));
    const machine = opened({ model: scriptedModel(writes), git: servers(), home });
    await compute(machine, await submission("secret", { push: true }));
    machine.close();
    const stored = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
      .join("\n");
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    expect(stored).toContain(head);
    for (const secret of [TOKEN, basic, basic.slice(8, 40)]) expect(stored).not.toContain(secret);
  });

  it("ends with what is wrong where the token is, and goes on once it is right", async () => {
    const storage = lastingStorage();
    const wrong = opened({ model: scriptedModel(writes), storage, git: servers("wr0ng-token") });
    const run = await compute(wrong, await submission("later"));
    expect(run).toMatchObject({ status: "failed", reason: "repository", instructions: 0, turns: 0 });
    expect(run.detail).toMatch(/could not be read\. http:\S+: it refuses the token: 401/);
    expect(JSON.stringify(run) + (await eventsOf(wrong, run))).not.toContain("wr0ng");
    const right = opened({ model: scriptedModel(writes), storage, git: servers() });
    await right.resume(run.id, {});
    expect(await right.compute(run.id, signal)).toMatchObject({ status: "completed", git: { commit: head } });
  });

  it("waits for a server that is down, and gives up in the end", async () => {
    let down = 2;
    server.intercept((_request, response) => {
      down -= 1;
      if (down < 0) return false;
      response.writeHead(503).end();
      return true;
    });
    const machine = opened({ model: scriptedModel(writes), git: servers() });
    const run = await compute(machine, await submission("patient"));
    expect(run).toMatchObject({ status: "completed", failures: 0 });
    expect(await eventsOf(machine, run)).toContain("it answered 503");
    down = Number.POSITIVE_INFINITY;
    expect(await compute(machine, await submission("hopeless"))).toMatchObject({
      ...{ status: "failed", reason: "repository", detail: expect.stringContaining("it answered 503") },
    });
    server.intercept(undefined);
  });

  it("keeps its result where a push is refused, and says how it is repeated", async () => {
    const hook = join(bare(), "hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'The branch is protected' >&2\nexit 1\n", { mode: 0o755 });
    const machine = opened({ model: scriptedModel(writes), git: servers() });
    const run = await compute(machine, await submission("protected", { push: true }));
    rmSync(hook);
    expect(run.status).toBe("completed");
    expect(run.git?.pushed).toBeUndefined();
    expect(run.detail).toBe("Completed. Its commits were not pushed, which can be repeated.");
    expect(await eventsOf(machine, run)).toMatch(/not pushed, which can be repeated\. .*The branch is protected/);
    expect(endingWords(run, { folder: "shop", files: 4 }).next).toEqual([
      { command: "git", args: [run.id.slice(-6), "--push"], note: "pushes its commits" },
    ]);
  });

  it("lays the tests that a user gives over what is fetched", async () => {
    const tests = new Map([["test/given.test.js", Buffer.from("given\n")]]);
    const given = await aSubmission({
      options: { reflect: 0, from: true },
      submission: { name: "given", git: origin(), from: tests, tests: [...tests.keys()] },
    });
    const machine = opened({ model: scriptedModel(writes), git: servers() });
    const run = await compute(machine, given);
    expect(run.files).toBe(5);
    const paths = (await machine.registry.allFiles(run.id)).map(({ path }) => path).sort();
    expect(paths).toEqual(["README.md", "made/1.txt", "made/2.txt", "src.txt", "test/given.test.js"]);
  });

  it("starts from the commit that its branch had first, whatever is pushed there between two attempts", async () => {
    const storage = lastingStorage();
    const moved = "refs/heads/moving";
    git(bare(), "update-ref", moved, head);
    const [tree, parent] = [git(bare(), "rev-parse", `${head}^{tree}`), head];
    const own = servers();
    // The process dies in the fetch, after the commit was resolved.
    const dying = opened({
      ...{ model: scriptedModel(writes), storage },
      git: { ...own, fetch: () => Promise.reject(new Error("process killed")) },
    });
    const run = await dying.submit(await submission("moving", { ref: "moving" }));
    await dying.compute(run.id, signal).catch(() => {});
    expect((await dying.registry.run(run.id))?.git).toMatchObject({ resolved: head });
    git(bare(), "update-ref", moved, git(bare(), "commit-tree", tree, "-p", parent, "-m", "Move"));
    const heir = opened({ model: scriptedModel(writes), storage, git: servers() });
    await heir.sweep();
    await heir.resume(run.id, {}).catch(() => {});
    const done = await heir.compute(run.id, signal);
    expect(done).toMatchObject({ status: "completed" });
    expect(done.git).toEqual({ url: `${server.url}/shop.git`, ref: "moving", commit: head, base: "moving" });
  });

  it("keeps the files that it started from where an attempt that lost it still stores its own", async () => {
    const storage = lastingStorage();
    const own = servers();
    const heirIsDone = Promise.withResolvers<void>();
    const isFetching = Promise.withResolvers<void>();
    const late = opened({
      ...{ model: scriptedModel(writes), storage },
      git: {
        ...own,
        async fetch(asked, during) {
          const fetched = await own.fetch(asked, during);
          isFetching.resolve();
          await heirIsDone.promise;
          return { ...fetched, files: new Map([["other.txt", Buffer.from("other\n")]]), outline: Buffer.from("other") };
        },
      },
    });
    const { id } = await late.submit(await submission("late"));
    const ending = late.compute(id, signal).catch((error: unknown) => error);
    await isFetching.promise;
    const heir = opened({ model: scriptedModel(writes), storage, git: own });
    expect(await heir.compute(id, signal)).toMatchObject({ status: "completed", files: 4 });
    const keys = [fileStoreKeys(id).pack(0), fileStoreKeys(id).outline];
    const stored = await Promise.all(keys.map((key) => storage.files.get(key)));
    heirIsDone.resolve();
    await ending;
    expect(await Promise.all(keys.map((key) => storage.files.get(key)))).toEqual(stored);
    expect(await heir.registry.run(id)).toMatchObject({ status: "completed", files: 4 });
  });

  it("is fetched and pushed once, whenever its process dies", async () => {
    const calm = mortalStorage(lastingStorage(), { call: 0, when: "before" });
    const whole = opened({ model: scriptedModel(writes), storage: calm, git: servers() });
    const expected = await compute(whole, await submission("calm", { push: true }));
    expect(expected.status).toBe("completed");
    const before = git(bare(), "for-each-ref", "refs/heads").split("\n").length;
    // In the fetch, around the push, and in between.
    const last = calm.calls();
    const deaths = [6, 8, 10, 12, last - 6, last - 4, last - 2];
    for (const [index, call] of deaths.entries()) {
      const lasting = lastingStorage();
      const when = index % 2 === 0 ? "before" : "after";
      const storage = mortalStorage(lasting, { call, when });
      const dying = opened({ model: scriptedModel(writes), storage, git: servers() });
      await compute(dying, await submission(`death-${call}`, { push: true })).catch(() => {});
      expect(storage.isDead()).toBe(true);
      const heir = opened({ model: scriptedModel(writes), storage: lasting, git: servers() });
      const [id = ""] = (await heir.registry.runs({ owner: "local", limit: 1 })).runs.map((run) => run.id);
      let run = await heir.registry.run(id);
      if (run && run.status !== "completed") {
        await heir.sweep();
        await heir.resume(id, {}).catch(() => {});
        run = await heir.compute(id, signal);
      }
      expect(run).toMatchObject({ status: "completed", git: { pushed: { branch: `l2mac/death-${call}` } } });
      const tree = git(bare(), "rev-parse", `l2mac/death-${call}^{tree}`);
      expect(tree).toBe(git(bare(), "rev-parse", "l2mac/calm^{tree}"));
    }
    expect(git(bare(), "for-each-ref", "refs/heads").split("\n")).toHaveLength(before + deaths.length);
    expect(git(bare(), "fsck", "--full", "--strict")).not.toMatch(/error|missing/);
  });
});

describe("a pull request on GitHub", () => {
  const github = (): GitServers =>
    createGitServers({
      allowPrivate: true,
      hostOf: async (host) => (host === server.host ? { host, token: TOKEN, api: `${server.url}/api/v3` } : undefined),
    });
  /** Repositories of GitHub have an owner. */
  const owned = async (name: string): ReturnType<typeof submission> =>
    submission(name, { url: `${server.url}/ann/shop.git`, push: true });
  let api: GitHubApi;

  beforeAll(() => {
    mkdirSync(join(root, "ann"), { recursive: true });
    serveRepository(root, "ann/shop.git", join(root, "work"));
    api = createGitHubApi(TOKEN);
    server.intercept((request, response) => api.answers(request, response));
  });

  it("is opened for the branch, with requirements and cost, as GitHub's description wants it", async () => {
    const machine = opened({ model: scriptedModel(writes), git: github() });
    const run = await compute(machine, await owned("pull"));
    const [pull] = api.pulls;
    expect(run.git?.pushed?.pullRequest).toBe("https://github.example/ann/shop/pull/1");
    expect(await eventsOf(machine, run)).toContain("Pull request: https://github.example/ann/shop/pull/1");
    expect(pull).toMatchObject({ head: "l2mac/pull", base: "main", title: run.title });
    expect(pull?.body).toMatch(/^2 of 2 instructions accepted[\s\S]*1\. `Part 1`[\s\S]*Cost: \$\d/);
    expect(api.faults).toEqual([]);
  });

  it("is a new one where an older one of a branch of the same name was merged", async () => {
    const older = { title: "Old", body: "", head: "l2mac/reused", base: "main" };
    api.pulls.push({ ...older, html_url: "https://github.example/ann/shop/pull/old", isMerged: true });
    const machine = opened({ model: scriptedModel(writes), git: github() });
    const run = await compute(machine, await owned("reused"));
    expect(run.git?.pushed?.pullRequest).toBe(api.pulls.at(-1)?.html_url);
    expect(run.git?.pushed?.pullRequest).not.toContain("old");
    expect(api.faults).toEqual([]);
  });

  it("is one, where the answer to the first was lost", async () => {
    api.next = "lost";
    const machine = opened({ model: scriptedModel(writes), git: github() });
    const run = await compute(machine, await owned("once"));
    expect(api.pulls.filter(({ head }) => head === "l2mac/once")).toHaveLength(1);
    expect(run.git?.pushed?.pullRequest).toBe(api.pulls.at(-1)?.html_url);
  });

  it("that may not be opened leaves the branch, and says what GitHub says", async () => {
    api.next = "forbidden";
    const machine = opened({ model: scriptedModel(writes), git: github() });
    const run = await compute(machine, await owned("forbidden"));
    expect(run.git?.pushed).toEqual({ branch: "l2mac/forbidden", commit: expect.any(String) });
    expect(await eventsOf(machine, run)).toMatch(
      /no pull request: GitHub's API: .*403 .*not accessible by personal access token/,
    );
    expect(api.faults).toEqual([]);
  });
});
