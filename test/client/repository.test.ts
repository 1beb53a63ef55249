/** Runs in a user's Git repository, through the real command and the real Git: results are commits on a branch. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TREE_BYTES } from "../../lib/core/limits.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write three parts.\n\n1. The first part.\n2. The second part.";

let models: ScriptedServer;
let bench: Bench;
let top: string;
beforeAll(async () => {
  models = await startProgramServer({ instructions: 3, ordinaryOnly: true });
});
afterAll(() => models.close());
beforeEach(() => {
  bench = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  top = join(bench.folder, "shop");
  mkdirSync(top);
  git("init", "--quiet", "--initial-branch=trunk");
  put("readme.md", "# Shop\n");
  put("bin/start.txt", "start\n");
  chmodSync(join(top, "bin/start.txt"), 0o755);
  put(".gitignore", "dist/\n.env\n");
  put(".env", "PASSWORD=not-for-you\n");
  put("dist/out.js", "built\n");
  commit("Begin the shop");
});
afterEach(() => bench.remove());

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd: top,
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: bench.folder },
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(top, path, ".."), { recursive: true });
  writeFileSync(join(top, path), content);
};
const commit = (message: string): void => {
  git("add", "--all");
  git("commit", "--quiet", "-m", message);
};
const inShop = (...args: string[]) => bench.start(args, { cwd: top }).ended();
/** All that a user sees of a repository, but for the new branches. */
const state = () => [git("rev-parse", "HEAD"), git("status", "--porcelain"), git("symbolic-ref", "-q", "HEAD")];

describe("a task in a working tree", () => {
  it("ends on a new branch with one commit per accepted step, and leaves the working tree as it was", async () => {
    const before = state();
    const { code, stdout, stderr } = await inShop(TASK, "--name", "parts");
    expect(stderr).toContain(`Repository ${top}: took 3 files, left out 2: 2 excluded by .gitignore.`);
    expect(code).toBe(0);
    expect(stdout).toBe("l2mac/parts\n");
    expect(state()).toEqual(before);
    expect(git("log", "--format=%s", "trunk..l2mac/parts").split("\n")).toEqual(["Part 3", "Part 2", "Part 1"]);
    expect(git("show", "l2mac/parts:parts/part-2.txt")).toBe("part 2\nof many");
    expect(git("diff", "--name-status", "trunk", "l2mac/parts").split("\n")).toEqual([
      "A\tparts/part-1.txt",
      "A\tparts/part-2.txt",
      "A\tparts/part-3.txt",
    ]);
    expect(git("ls-tree", "l2mac/parts", "bin/start.txt")).toMatch(/^100755/);
    expect(git("fsck", "--strict")).toBe("");
    expect(existsSync(join(top, "workspace"))).toBe(false);
  });

  it("says what changed, and the commands to look at it, merge it and throw it away; each of them works", async () => {
    const { stderr } = await inShop(TASK, "--name", "parts");
    expect(stderr).toContain("Branch l2mac/parts: 3 commits, 3 files changed, 6 insertions(+).");
    const [look = "", merge = "", drop = ""] = ["Look", "Merge", "Throw away"].map(
      (word) => new RegExp(`^${word}: git (.+)$`, "m").exec(stderr)?.[1],
    );
    expect(git(...look.split(" "))).toContain("part-3.txt");
    git(...merge.split(" "));
    expect(readFileSync(join(top, "parts/part-3.txt"), "utf8")).toBe("part 3\nof many\n");
    git(...drop.split(" "));
    expect(git("branch", "--list", "l2mac/*")).toBe("");
  });

  it("offers a merge that works where uncommitted changes are in its way", async () => {
    for (const change of [() => put("readme.md", "# My shop\n"), () => put("new.txt", "not added yet\n")]) {
      change();
      const { stderr } = await inShop(TASK, "--name", "parts");
      expect(stderr).toContain("Your uncommitted changes are in the way of a merge.");
      const merge = /^Merge: (.+)$/m.exec(stderr)?.[1] ?? "";
      expect(() => git("merge", "--quiet", "l2mac/parts")).toThrow();
      execFileSync("sh", ["-c", merge.replaceAll("git ", "git -c user.name=A -c user.email=a@b.c ")], { cwd: top });
      expect(git("status", "--porcelain")).toBe("");
      expect(readFileSync(join(top, "readme.md"), "utf8")).toBe("# My shop\n");
      git("branch", "--quiet", "-D", "l2mac/parts");
      git("rm", "--quiet", "-r", "parts");
      commit("Take the parts out");
    }
    expect(readFileSync(join(top, "new.txt"), "utf8")).toBe("not added yet\n");
  });

  it("gives each commit trailers for requirement, step, run, model and cost", async () => {
    const { stderr } = await inShop(TASK, "--name", "parts");
    const run = /run (\w{26})/.exec(stderr)?.[1];
    const trailers = git("log", "-1", "--format=%(trailers:unfold)", "l2mac/parts").split("\n").filter(Boolean);
    expect(trailers).toEqual(["Step: 3", `Run: ${run}`, "Model: scripted", expect.stringMatching(/^Cost: /)]);
    expect(git("log", "-1", "--format=%b", "l2mac/parts")).toContain("part 3 is written");
  });

  it("is named by status, with the branch that its files are on", async () => {
    await inShop(TASK, "--name", "parts");
    expect((await inShop("status")).stdout).toContain(`files     branch l2mac/parts in ${top}\n`);
  });

  it("keeps its branch when the run is deleted, and nothing else", async () => {
    await inShop(TASK, "--name", "parts");
    expect(git("for-each-ref", "refs/l2mac")).not.toBe("");
    expect((await inShop("delete", "parts", "--yes")).code).toBe(0);
    expect(git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
      "refs/heads/l2mac/parts",
      "refs/heads/trunk",
    ]);
  });

  it("keeps uncommitted changes as a commit of their own, and touches none of them", async () => {
    put("readme.md", "# My shop\n");
    put("new.txt", "not added yet\n");
    git("rm", "--quiet", "bin/start.txt");
    const before = state();
    const { code, stderr } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(stderr).toContain("Uncommitted changes in 3 files are part of the start");
    expect(state()).toEqual(before);
    expect(readFileSync(join(top, "readme.md"), "utf8")).toBe("# My shop\n");
    expect(git("log", "--format=%s", "trunk..l2mac/parts").split("\n").at(-1)).toMatch(/^Keep uncommitted changes/);
    expect(git("diff", "--name-status", "trunk", "l2mac/parts~3").split("\n")).toEqual([
      "D\tbin/start.txt",
      "A\tnew.txt",
      "M\treadme.md",
    ]);
  });

  it("keeps line ends as the repository has them, and what .gitattributes converts", async () => {
    put(".gitattributes", "*.txt text eol=crlf\n");
    put("notes.txt", "one\ntwo\n");
    commit("Add notes");
    rmSync(join(top, "notes.txt"));
    git("checkout", "--quiet", "notes.txt");
    expect(readFileSync(join(top, "notes.txt"), "utf8")).toBe("one\r\ntwo\r\n");
    const { code, stderr } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(stderr).not.toContain("Uncommitted");
    expect(git("diff", "--stat", "trunk", "l2mac/parts", "--", "notes.txt")).toBe("");
  });

  it("works from a subfolder on the whole repository, and with --in on that folder alone", async () => {
    const whole = await bench.start([TASK, "--name", "whole"], { cwd: join(top, "bin") }).ended();
    expect(whole.stderr).toContain("took 3 files");
    expect(git("ls-tree", "--name-only", "l2mac/whole", "parts/")).toContain("parts/part-1.txt");
    const part = await bench.run([TASK, "--name", "part", "--in", "shop/bin"]);
    expect(part).toMatchObject({ code: 0, stderr: expect.stringContaining("took 1 file.") });
    expect(part.stderr).toContain(`Merge: git -C ${top} merge l2mac/part`);
    expect(git("ls-tree", "--name-only", "l2mac/part", "bin/parts/")).toContain("bin/parts/part-1.txt");
    expect(git("ls-tree", "--name-only", "l2mac/part")).toContain("readme.md");
  });

  it("writes into a folder with --out, and starts without files with --new", async () => {
    const out = await inShop(TASK, "--out", "../made");
    expect(out).toMatchObject({ code: 0, stdout: `${join(bench.folder, "made")}\n` });
    expect(existsSync(join(bench.folder, "made/readme.md"))).toBe(true);
    const fresh = await inShop(TASK, "--new", "--name", "fresh");
    expect(fresh.stdout).toBe(`${join(top, "workspace/fresh")}\n`);
    expect(existsSync(join(top, "workspace/fresh/readme.md"))).toBe(false);
    expect(git("branch", "--list", "l2mac/*")).toBe("");
  });

  it("lists with --dry-run what a model would see, and changes nothing", async () => {
    const refs = git("for-each-ref");
    const { code, stdout, stderr } = await inShop(TASK, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toBe(".gitignore\nbin/start.txt\nreadme.md\n");
    expect(stderr).toContain("excluded by .gitignore: .env, dist/");
    expect(git("for-each-ref")).toBe(refs);
    expect(git("count-objects")).toMatch(/^\d+ objects/);
  });
});

describe("what is odd about a repository", () => {
  it("begins at the commit of a detached HEAD, and says so", async () => {
    git("checkout", "--quiet", "--detach");
    const { code, stderr } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(stderr).toContain(`HEAD is detached at ${git("rev-parse", "HEAD").slice(0, 12)}.`);
    expect(git("merge-base", "HEAD", "l2mac/parts")).toBe(git("rev-parse", "HEAD"));
  });

  it("makes a first commit where there is none", async () => {
    rmSync(join(top, ".git"), { recursive: true });
    git("init", "--quiet", "--initial-branch=trunk");
    const { code } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(git("log", "--format=%s", "l2mac/parts").split("\n")).toHaveLength(4);
    expect(git("status", "--porcelain")).toContain("?? readme.md");
  });

  it("takes another name where the branch exists, and where a branch l2mac leaves no room", async () => {
    git("branch", "l2mac/parts");
    expect((await inShop(TASK, "--name", "parts")).stdout).toBe("l2mac/parts-2\n");
    git("branch", "-D", "l2mac/parts", "l2mac/parts-2");
    git("branch", "l2mac");
    expect((await inShop(TASK, "--name", "others")).stdout).toBe("l2mac-others\n");
  });

  it("leaves commits of others on the branch, and makes another one", async () => {
    const first = await inShop(TASK, "--name", "parts", "--max-turns", "5");
    expect(first.code).toBe(7);
    git("checkout", "--quiet", "l2mac/parts");
    put("mine.txt", "mine\n");
    commit("Go on by hand");
    git("checkout", "--quiet", "trunk");
    const mine = git("rev-parse", "l2mac/parts");
    const second = await inShop("resume", "--max-turns", "50");
    expect(second.stdout).toBe("l2mac/parts-2\n");
    expect(second.stderr).toContain("Branch l2mac/parts was moved or is checked out: it was left");
    expect(git("rev-parse", "l2mac/parts")).toBe(mine);
  });

  it("never shows the secrets of tracked files, and keeps these files on the branch", async () => {
    put("key.pem", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n");
    put("config.txt", `token = "ghp_${"Kq7Zr2Xw9Tb4Vn6M".repeat(3)}"\n`);
    commit("Add what should not be here");
    const { code, stderr } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(stderr).toMatch(/secret: config\.txt:1 .*--allow-secrets takes such files/);
    expect(git("diff", "--name-only", "trunk", "l2mac/parts")).not.toMatch(/key\.pem|config\.txt/);
  });

  it("runs no hook and no program that its configuration names", async () => {
    const proof = join(bench.folder, "ran");
    put(".git/hooks/reference-transaction", `#!/bin/sh\ntouch ${proof}\n`);
    chmodSync(join(top, ".git/hooks/reference-transaction"), 0o755);
    git("config", "core.fsmonitor", `touch ${proof}`);
    git("config", "filter.x.clean", `touch ${proof}; cat`);
    put(".gitattributes", "*.md filter=x\n");
    const { code } = await inShop(TASK, "--name", "parts");
    expect(code).toBe(0);
    expect(existsSync(proof)).toBe(false);
  });

  it("refuses what it cannot do in one line, with nothing changed", async () => {
    const refs = git("for-each-ref");
    const cases: [string[], RegExp][] = [
      [["--in", ".."], /is in no Git working tree/],
      [["--in", "nowhere"], /is in no Git working tree|no such/i],
      [["--in", ".", "--new"], /--in and --new exclude each other/],
      [["--in", ".", "--from", "."], /--from and --in exclude each other/],
      [["--after", "zzzzzz"], /There (are no runs|is no run)/],
    ];
    for (const [flags, expected] of cases) {
      const { code, stderr } = await inShop(TASK, ...flags);
      expect([flags, code]).toEqual([flags, 2]);
      expect(stderr).toMatch(expected);
      expect(stderr).not.toMatch(/ at .*:\d+:\d+/);
    }
    expect(git("for-each-ref")).toBe(refs);
  });

  it("says of a repository that is too large what else can be done", async () => {
    put("large.bin", "");
    // Its size alone is read, and takes no room on the disk.
    truncateSync(join(top, "large.bin"), TREE_BYTES + 1);
    const { code, stderr } = await inShop(TASK);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--in a smaller folder of it, or --new/);
  });
});

describe("going on", () => {
  it("starts after another run, on its branch", async () => {
    await inShop(TASK, "--name", "first");
    const { stdout, stderr } = await inShop(TASK, "--after", "first", "--name", "second");
    expect(stderr).toMatch(/Run \w{6} \(first\): took 6 files\./);
    expect(stdout).toBe("l2mac/second\n");
    expect(git("merge-base", "l2mac/first", "l2mac/second")).toBe(git("rev-parse", "l2mac/first"));
    expect(git("log", "--format=%s", "l2mac/first..l2mac/second").split("\n")).toHaveLength(3);
  });

  it("goes back to before an instruction on a new branch, which begins at the commit of the step before", async () => {
    await inShop(TASK, "--name", "first");
    const before = state();
    const { code, stdout } = await inShop("back", "first", "--to", "3", "--name", "again");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "l2mac/again\n" });
    expect(git("merge-base", "l2mac/first", "l2mac/again")).toBe(git("rev-parse", "l2mac/first~1"));
    expect(git("log", "--format=%s", "trunk..l2mac/again").split("\n")).toEqual(["Part 3", "Part 2", "Part 1"]);
    expect(git("diff", "--stat", "l2mac/first", "l2mac/again")).toBe("");
    expect(state()).toEqual(before);
    expect(existsSync(join(top, "workspace"))).toBe(false);
    await inShop("back", "again", "--to", "1", "--name", "third");
    expect(git("merge-base", "l2mac/again", "l2mac/third")).toBe(git("rev-parse", "l2mac/again~1"));
    expect((await inShop("back", "first", "--to", "2", "--out", "files")).stdout).toBe(`${join(top, "files")}\n`);
  });

  it("starts after a run outside of repositories, into a folder of its own", async () => {
    const first = await bench.run([TASK, "--name", "first"]);
    appendFileSync(join(first.stdout.trim(), "parts/part-1.txt"), "changed by hand\n");
    const second = await bench.run([TASK, "--after", "first", "--name", "second"]);
    expect(second.stdout).toBe(`${join(bench.folder, "workspace/second")}\n`);
    expect(bench.read("workspace/second/parts/part-1.txt")).toBe("part 1\nof many\n");
  });

  it("writes any run as a repository or a bundle, with the same ids each time", async () => {
    await bench.run([TASK, "--name", "plain"]);
    const out = await bench.run(["git", "plain", "--out", "repo"]);
    expect(out).toMatchObject({ code: 0, stdout: `${join(bench.folder, "repo")}\n` });
    top = join(bench.folder, "repo");
    expect(git("log", "--format=%s").split("\n")).toEqual(["Part 3", "Part 2", "Part 1"]);
    expect([git("status", "--porcelain"), git("fsck", "--strict")]).toEqual(["", ""]);
    const bundle = await bench.run(["git", "plain", "--bundle", "run.bundle"]);
    expect(bundle.code).toBe(0);
    git("clone", "--quiet", join(bench.folder, "run.bundle"), "../again");
    const id = git("rev-parse", "HEAD");
    top = join(bench.folder, "again");
    expect(git("rev-parse", "HEAD")).toBe(id);
    expect(await bench.run(["git", "plain", "--out", "repo"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing in it is overwritten"),
    });
    expect(await bench.run(["git", "plain"])).toMatchObject({ code: 2 });
  });
});
