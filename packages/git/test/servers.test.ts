/** Git servers as a run uses them, against Git's own server: what is fetched, what is pushed, and what is refused. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitError, type GitStep, type PushRequest } from "../../../lib/core/git/servers.ts";
import { exportToFolder } from "../../../lib/files/git/export-repository.ts";
import { projectFile } from "../../../lib/files/project-files.ts";
import { type GitServer, git, serveRepository, startGitServer } from "../../../test/servers/git-server.ts";
import { createGitServers, type GitServersParts } from "../servers.ts";

const TOKEN = "s3cret-t0ken-of-the-server";
const signal = new AbortController().signal;

let root: string;
let work: string;
let head: string;
let server: GitServer;

/** A package of the registry as a repository, with all that is odd in one. */
function makeWork(folder: string): void {
  mkdirSync(folder);
  cpSync(projectFile("node_modules/smol-toml"), folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--message", "Add the package");
  git(folder, "tag", "--annotate", "--message", "The first", "v1");
  writeFileSync(join(folder, "run.sh"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
  writeFileSync(join(folder, ".env"), "KEY=abc\n");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
  writeFileSync(join(folder, "film.mp4"), pointer);
  mkdirSync(join(folder, "docs"));
  mkdirSync(join(folder, "node_modules/x"), { recursive: true });
  writeFileSync(join(folder, "node_modules/x/index.js"), "1;\n");
  writeFileSync(join(folder, "docs/guide ö.md"), "Guide\n");
  symlinkSync("docs/guide ö.md", join(folder, "GUIDE.md"));
  symlinkSync("../../etc/passwd", join(folder, "docs/passwd"));
  git(folder, "add", "--all", "--force");
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${"b".repeat(40)},vendor/sub`);
  git(folder, "commit", "--quiet", "--message", "Add what is odd");
}

const parts = (more: Partial<GitServersParts> = {}): GitServersParts => ({
  allowPrivate: true,
  hostOf: async (host) => (host === server.host ? { host, token: TOKEN } : undefined),
  ...more,
});
const servers = (more?: Partial<GitServersParts>) => createGitServers(parts(more));
const url = (name = "shop.git"): string => `${server.url}/${name}`;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "l2mac-git-server-"));
  work = join(root, "work");
  makeWork(work);
  head = git(work, "rev-parse", "HEAD");
  serveRepository(root, "shop.git", work);
  serveRepository(root, "empty.git");
  serveRepository(root, "future.git", undefined, "--object-format=sha256");
  server = await startGitServer({ root, token: TOKEN });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

describe("fetching what a run starts from", () => {
  it("takes the files of the branch that HEAD names, and says what is left out", async () => {
    const fetched = await servers().fetch({ url: url() }, signal);
    expect(fetched).toMatchObject({ commit: head, base: "main" });
    const names = [...fetched.files.keys()];
    expect(names).toContain("docs/guide ö.md");
    expect(names).toContain("run.sh");
    expect(names).not.toContain(".env");
    expect(names.some((name) => name.startsWith("node_modules/"))).toBe(false);
    expect(
      Buffer.from(fetched.files.get("package.json") ?? [])
        .toString()
        .trim(),
    ).toBe(git(work, "show", "HEAD:package.json"));
    expect(JSON.parse(Buffer.from(fetched.files.get(".l2mac-links.json") ?? []).toString())).toEqual({
      "GUIDE.md": "docs/guide ö.md",
    });
    expect(fetched.leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
      ".env: .env file",
      "docs/passwd: link",
      "film.mp4: LFS pointer",
      "vendor/sub: submodule",
    ]);
  });

  it("takes every file of the tree with the bytes that Git has", async () => {
    const { files } = await servers().fetch({ url: url(), allowSecrets: true }, signal);
    const listed = git(work, "ls-tree", "-r", "HEAD").split("\n");
    for (const each of listed) {
      const [, , id = "", path = ""] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(each) ?? [];
      const content = files.get(path);
      if (content) expect(git(work, "cat-file", "-s", id)).toBe(String(content.length));
    }
    expect(files.size).toBeGreaterThan(10);
  });

  it.each([
    ["a branch", "main", () => head],
    ["a tag that is an object", "v1", () => git(work, "rev-parse", "v1^{commit}")],
    ["a full name", "refs/tags/v1", () => git(work, "rev-parse", "v1^{commit}")],
    ["the id of a commit", undefined, () => git(work, "rev-parse", "HEAD~1")],
  ])("takes %s", async (_what, ref, wanted) => {
    const fetched = await servers().fetch({ url: url(), ref: ref ?? wanted() }, signal);
    expect(fetched.commit).toBe(wanted());
    expect(fetched.base).toBe("main");
  });

  it("reads a server that speaks only the older protocol", async () => {
    const old = await startGitServer({ root, isOld: true });
    const fetched = await servers().fetch({ url: `${old.url}/shop.git` }, signal);
    const tagged = await servers().fetch({ url: `${old.url}/shop.git`, ref: "v1" }, signal);
    const same = await servers().fetch({ url: url() }, signal);
    expect(fetched).toEqual(same);
    expect(tagged.commit).toBe(git(work, "rev-parse", "v1^{commit}"));
    await old.close();
  });
});

describe("what cannot be fetched", () => {
  const problem = async (
    address: { url: string; ref?: string },
    more?: Partial<GitServersParts>,
  ): Promise<GitError> => {
    const error = await servers(more)
      .fetch(address, signal)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GitError);
    const { message } = error as GitError;
    expect(message).not.toMatch(/\n|s3cret/);
    return error as GitError;
  };

  it("is said in one line each, and repeats no token", async () => {
    const wrong = { hostOf: async (host: string) => ({ host, token: "s3cret-but-wrong" }) };
    const problems = {
      wrong: await problem({ url: url() }, wrong),
      none: await problem({ url: url() }, { hostOf: async () => undefined }),
      missing: await problem({ url: url("nothing.git") }),
      branch: await problem({ url: url(), ref: "nothing" }),
      short: await problem({ url: url(), ref: "abcdef12" }),
      commit: await problem({ url: url(), ref: "c".repeat(40) }),
      empty: await problem({ url: url("empty.git") }),
      huge: await problem({ url: url() }, { limits: { packBytes: 8_192 } }),
      inflated: await problem({ url: url() }, { limits: { objectBytes: 65_536 } }),
      private: await problem({ url: url() }, { allowPrivate: false }),
    };
    const said = Object.fromEntries(
      Object.entries(problems).map(([name, { message, kind }]) => [
        name,
        [kind, message.replaceAll(server.url, "URL")],
      ]),
    );
    expect(said).toMatchInlineSnapshot(`
      {
        "branch": [
          "refused",
          "URL/shop.git#nothing: it has no branch and no tag nothing.",
        ],
        "commit": [
          "refused",
          "URL/shop.git#cccccccccccccccccccccccccccccccccccccccc: it has no commit cccccccccccccccccccccccccccccccccccccccc.",
        ],
        "empty": [
          "refused",
          "URL/empty.git: the repository is empty: it has no commit to start from.",
        ],
        "huge": [
          "refused",
          "URL/shop.git: it sends more than 0.0078125 MiB; that is too much for a run.",
        ],
        "inflated": [
          "refused",
          "URL/shop.git: its files take more than 0.0625 MiB; that is too much for a run.",
        ],
        "missing": [
          "credentials",
          "URL/nothing.git: there is no such repository, or the token may not see it: 404.",
        ],
        "none": [
          "credentials",
          "URL/shop.git: it wants a token, and there is none for it: 401 (Bad credentials).",
        ],
        "private": [
          "refused",
          "URL/shop.git: its address is a private one, and allowPrivate is not set.",
        ],
        "short": [
          "refused",
          "URL/shop.git#abcdef12: it has no branch and no tag abcdef12; of the id of a commit, give all digits.",
        ],
        "wrong": [
          "credentials",
          "URL/shop.git: it refuses the token: 401 (Bad credentials Basic ***).",
        ],
      }
    `);
  });

  it("is a server that hangs, before an answer and within one", async () => {
    server.intercept(() => true);
    const silent = await problem({ url: url() }, { idleMs: 100 });
    expect(silent).toMatchObject({ kind: "temporary", message: expect.stringContaining("it did not answer in time") });
    server.intercept((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" }).write("001e#");
      return true;
    });
    expect(await problem({ url: url() }, { idleMs: 100 })).toMatchObject({ kind: "temporary" });
    expect(await problem({ url: url() }, { wholeMs: 100 })).toMatchObject({ kind: "temporary" });
    server.intercept(undefined);
  });

  it("is a redirect to another host, to which no token is sent; one within the server is followed", async () => {
    const other = await startGitServer({ root });
    server.intercept((request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url}` }).end();
      return true;
    });
    const elsewhere = await problem({ url: url() });
    expect(elsewhere).toMatchObject({ kind: "refused", message: expect.stringContaining("redirects to another host") });
    expect(other.requests).toEqual([]);
    server.intercept((request, response) => {
      if (request.url?.startsWith("/shop.git")) return false;
      response.writeHead(301, { location: `${request.url?.replace("/shop/", "/shop.git/")}` }).end();
      return true;
    });
    expect((await servers().fetch({ url: url("shop") }, signal)).commit).toBe(head);
    server.intercept(undefined);
    await other.close();
  });

  it("is said in a few words, however many a server says, without escapes and the token between them", async () => {
    const said = `ERR \u001b]0;title\u0007${TOKEN.slice(0, 8)}\u001b[31m${TOKEN.slice(8)} ${"x".repeat(60_000)}\n`;
    const packet = `${(Buffer.byteLength(said) + 4).toString(16).padStart(4, "0")}${said}`;
    server.intercept((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" });
      response.end(`001e# service=git-upload-pack\n0000${packet}0000`);
      return true;
    });
    const { message } = await problem({ url: url() });
    expect(message.length).toBeLessThan(700);
    expect(message).toContain(": *** xxx");
    expect(message).not.toMatch(/\p{Cc}/u);
    server.intercept(undefined);
  });

  it("is what is no Git server, and an answer that is cut off", async () => {
    server.intercept((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      return true;
    });
    expect((await problem({ url: url() })).message).toContain("there is no Git repository");
    server.intercept((request, response) => {
      if (request.method === "GET") return false;
      response.writeHead(200, { "content-length": "5000" }).write("0011packfile\n0015");
      response.destroy();
      return true;
    });
    expect(await problem({ url: url() })).toMatchObject({ kind: "temporary" });
    server.intercept((_request, response) => {
      response.writeHead(503, { "content-type": "text/plain" }).end("down for maintenance");
      return true;
    });
    expect(await problem({ url: url() })).toMatchObject({
      kind: "temporary",
      message: expect.stringContaining("down"),
    });
    server.intercept(undefined);
  });
});

const text = (files: Record<string, string>): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));

const steps = (before: ReadonlyMap<string, Uint8Array>): GitStep[] => {
  const one = new Map([...before, ...text({ "src/new.js": "export {};\n", "run.sh": "echo changed\n" })]);
  const two = new Map([...one, ...text({ "src/deep/er/x.txt": "x\n", ".env": "KEY=mine\n" })]);
  two.delete("package.json");
  return [
    { message: "Add a file\n\nStep: 1\n", at: "2026-02-03T04:05:06.789Z", tree: one },
    { message: "Change it\n\nStep: 2\n", at: "2026-02-03T05:05:06Z", tree: two },
  ];
};

async function request(name: string): Promise<PushRequest> {
  const { commit, files, outline } = await servers().fetch({ url: url() }, signal);
  return { url: url(), name, start: { commit, outline }, before: files, steps: steps(files) };
}

describe("pushing a run's steps", () => {
  const bare = (): string => join(root, "shop.git");

  it("makes a branch with a commit for each step, on the commit that it started from", async () => {
    const pushed = await servers().push(await request("add-export"), signal);
    expect(pushed).toMatchObject({ branch: "l2mac/add-export", steps: 2, kept: [".env"] });
    expect(git(bare(), "rev-parse", "l2mac/add-export", "l2mac/add-export~2")).toBe(`${pushed.commit}\n${head}`);
    expect(git(bare(), "fsck", "--full", "--strict")).toBe("");
    const changed = git(bare(), "diff", "--name-status", head, pushed.commit).split("\n");
    expect(changed).toEqual(["D\tpackage.json", "M\trun.sh", "A\tsrc/deep/er/x.txt", "A\tsrc/new.js"]);
    expect(git(bare(), "ls-tree", pushed.commit, "run.sh", "vendor/sub", ".env").split("\n")).toEqual([
      expect.stringMatching(/^100644 blob .*\.env$/),
      expect.stringMatching(/^100755 blob .*run\.sh$/),
      expect.stringMatching(/^160000 commit .*vendor\/sub$/),
    ]);
  });

  it("changes and deletes files by the names that they have there, also where their letters are decomposed", async () => {
    const odd = join(root, "odd");
    mkdirSync(join(odd, "cafe\u0301"), { recursive: true });
    git(odd, "init", "--quiet", "--initial-branch=main");
    for (const name of ["menu\u0308.md", "o\u0308ld.md", "cafe\u0301/a.txt"]) writeFileSync(join(odd, name), "1\n");
    git(odd, "add", "--all");
    git(odd, "commit", "--quiet", "--message", "Begin");
    serveRepository(root, "odd.git", odd);
    const origin = { url: url("odd.git") };
    const { commit, files, outline } = await servers().fetch(origin, signal);
    expect([...files.keys()].sort()).toEqual(["caf\u00e9/a.txt", "men\u00fc.md", "\u00f6ld.md"].toSorted());
    const after = new Map([...files, ...text({ "men\u00fc.md": "2\n", "caf\u00e9/b.txt": "b\n" })]);
    after.delete("\u00f6ld.md");
    const chain = [{ message: "Change\n", at: "2026-02-03T06:00:00Z", tree: after }];
    const asked = { ...origin, name: "odd", start: { commit, outline }, before: files, steps: chain };
    const pushed = await servers().push(asked, signal);
    const changed = git(join(root, "odd.git"), "diff", "-z", "--name-status", commit, pushed.commit).split("\0");
    expect(changed).toEqual(["A", "cafe\u0301/b.txt", "M", "menu\u0308.md", "D", "o\u0308ld.md", ""]);
    const exported = await exportToFolder(join(root, "odd-exported"), {
      ...{ start: files, startMessage: "", startedAt: "2026-02-03T01:00:00Z" },
      ...{ origin: { commit, pack: await servers().pack(origin, signal) } },
      links: (async function* () {
        yield* chain;
      })(),
    });
    expect(exported).toBe(pushed.commit);
  });

  it("has its commits built before the time of the exchanges begins, and once", async () => {
    let read = 0;
    const asked = await request("built-once");
    const slow = (async function* () {
      for (const step of asked.steps as GitStep[]) {
        read += 1;
        yield step;
      }
    })();
    const push = await servers({ wholeMs: 0 }).prepare({ ...asked, steps: slow }, signal);
    await expect(push(signal)).rejects.toMatchObject({ kind: "temporary" });
    const again = await servers().prepare({ ...asked, name: "built-twice" }, signal);
    server.intercept((_request, response) => {
      response.writeHead(503).end();
      return true;
    });
    await expect(again(signal)).rejects.toMatchObject({ kind: "temporary" });
    server.intercept(undefined);
    expect(await again(signal)).toMatchObject({ branch: "l2mac/built-twice", steps: 2 });
    expect(read).toBe(2);
  });

  it("is done where the branch is there already, and takes another name where others have it", async () => {
    const again = await servers().push(await request("add-export"), signal);
    expect(again.branch).toBe("l2mac/add-export");
    git(bare(), "update-ref", "refs/heads/l2mac/taken", head);
    const other = await servers().push(await request("taken"), signal);
    expect(other.branch).toBe("l2mac/taken-2");
    expect((await servers().push(await request("taken"), signal)).branch).toBe("l2mac/taken-2");
    expect(git(bare(), "rev-parse", "l2mac/taken")).toBe(head);
  });

  it("is found again where the answer to a push was lost", async () => {
    server.intercept((incoming, response) => {
      if (incoming.method !== "POST" || !incoming.url?.includes("receive")) return false;
      response.write = () => true;
      response.end = () => {
        response.destroy();
        return response;
      };
      return false;
    });
    const lost = await servers()
      .push(await request("lost"), signal)
      .catch((error: unknown) => error);
    expect(lost).toMatchObject({ kind: "temporary" });
    server.intercept(undefined);
    const tip = git(bare(), "rev-parse", "l2mac/lost");
    expect(await servers().push(await request("lost"), signal)).toMatchObject({ branch: "l2mac/lost", commit: tip });
  });

  it("is refused in the words of the server, of its hooks too", async () => {
    const hook = join(bare(), "hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'No robots on Fridays' >&2\nexit 1\n", { mode: 0o755 });
    const refused = await servers()
      .push(await request("friday"), signal)
      .catch((error: unknown) => error);
    rmSync(hook);
    expect(refused).toMatchObject({ kind: "refused" });
    expect((refused as Error).message).toBe(
      `${url()}: it refuses the push: pre-receive hook declined (No robots on Fridays).`,
    );
    expect(git(bare(), "branch", "--list", "l2mac/friday")).toBe("");
  });

  it.each([
    ["sha1", "empty.git"],
    ["sha256", "future.git"],
  ])(
    "begins a repository of %s with the files that a run started from, with the ids that a folder gets",
    async (format, name) => {
      const before = text({ "README.md": "Hello\n", "a/b.txt": "b\n", "a.txt": "a\n" });
      const [one, two] = steps(before);
      const start = { message: "Start from the files of run X\n", at: "2026-02-03T01:00:00Z", tree: before };
      const chain = [start, ...(one && two ? [one, two] : [])];
      const asked = { url: url(name), name: "book", before: new Map<string, Uint8Array>(), steps: chain };
      const { commit, branch } = await servers().push(asked, signal);
      expect(git(join(root, name), "rev-parse", branch)).toBe(commit);
      expect(git(join(root, name), "fsck", "--full", "--strict")).not.toMatch(/error|warning|missing/);
      if (format === "sha256") return;
      const exported = await exportToFolder(join(root, "exported"), {
        ...{ start: before, startMessage: start.message, startedAt: start.at },
        links: (async function* () {
          yield* chain.slice(1);
        })(),
      });
      expect(commit).toBe(exported);
    },
  );

  it("fetches a repository of sha256 and pushes to it", async () => {
    git(join(root, "future.git"), "symbolic-ref", "HEAD", "refs/heads/l2mac/book");
    const { commit, files, outline } = await servers().fetch({ url: url("future.git") }, signal);
    expect(commit).toHaveLength(64);
    const asked = { url: url("future.git"), name: "more", start: { commit, outline }, before: files };
    const more = new Map([...files, ...text({ "more.txt": "more\n" })]);
    const pushed = await servers().push(
      { ...asked, steps: [{ message: "More\n", at: "2026-02-03T06:00:00Z", tree: more }] },
      signal,
    );
    expect(git(join(root, "future.git"), "rev-parse", `${pushed.branch}~1`)).toBe(commit);
  });
});
