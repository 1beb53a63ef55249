import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readSharedTree } from "./shared-tree.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-shared-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const write = (name: string, content = "x\n"): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
};
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, stdio: "pipe" });
const shared = async (path = root) => {
  const { files, leftOut } = await readSharedTree(path, { output: join(root, "workspace") });
  return { names: [...files.keys()].sort(), leftOut };
};

describe("what .gitignore excludes", () => {
  const lay = () => {
    write(".gitignore", "*.log\n!kept.log\n/dist/\n**/cache/*.bin\n");
    write("sub/.gitignore", "local.txt\n!seen.log\n");
    for (const name of ["a.js", "b.log", "kept.log", "dist/a.js", "sub/dist/a.js", "sub/local.txt", "sub/seen.log"])
      write(name);
    for (const name of ["x/cache/a.bin", "x/cache/a.txt", "local.txt"]) write(name);
  };
  const taken = [".gitignore", "a.js", "kept.log", "local.txt", "sub/.gitignore", "sub/dist/a.js", "sub/seen.log"];

  it("is left out and named, in a folder that is no repository too", async () => {
    lay();
    const { names, leftOut } = await shared();
    expect(names).toEqual([...taken, "x/cache/a.txt"]);
    expect(leftOut.map(({ path }) => path)).toEqual(["b.log", "dist/", "sub/local.txt", "x/cache/a.bin"]);
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(["excluded by .gitignore"]));
  });

  it("is taken where Git tracks it; info/exclude counts, and so do files above a folder of the tree", async () => {
    lay();
    git("init", "-q");
    git("add", "-f", "b.log");
    write(".git/info/exclude", "/a.js\n");
    write("sub/c.log");
    const { names } = await shared();
    expect(names).toContain("b.log");
    expect(names).not.toContain("a.js");
    expect((await shared(join(root, "sub"))).names).toEqual([".gitignore", "dist/a.js", "seen.log"]);
  });

  it("is what files on disk say, with a detached HEAD and uncommitted changes, in a linked working tree", async () => {
    write("a.txt");
    write("gone.txt");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "a");
    git("worktree", "add", "-q", "--detach", "linked");
    rmSync(join(root, "linked/gone.txt"));
    write("linked/new.txt");
    write("linked/a.txt", "changed\n");
    const { files } = await readSharedTree(join(root, "linked"));
    expect([...files.keys()].sort()).toEqual(["a.txt", "new.txt"]);
    expect(Buffer.from(files.get("a.txt") ?? []).toString()).toBe("changed\n");
    expect((await shared()).leftOut).toEqual([
      { path: "linked", reason: "submodule", detail: "a submodule or a Git repository of its own" },
    ]);
  });
});

describe("the folder of earlier output", () => {
  it("is left out, but not where Git tracks it", async () => {
    write("a.js");
    write("workspace/first/a.js");
    const { names, leftOut } = await shared();
    expect(names).toEqual(["a.js"]);
    expect(leftOut).toEqual([{ path: "workspace/", reason: "output of earlier runs" }]);
    git("init", "-q");
    git("add", "workspace");
    expect((await shared()).names).toEqual(["a.js", "workspace/first/a.js"]);
  });
});

describe("a hostile repository", () => {
  it("starts no program by its configuration", async () => {
    write("a.js");
    git("init", "-q");
    git("add", ".");
    write("evil", `#!/bin/sh\ntouch ${join(root, "started")}\n`);
    execFileSync("chmod", ["+x", join(root, "evil")]);
    for (const name of ["core.fsmonitor", "core.sshCommand", "core.pager", "core.askPass", "filter.x.clean"])
      git("config", name, join(root, "evil"));
    write(".gitattributes", "* filter=x\n");
    git("config", "core.worktree", "/etc");
    expect((await shared()).names).toEqual([".gitattributes", "a.js", "evil"]);
    expect(existsSync(join(root, "started"))).toBe(false);
  });

  it("leads to no file outside, by an index that names one behind a link", async () => {
    write("d/passwd");
    git("init", "-q");
    git("add", ".");
    rmSync(join(root, "d"), { recursive: true });
    symlinkSync("/etc", join(root, "d"));
    expect((await shared()).names).toEqual([]);
  });

  it("with an index that is none is refused in one line", async () => {
    write("a.js");
    git("init", "-q");
    write(".git/index", "no index, and long enough for a header of one");
    await expect(shared()).rejects.toThrow(/^--from .*: \.gitignore cannot be followed: bad signature 0x\w+\.$/);
  });
});

describe("without Git", () => {
  it("a folder is refused only where .gitignore or a repository asks for it", async () => {
    write("a.js");
    vi.stubEnv("PATH", root);
    expect((await shared()).names).toEqual(["a.js"]);
    write("sub/.gitignore", "b\n");
    await expect(shared()).rejects.toThrow(/\.gitignore cannot be followed: Git is not installed\.$/);
  });
});
