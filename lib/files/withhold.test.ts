import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSharedTree, type SharedOptions } from "./shared-tree.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-withhold-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array = "x\n"): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
};
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, stdio: "pipe" });
const shared = async (options: SharedOptions = {}, path = root) => {
  const { files, leftOut } = await readSharedTree(path, options);
  return { files, names: [...files.keys()].sort(), leftOut };
};

const TOKEN = `ghp_${"Kq7Zr2Xw9Tb4Vn6M".repeat(3)}`;
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n";
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab12".repeat(16)}\nsize 12345\n`;

describe("files to start from", () => {
  it("are taken without secrets, also where Git tracks them, each with its reason", async () => {
    write("src/a.js", `// one\nconst token = "${TOKEN}";\n`);
    write("src/b.js");
    for (const name of [".env", ".env.example", "id_rsa", "server.pem"])
      write(name, name === "server.pem" ? KEY : "x\n");
    write("deploy/notes", KEY);
    write("big.bin", POINTER);
    git("init", "-q");
    git("add", "-f", ".");
    git("commit", "-qm", "a");
    const { names, leftOut } = await shared();
    expect(names).toEqual([".env.example", "src/b.js"]);
    expect(leftOut).toEqual([
      { path: ".env", reason: ".env file" },
      { path: "id_rsa", reason: "SSH key" },
      { path: "big.bin", reason: "LFS pointer" },
      { path: "server.pem", reason: "private key" },
      { path: "deploy/notes", reason: "secret", detail: "private key", line: 1 },
      { path: "src/a.js", reason: "secret", detail: "github token", line: 2 },
    ]);
    expect(JSON.stringify(leftOut)).not.toContain(TOKEN.slice(0, 8));
    expect((await shared({ allowSecrets: true })).names).toEqual([
      ".env.example",
      "deploy/notes",
      "src/a.js",
      "src/b.js",
    ]);
    expect(git("status", "--porcelain").toString()).toBe("");
  });

  it("are searched in old encodings too, and not where they are binary", async () => {
    write("latin.ini", Buffer.from(`; gr\u00f6\u00dfe\ntoken = ${TOKEN}\n`, "latin1"));
    write("wide.ps1", Buffer.from(`\ufeff$token = "${TOKEN}"\r\n`, "utf16le"));
    write("image.bin", Uint8Array.of(0, 255, 254));
    const { names, leftOut } = await shared();
    expect(names).toEqual(["image.bin"]);
    expect(leftOut.map(({ path, line }) => `${path}:${line}`)).toEqual(["latin.ini:2", "wide.ps1:1"]);
  });

  it("are not even opened where their name says that they are secret", async () => {
    write("a.js");
    write(".env");
    chmodSync(join(root, ".env"), 0);
    write("state.tfstate", new Uint8Array(70 * 1_048_576));
    expect((await shared()).names).toEqual(["a.js"]);
  });

  it("are known by the folders above them too, and in a zip", async () => {
    write(".aws/credentials", "[default]\n");
    write(".ssh/work", "x");
    expect((await shared({}, join(root, ".aws"))).leftOut).toMatchObject([{ path: "credentials" }]);
    expect((await shared({}, join(root, ".ssh"))).leftOut).toMatchObject([{ path: "work" }]);
    write("a.zip", zipSync({ "src/.env": strToU8("x"), "src/a.js": strToU8(TOKEN), "src/b.js": strToU8("b") }));
    const zip = await shared({}, join(root, "a.zip"));
    expect(zip.names).toEqual(["src/b.js"]);
    expect(zip.leftOut).toMatchObject([{ path: "src/.env" }, { path: "src/a.js", line: 1 }]);
  });

  it("lose the links to what is left out, and keep the others", async () => {
    for (const name of ["conf/.env", "src/a.js"]) write(name);
    symlinkSync("conf/.env", join(root, "settings"));
    symlinkSync("../conf/.env", join(root, "src/settings"));
    symlinkSync("a.js", join(root, "src/b.js"));
    const { files, leftOut } = await shared();
    expect(JSON.parse(Buffer.from(files.get(".l2mac-links.json") ?? []).toString())).toEqual({ "src/b.js": "a.js" });
    const detail = "a symbolic link to a file that is left out";
    expect(leftOut.slice(1)).toEqual([
      { path: "settings", reason: "link", detail },
      { path: "src/settings", reason: "link", detail },
    ]);
  });
});

describe("a hostile repository", () => {
  it("gets no key of the user by links, filters, or names", async () => {
    const home = mkdtempSync(join(tmpdir(), "l2mac-home-"));
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh/id_ed25519"), KEY);
    write("a.js");
    write(".gitattributes", "* filter=evil\n");
    write("evil", `#!/bin/sh\ntouch ${join(root, "started")}\n`);
    chmodSync(join(root, "evil"), 0o755);
    git("init", "-q");
    git("config", "filter.evil.smudge", join(root, "evil"));
    symlinkSync(join(home, ".ssh"), join(root, "docs"));
    symlinkSync(join(home, ".ssh/id_ed25519"), join(root, "readme.md"));
    write("two\nlines/.env");
    const { names, leftOut, files } = await shared();
    rmSync(home, { recursive: true });
    expect(names).toEqual([".gitattributes", "a.js", "evil"]);
    expect(leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
      "docs: link",
      "readme.md: link",
      "two\nlines/.env: .env file",
    ]);
    expect(existsSync(join(root, "started"))).toBe(false);
    expect([...files.values()].some((content) => Buffer.from(content).includes("OPENSSH"))).toBe(false);
  });
});
