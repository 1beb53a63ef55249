/** The installer of this computer: what it sees, what it may fill, and what its environments are to those who use them. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Installer, InstallPlace } from "../../lib/evaluator/language.ts";
import { LANGUAGES } from "../../lib/evaluator/languages.ts";
import { fingerprintOf } from "../../lib/evaluator/packages/folder-print.ts";
import { createInstall, type InstallParts } from "../../lib/evaluator/packages/install.ts";
import { findInstallSeal } from "../../lib/sandbox/install-seal.ts";
import { readInstallerSettings } from "../../lib/sandbox/installer-settings.ts";
import { openSandbox } from "../../lib/sandbox/sandbox.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { evaluation, layTree, newFolder, pythonCan, removeFolders } from "../doubles/evaluation.ts";
import { serveNpmPackages, writeWheel } from "../doubles/package-index.ts";

afterAll(removeFolders);

const sandbox = openSandbox({
  env: process.env,
  node: process.execPath,
  folder: newFolder(),
  uid: process.getuid?.() ?? 1,
});
const { toolchain } = sandbox;
const noSeal = !sandbox.seal.describe().sealed;
const noPip = !pythonCan("import pip, venv");

const installSeal = (readable: string[] = []) =>
  findInstallSeal({
    folder: newFolder(),
    path: toolchain.path.split(delimiter),
    node: toolchain.node,
    readable: [...toolchain.readable, ...readable],
  }) ?? unsealed("tests");

let ids = 0;
const installer = ({ env = {}, ...parts }: Partial<InstallParts> & { env?: Record<string, string> } = {}) =>
  createInstall({
    folder: newFolder(),
    toolchain,
    seal: installSeal(),
    settings: async () => ({ env, readable: Object.values(env).filter((value) => value.startsWith("/")) }),
    isOpen: false,
    claim: () => {},
    now: Date.now,
    newId: () => String(ids++),
    announce: () => {},
    ...parts,
  });

const wheelsOf = (...names: string[]): Record<string, string> => {
  const folder = newFolder();
  for (const name of names) writeWheel(folder, name, "1.0");
  return { PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder };
};

/** A script in npm's place, which leaves what it found in the environment. */
function spy(body: string): { toolchain: InstallParts["toolchain"]; seal: InstallParts["seal"] } {
  const folder = newFolder();
  const npm = join(folder, "npm-cli.js");
  const leave = `require("fs").writeFileSync(require("path").join(process.cwd(), "node_modules", "found.json"), JSON.stringify(found));`;
  writeFileSync(npm, `(async () => { const found = {}; ${body}; ${leave} })();`);
  return { toolchain: { node: toolchain.node, npm, path: toolchain.path }, seal: installSeal([folder]) };
}

const SECRET_URL = "http://user:hunter2@a.invalid/";
const manifest = (dependencies: Record<string, string>) => ({ "package.json": JSON.stringify({ dependencies }) });

async function foundBy(body: string, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const install = installer({ ...spy(body), env });
  const { nodeModules } = await install(layTree({ ...files, ...manifest({ one: "1" }) }), { timeoutMs: 100_000 });
  return JSON.parse(readFileSync(join(nodeModules[0]?.folder ?? "", "found.json"), "utf8"));
}

describe.skipIf(noSeal)("the installer (needs bubblewrap)", () => {
  it("sees of the project its manifest's packages, and no other file of it, of the home or of the system's secrets", async () => {
    const home = newFolder();
    writeFileSync(join(home, "secret"), "hunter2");
    const project = { "notes.txt": "hunter2" };
    const tree = layTree({ ...project, ...manifest({ one: "1" }) });
    const paths = [
      join(home, "secret"),
      join(tree, "notes.txt"),
      join(tree, "package.json"),
      "/etc/shadow",
      "/root/.npmrc",
    ];
    const body = `
      const fs = require("fs");
      found.manifest = JSON.parse(fs.readFileSync("package.json", "utf8")).dependencies;
      found.read = ${JSON.stringify(paths)}.filter((path) => { try { return fs.readFileSync(path), true } catch { return false } });
      const toolchain = ${JSON.stringify(toolchain.readable)};
      const leadsToIt = (path) => toolchain.some((one) => one === path || one.startsWith(path + "/"));
      const besides = (folder) => fs.readdirSync(folder).map((name) => folder + "/" + name).flatMap((path) => toolchain.includes(path) ? [] : leadsToIt(path) ? besides(path) : [path]);
      found.homes = ["/home", "/root"].flatMap((path) => { try { return besides(path) } catch { return [] } });
      found.keys = (() => { try { return fs.readdirSync("/etc/ssl/private") } catch { return [] } })();
      found.processes = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length < 5;`;
    const install = installer(spy(body));
    const { nodeModules } = await install(tree, { timeoutMs: 100_000 });
    expect(JSON.parse(readFileSync(join(nodeModules[0]?.folder ?? "", "found.json"), "utf8"))).toEqual({
      manifest: { one: "1" },
      read: [],
      homes: [],
      keys: [],
      processes: true,
    });
  });

  it("has no environment but its settings, and no home but its own folder, which goes when it is done", async () => {
    process.env.L2MAC_TEST_SECRET = "hunter2";
    const found = await foundBy("found.env = { ...process.env }", {}, { npm_config_registry: "http://127.0.0.1:9/" });
    delete process.env.L2MAC_TEST_SECRET;
    expect(found.env).toMatchObject({ npm_config_registry: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), CI: "1" });
    expect(JSON.stringify(found.env)).not.toContain("hunter2");
    expect(found.env.HOME).not.toBe(process.env.HOME);
    expect(existsSync(found.env.HOME)).toBe(false);
  });

  it("reaches its registry without its credentials, and no other port of this computer", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      asked.push(headers.authorization);
      response.end("reached");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = `
      found.env = JSON.stringify(process.env);
      found.registry = await (await fetch(process.env.npm_config_registry)).text();
      found.port = await fetch("${url}").then(() => "reached", () => "refused");
      found.git = process.env.npm_config_git;
      found.processes = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((name) => ["environ", "cmdline"].map((file) => fs.readFileSync("/proc/" + name + "/" + file, "utf8")).join()).join();`;
    const own = { [`npm_config_//${new URL(url).host}/:_authToken`]: "hunter2" };
    const env = { npm_config_registry: url, HTTPS_PROXY: "http://u:hunter3@127.0.0.1:9", ...own };
    const found = await foundBy(`const fs = require("fs"); ${body}`, {}, env);
    server.close();
    expect(found).toMatchObject({ registry: "reached", port: "refused", git: expect.stringMatching(/\/no-git$/) });
    expect(asked).toEqual(["Bearer hunter2"]);
    expect(found.processes).toContain("npm_config_registry");
    expect(found.env + found.processes).not.toMatch(/hunter[23]/);
  });

  it.each(LANGUAGES.flatMap(({ installer: one }) => (one ? [one.name] : [])))(
    "leaves nothing of one run where another run could read it, nor sees what was fetched for it: %s",
    async (name) => {
      const folder = newFolder();
      const installerOf = LANGUAGES.find((one) => one.installer?.name === name)?.installer as Installer;
      const attack = `
        const fs = require("fs"), { join } = require("path"), all = [];
        const look = (at) => { for (const one of fs.readdirSync(at, { withFileTypes: true })) { const path = join(at, one.name); all.push(path); if (one.isDirectory()) look(path); } };
        look(${JSON.stringify(folder)});
        for (const at of all.concat(process.argv.slice(1))) try { fs.writeFileSync(join(at, "poison"), "") } catch {}
        for (const at of ["registry-cache", name + "-cache", ".."].map((one) => join(${JSON.stringify(folder)}, one))) try { fs.mkdirSync(at, { recursive: true }); fs.writeFileSync(join(at, "poison"), "") } catch {}
        console.log(JSON.stringify({ all, env: process.env }));`;
      const answers: string[] = [];
      const run = async (request: string) => {
        const wanted = async () => ({
          requests: [request],
          ...{ depends: null, refused: [] },
          install: async ({ folder: own, downloads, run: sealed }: InstallPlace) => {
            const script = `const name = ${JSON.stringify(name)}; ${attack}`;
            answers.push((await sealed([toolchain.node, "-e", script, downloads, own], own)).stdout);
            return { missing: [], settled: true };
          },
        });
        const settings = { PIP_INDEX_URL: SECRET_URL, MAVEN_REPOSITORY: SECRET_URL, GOPROXY: SECRET_URL };
        const env = { ...settings, npm_config_registry: SECRET_URL, "npm_config_//a.invalid/:_auth": "hunter2" };
        const languages = [{ installer: { ...installerOf, wanted } }];
        return installer({ folder, languages, env })(layTree({}), { timeoutMs: 100_000 });
      };
      const [attacker, victim] = [await run("attacker"), await run("victim")];
      const [first = "", second = ""] = answers;
      expect(first).toContain(attacker.readable[0]);
      expect(second).not.toMatch(/poison/);
      expect(second).not.toContain(attacker.readable[0]);
      expect(first + second).not.toMatch(/hunter2|registry-cache/);
      expect(readdirSync(folder)).not.toContain("poison");
      expect(victim.readable[0]).not.toBe(attacker.readable[0]);
    },
  );

  it("writes into its own folder, and nowhere else", async () => {
    const elsewhere = newFolder();
    chmodSync(elsewhere, 0o777);
    const paths = [join(elsewhere, "x"), "/usr/x", "/etc/x", toolchain.node, join(process.cwd(), "x")];
    const found = await foundBy(
      `found.wrote = ${JSON.stringify(paths)}.filter((path) => { try { require("fs").writeFileSync(path, "x"); return true } catch { return false } })`,
    );
    expect(found.wrote.filter((path: string) => existsSync(path) && readFileSync(path, "utf8") === "x")).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("ends with all that it started when its time is up", async () => {
    const mark = `36${process.pid}`;
    const body = `require("child_process").spawn("setsid", ["sleep", "${mark}"], { detached: true, stdio: "ignore" }).unref(); await new Promise(() => setInterval(() => {}, 1000))`;
    const install = installer(spy(body));
    const { missing } = await install(layTree(manifest({ one: "1" })), { timeoutMs: 2_000 });
    expect(missing).toEqual(["one@1: there was no time to install it"]);
    expect(processesWith(`sleep\0${mark}`)).toEqual([]);
  });

  it("is stopped while it fills the disk, and what it made is removed and named", async () => {
    const folder = newFolder();
    const body = `const fs = require("fs"); for (let at = 0; at < 1e6; at += 1) { fs.appendFileSync("node_modules/big", Buffer.alloc(1 << 20)); await new Promise((go) => setTimeout(go, 10)) }`;
    const began = Date.now();
    const install = installer({ ...spy(body), folder, largest: { bytes: 20 << 20, files: 1_000 } });
    const { missing, nodeModules } = await install(layTree(manifest({ one: "1" })), { timeoutMs: 60_000 });
    expect(missing).toEqual([expect.stringMatching(/^one@1: too large, with what it needs it is more than 20480 KB$/)]);
    expect(nodeModules).toEqual([]);
    expect(Date.now() - began).toBeLessThan(50_000);
    expect(
      readdirSync(folder)
        .filter((name) => /^[0-9a-f]{32}-/.test(name))
        .flatMap((name) => readdirSync(join(folder, name))),
    ).toEqual([]);
  });

  it("is stopped at too many files", async () => {
    const body = `for (let at = 0; at < 5000; at += 1) require("fs").writeFileSync("node_modules/" + at, "")`;
    const install = installer({ ...spy(body), largest: { bytes: 1 << 30, files: 1_000 } });
    const { missing } = await install(layTree(manifest({ one: "1" })), { timeoutMs: 60_000 });
    expect(missing).toEqual([expect.stringContaining("more than 1000 files")]);
  });

  it.skipIf(!toolchain.npm)("installs from a registry (needs npm)", async () => {
    const registry = await serveNpmPackages(["l2one"]);
    const environment = await installer({ env: { npm_config_registry: registry.url } })(
      layTree(manifest({ l2one: "^1" })),
      { timeoutMs: 60_000 },
    );
    registry.close();
    expect(environment).toMatchObject({ missing: [], available: ["l2one 1.0.0"] });
  });
});

const processesWith = (text: string): string[] =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });

/** Of all that was installed: names, sizes, times of change and modes. */
const storePrint = ({ readable }: { readable: string[] }): string => {
  const print = fingerprintOf(readable[0] ?? "");
  expect(print).not.toBe("");
  return print;
};

const WRITE_PYTHON = `
import l2one, os, pathlib
def test_a():
    assert not hasattr(l2one, "poisoned")
    try:
        pathlib.Path(l2one.__file__).write_text("poisoned = True")
    except OSError as problem:
        raise AssertionError(f"may not write: {problem.errno}")
`;
const READ_PYTHON = `
import l2one
def test_a(): assert l2one.__version__ == "1.0"
`;

describe.skipIf(noPip)("an installed environment (needs pip)", () => {
  const files = { "requirements.txt": "l2one\n" };

  it.skipIf(noSeal)(
    "cannot be written by tests, and is the same for the next evaluation (needs bubblewrap)",
    async () => {
      const environment = await installer({ env: wheelsOf("l2one") })(layTree(files), { timeoutMs: 60_000 });
      const parts = { seal: sandbox.seal, toolchain };
      const before = storePrint(environment);
      const poisoning = await evaluation({ ...files, "test_a.py": WRITE_PYTHON }, { tests: {}, environment }, parts);
      expect(storePrint(environment)).toBe(before);
      expect(poisoning.tests).toMatchObject({ status: "failed", failed: 1 });
      expect(poisoning.tests.cases[0]?.message).toMatch(/may not write: (30|13)/);
      const next = await evaluation({ ...files, "test_a.py": READ_PYTHON }, { tests: {}, environment }, parts);
      expect(next.tests).toMatchObject({ status: "passed", passed: 1 });
    },
  );

  it.skipIf(noSeal || !toolchain.npm)("of Node cannot be written either (needs bubblewrap and npm)", async () => {
    const registry = await serveNpmPackages(["l2one"]);
    const install = installer({ env: { npm_config_registry: registry.url } });
    const environment = await install(layTree(manifest({ l2one: "1" })), { timeoutMs: 60_000 });
    registry.close();
    const parts = { seal: sandbox.seal, toolchain };
    const before = storePrint(environment);
    // Everywhere that it can, and at last where it must not be refused.
    const write = `
      const fs = require("fs"), at = require.resolve("l2one"), top = require("path").resolve("node_modules");
      const tries = [
        () => fs.writeFileSync(at + ".new", ""), () => fs.chmodSync(at, 0o777), () => fs.renameSync(at, at + ".old"),
        () => fs.linkSync(at, top + "/link.js"), () => fs.appendFileSync(top + "/link.js", "poisoned"),
        () => fs.mkdirSync(fs.realpathSync(top + "/l2one") + "/../l2three"), () => fs.rmSync(fs.realpathSync(at)),
      ];
      for (const one of tries) try { one() } catch {}
      require("node:test")("a", () => { fs.writeFileSync(at, "module.exports = 'poisoned'") });`;
    const read = `require("node:test")("a", () => { if (require("l2one") !== "l2one") throw new Error("poisoned") });`;
    const poisoning = await evaluation(
      { ...manifest({ l2one: "1" }), "a.test.js": write },
      { tests: {}, environment },
      parts,
    );
    // It wrote into a copy of the package, which went with the copy of the tree.
    expect(poisoning.tests).toMatchObject({ status: "passed", passed: 1 });
    expect(storePrint(environment)).toBe(before);
    const installed = join(environment.nodeModules[0]?.folder ?? "", "l2one/index.js");
    expect(readFileSync(installed, "utf8")).not.toContain("poisoned");
    const next = await evaluation(
      { ...manifest({ l2one: "1" }), "a.test.js": read },
      { tests: {}, environment },
      parts,
    );
    expect(next.tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("that unsealed code changed is noticed, and installed again", async () => {
    const announced: string[] = [];
    const install = installer({ env: wheelsOf("l2one"), isOpen: true, announce: (text) => announced.push(text) });
    const tree = layTree(files);
    const environment = await install(tree, { timeoutMs: 60_000 });
    expect(await install(tree, { timeoutMs: 60_000 })).toEqual(environment);
    await evaluation({ ...files, "test_a.py": WRITE_PYTHON }, { tests: {}, environment });
    const again = await install(tree, { timeoutMs: 60_000 });
    expect(announced).toContainEqual(expect.stringContaining("the installed packages were changed"));
    const next = await evaluation({ ...files, "test_a.py": READ_PYTHON }, { tests: {}, environment: again });
    expect(next.tests).toMatchObject({ status: "passed" });
  });

  it("that was changed between two commands is noticed by the next", async () => {
    const folder = newFolder();
    const env = wheelsOf("l2one");
    const tree = layTree(files);
    const { readable } = await installer({ folder, env })(tree, { timeoutMs: 60_000 });
    writeFileSync(join(readable[0] ?? "", "python", "more"), "");
    const announced: string[] = [];
    const again = await installer({ folder, env, announce: (text) => announced.push(text) })(tree, {
      timeoutMs: 60_000,
    });
    expect(announced[0]).toContain("the installed packages were changed");
    expect(again.readable).not.toEqual(readable);
  });

  it("are of the registries that they came from", async () => {
    const folder = newFolder();
    const tree = layTree(files);
    const [one, other] = [wheelsOf("l2one"), wheelsOf("l2one")];
    const first = await installer({ folder, env: one })(tree, { timeoutMs: 60_000 });
    const second = await installer({ folder, env: other })(tree, { timeoutMs: 60_000 });
    expect(second.readable).not.toEqual(first.readable);
    expect(await installer({ folder, env: one })(tree, { timeoutMs: 60_000 })).toEqual(first);
  });
});

describe("the settings of this computer's installers", () => {
  const read = (home: string, env: Record<string, string> = {}) =>
    readInstallerSettings({ env: { HOME: home, PATH: process.env.PATH ?? "", ...env }, ...toolchain });

  it.skipIf(noPip)(
    "are those that pip is set up with, and nothing that says where packages go (needs pip)",
    async () => {
      const home = newFolder();
      mkdirSync(join(home, ".config/pip"), { recursive: true });
      const lines = [
        "index-url = https://user:pass@mirror.example/simple",
        "extra-index-url =",
        "  https://two.example/",
        "  https://three.example/",
      ];
      writeFileSync(
        join(home, ".config/pip/pip.conf"),
        `[global]\n${lines.join("\n")}\ntarget = /tmp/elsewhere\n[install]\nuser = yes\n`,
      );
      const { env } = await read(home, { PIP_CERT: "/certificates.pem", PIP_TARGET: "/tmp/x", PIP_NO_BINARY: ":all:" });
      expect(env).toMatchObject({
        PIP_INDEX_URL: "https://user:pass@mirror.example/simple",
        PIP_EXTRA_INDEX_URL: "https://two.example/ https://three.example/",
        PIP_CERT: "/certificates.pem",
      });
      expect(Object.keys(env).filter((name) => /target|user|binary/i.test(name))).toEqual([]);
    },
  );

  it.skipIf(!toolchain.npm)(
    "are npm's registries, proxies and credentials for them, and nothing else of its file (needs npm)",
    async () => {
      const home = newFolder();
      const lines = [
        "registry=https://mirror.example/npm/",
        "@own:registry=https://own.example/",
        `//mirror.example/npm/:_authToken=$${"{"}NPM_TOKEN}`,
        "; a comment = x",
        "script-shell=/bin/evil",
        "prefix=/tmp/elsewhere",
        "https-proxy = http://proxy.example:3128",
      ];
      writeFileSync(join(home, ".npmrc"), lines.join("\n"));
      const { env } = await read(home, { NPM_TOKEN: "hunter2", npm_config_cafile: "/authority.pem" });
      expect(env).toMatchObject({
        npm_config_registry: "https://mirror.example/npm/",
        "npm_config_@own:registry": "https://own.example/",
        "npm_config_//mirror.example/npm/:_authToken": "hunter2",
        npm_config_https_proxy: "http://proxy.example:3128",
        npm_config_cafile: "/authority.pem",
      });
      expect(Object.keys(env).filter((name) => /shell|prefix/.test(name))).toEqual([]);
    },
  );

  it("make the files that they name readable", async () => {
    const { readable } = await read(newFolder(), { NODE_EXTRA_CA_CERTS: "/authority.pem", HTTPS_PROXY: "http://p:1" });
    expect(readable).toContain("/authority.pem");
    expect(readable).not.toContain("http://p:1");
  });
});
