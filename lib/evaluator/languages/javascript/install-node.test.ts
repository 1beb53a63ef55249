import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  newFolder,
  removeFolders,
  toolchain,
} from "../../../../test/doubles/evaluation.ts";
import { serveNpmPackages } from "../../../../test/doubles/package-index.ts";
import { unsealed } from "../../../sandbox/seal.ts";
import { noEnvironment } from "../../language.ts";
import { createInstall } from "../../packages/install.ts";
import { followedLock } from "./locks/npm-lock.ts";
import { takeUnbuilt } from "./native-packages.ts";

afterAll(removeFolders);

const json = (value: object): string => JSON.stringify(value);
let ids = 0;

async function installed(files: Files, names: string[], dependencies?: Record<string, Record<string, string>>) {
  const registry = await serveNpmPackages(names, dependencies);
  const install = createInstall({
    folder: newFolder(),
    toolchain,
    seal: unsealed("tests"),
    settings: async () => ({ env: { npm_config_registry: registry.url }, readable: [] }),
    isOpen: false,
    claim: () => {},
    now: Date.now,
    newId: () => String(ids++),
    announce: () => {},
  });
  const environment = await install(layTree(files), { timeoutMs: 60_000 });
  registry.close();
  return environment;
}

const node = (body: string): string => `require("node:test")("a", () => { ${body} });\n`;
const script = { scripts: { test: "node --test" } };

describe.skipIf(!toolchain.npm)("installing for every package of a tree (needs npm)", () => {
  it("gives each folder what its own manifest asks for, and nothing of another's", async () => {
    const files = {
      "web/package.json": json({ ...script, dependencies: { l2one: "1" } }),
      "web/a.test.js": node('if (require("l2one") !== "l2one") throw 1;'),
      "api/package.json": json({ ...script, dependencies: { l2two: "1" } }),
      "api/a.test.js": node('require("l2two"); let seen; try { seen = require("l2one") } catch {} if (seen) throw 1;'),
    };
    const environment = await installed(files, ["l2one", "l2two"]);
    expect(environment.nodeModules.map(({ below }) => below)).toEqual(["api", "web"]);
    const { tests } = await evaluation(files, { tests: {}, environment });
    expect(tests).toMatchObject({ status: "passed", passed: 2 });
    expect(tests.cases.map(({ name }) => name)).toEqual(["api/a.test.js > a", "web/a.test.js > a"]);
  });

  it.each([
    ["npm", { "package.json": json({ private: true, workspaces: ["packages/*"] }) }, "^1.0.0"],
    ["pnpm", { "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n" }, "workspace:^"],
    ["a folder", {}, "file:../a"],
  ])("links the packages of the tree to each other: %s", async (_, root, version) => {
    const files = {
      ...root,
      "packages/a/package.json": json({
        name: "@mine/a",
        version: "1.0.0",
        dependencies: { l2one: "1" },
        bin: "cli.js",
      }),
      "packages/a/index.js": 'module.exports = require("l2one");\n',
      "packages/a/cli.js": '#!/usr/bin/env node\nconsole.log("called");\n',
      "packages/b/package.json": json({
        name: "b",
        scripts: { test: "node --test && a" },
        dependencies: { "@mine/a": version },
      }),
      "packages/b/b.test.js": node('if (require("@mine/a") !== "l2one") throw 1;'),
    };
    const environment = await installed(files, ["l2one"]);
    expect(environment.missing).toEqual([]);
    expect((await evaluation(files, { tests: {}, environment })).tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it.each([
    [
      "pnpm",
      { "pnpm-workspace.yaml": "packages: ['*']\ncatalog:\n  l2one: ^1.0.0\ncatalogs:\n  old:\n    l2two: '1'\n" },
    ],
    [
      "bun",
      { "package.json": json({ workspaces: ["*"], catalog: { l2one: "^1.0.0" }, catalogs: { old: { l2two: "1" } } }) },
    ],
  ])("takes versions from the catalogs of its workspace: %s", async (_, root) => {
    const asked = { l2one: "catalog:", l2two: "catalog:old", l2three: "catalog:", constructor: "catalog:old" };
    const files = {
      ...(root as Files),
      "a/package.json": json({ ...script, dependencies: asked }),
      "a/a.test.js": node('require("l2one"); require("l2two");'),
    };
    const environment = await installed(files, ["l2one", "l2two"]);
    expect(environment.missing).toEqual([
      "l2three@catalog:: refused, the workspace has no such catalog",
      "constructor@catalog:old: refused, the workspace has no such catalog",
    ]);
    expect((await evaluation(files, { tests: {}, environment })).tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("never fetches a package that the tree has", async () => {
    const files = {
      "a/package.json": json({ name: "l2one", version: "3.0.0" }),
      "b/package.json": json({ ...script, dependencies: { l2one: "^1.0.0", l2two: "1" } }),
      "b/a.test.js": node('require("l2one");'),
    };
    const environment = await installed(files, ["l2one", "l2two"]);
    expect(environment.missing).toEqual(["l2one@^1.0.0: refused, the project has this package in version 3.0.0"]);
    expect((await evaluation(files, { tests: {}, environment })).tests).toMatchObject({
      status: "not_run",
      reason: "package_missing",
    });
  });

  it("takes a package under another name", async () => {
    const environment = await installed({ "package.json": json({ dependencies: { other: "npm:l2one@1" } }) }, [
      "l2one",
    ]);
    expect(environment.missing).toEqual([]);
    expect(existsSync(join(environment.nodeModules[0]?.folder ?? "", "other/index.js"))).toBe(true);
  });

  it("follows a lock that fits, and none that does not", async () => {
    const manifest = { name: "mine", version: "1.0.0", dependencies: { l2one: "*" } };
    const lock = (version: string) =>
      json({
        lockfileVersion: 3,
        packages: {
          "": manifest,
          "node_modules/l2one": { version, resolved: "http://127.0.0.1:9/l2one/-/l2one.tgz" },
        },
      });
    const follow = (version: string) =>
      installed({ "package.json": json(manifest), "package-lock.json": lock(version) }, ["l2one", "l2one@1.1.0"]);
    expect(await follow("1.0.0")).toMatchObject({ missing: [], available: ["l2one 1.0.0"] });
    expect(await follow("7.0.0")).toMatchObject({
      missing: [expect.stringMatching(/^package-lock.json: not followed, .*ETARGET/)],
      available: ["l2one 1.1.0"],
    });
  });

  it("says that a lock does not fit its manifest, and installs what the manifest asks for", async () => {
    const lock = {
      lockfileVersion: 3,
      packages: { "": { dependencies: { l2one: "*" } }, "node_modules/l2one": { version: "1.0.0" } },
    };
    const files = {
      "package.json": json({ dependencies: { l2one: "*", l2two: "1" } }),
      "package-lock.json": json(lock),
    };
    expect(await installed(files, ["l2one", "l2one@1.1.0", "l2two"])).toMatchObject({
      missing: [
        'package-lock.json: it does not fit package.json: write it again with "npm install" and keep it, or remove it',
      ],
      available: ["l2one 1.0.0", "l2two 1.0.0"],
    });
  });

  it("installs nothing of a lock whose checksum is another", async () => {
    const packages = {
      "": { dependencies: { l2one: "1" } },
      "node_modules/l2one": { version: "1.0.0", integrity: "sha512-AAAA" },
    };
    const files = {
      "package.json": json({ dependencies: { l2one: "1" } }),
      "package-lock.json": json({ lockfileVersion: 3, packages }),
    };
    const { missing, available } = await installed(files, ["l2one"]);
    expect(missing).toEqual([expect.stringContaining("package-lock.json names another checksum")]);
    expect(available ?? []).toEqual([]);
  });

  const yarn = (version: string, more = "") =>
    `# yarn lockfile v1\n\nl2one@*:\n  version "${version}"\n  resolved "http://127.0.0.1:9/l2one-1.tgz"\n${more}`;
  const pnpm = (version: string, more = "") =>
    `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      l2one:\n        specifier: '*'\n        version: ${version}\npackages:\n  l2one@${version}:\n    resolution: {${more}}\nsnapshots:\n  l2one@${version}: {}\n`;
  const bun = (version: string, more = "") =>
    `{ "lockfileVersion": 1, "workspaces": { "": { "dependencies": { "l2one": "*", } } }, "packages": { "l2one": ["l2one@${version}", "", {}, "${more}"], } }`;

  it.each([
    ["yarn.lock", yarn, '  integrity "sha512-AAAA"\n'],
    ["pnpm-lock.yaml", pnpm, "integrity: sha512-AAAA"],
    ["bun.lock", bun, "sha512-AAAA"],
  ])("follows %s, and says where it does not fit", async (name, text, wrong) => {
    const files = (lock: string, dependencies: Record<string, string> = { l2one: "*" }) => ({
      "package.json": json({ dependencies }),
      [name]: lock,
    });
    const names = ["l2one", "l2one@1.1.0", "l2two"];
    expect(await installed(files(text("1.0.0")), names)).toMatchObject({ missing: [], available: ["l2one 1.0.0"] });
    expect(await installed(files(text("1.0.0"), { l2one: "*", l2two: "1" }), names)).toMatchObject({
      missing: [
        expect.stringContaining(`${name}: it does not fit package.json, which asks for l2two@1: write it again`),
      ],
      available: ["l2one 1.0.0", "l2two 1.0.0"],
    });
    const changed = await installed(files(text("1.0.0", wrong)), names);
    expect(changed.missing).toEqual([expect.stringContaining(`${name} names another checksum`)]);
  });
});

describe("a package that writes beside its own code", () => {
  it("gets a folder of its own in the copy, and the installed one stays as it is", async () => {
    const folder = layTree({
      "node_modules/writer/index.js": `
        if (__dirname.startsWith(process.env.INSTALLED)) throw new Error("EROFS: read-only file system, open '" + __dirname + "/x'");
        require("node:fs").writeFileSync(__dirname + "/x", "");`,
    });
    const files = { "package.json": json(script), "a.test.js": node('require("writer");') };
    const environment = {
      ...noEnvironment,
      env: { INSTALLED: folder },
      nodeModules: [{ below: "", folder: join(folder, "node_modules") }],
    };
    expect((await evaluation(files, { tests: {}, environment })).tests).toMatchObject({ status: "passed", passed: 1 });
    expect(existsSync(join(folder, "node_modules/writer/x"))).toBe(false);
  });
});

describe("a lock", () => {
  const followed = (entry: object, path = "node_modules/a") =>
    followedLock(json({ lockfileVersion: 3, packages: { "": {}, [path]: entry } }), ["packages/a"]);

  it("keeps versions and checksums, and no address", () => {
    const entry = {
      version: "1.0.0",
      integrity: "sha512-x",
      resolved: "https://evil.example/a.tgz",
      scripts: { install: "x" },
    };
    expect(followed(entry)).toMatchObject({
      packages: { "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } },
    });
    expect(json(followed(entry) ?? {})).not.toMatch(/evil|install/);
    expect(followed({ resolved: "packages/a", link: true })).toMatchObject({
      packages: { "node_modules/a": { resolved: "packages/a", link: true } },
    });
  });

  it.each<[string, object, string?]>([
    ["a repository", { version: "git+ssh://x", resolved: "git+ssh://x" }],
    ["a folder", { version: "file:../x" }],
    ["a link to elsewhere", { resolved: "../x", link: true }],
    ["a path that leaves", { version: "1.0.0" }, "../node_modules/a"],
    ["a name that is none", { version: "1.0.0", name: "../x" }],
  ])("with %s is not followed", (_, entry, path) => expect(followed(entry, path)).toBeUndefined());
});

describe("a package that must be built", () => {
  const places = (files: Files, entry: object = {}) => {
    const folder = layTree({
      "node_modules/.package-lock.json": json({ packages: { "node_modules/sqlite3": { version: "5.1.7", ...entry } } }),
      "node_modules/sqlite3/package.json": "{}",
      ...files,
    });
    return { folder, found: takeUnbuilt(folder, new Map([["sqlite3", "^5"]])) };
  };
  const gyp = { "node_modules/sqlite3/binding.gyp": "" };

  it("is taken away and named once, with what comes ready", () => {
    const { folder, found } = places(gyp);
    expect(found).toEqual([
      "sqlite3@^5: it has to be built by its install script, and none runs here: use node:sqlite, which Node brings",
    ]);
    expect(existsSync(join(folder, "node_modules/sqlite3"))).toBe(false);
  });

  it("is not brought by a package that only helps to build it", () => {
    const helped = {
      ...gyp,
      "node_modules/sqlite3/package.json": json({ optionalDependencies: { "node-gyp": "8" } }),
      "node_modules/node-gyp/package.json": "{}",
    };
    expect(places(helped).found).toHaveLength(1);
  });

  it("stays where it brings its program, is optional, or needs none", () => {
    const brought = { ...gyp, "node_modules/sqlite3/prebuilds/linux-x64/a.node": "" };
    expect(places(brought).found).toEqual([]);
    expect(places(gyp, { optional: true }).found).toEqual([]);
    expect(places({}).found).toEqual([]);
  });
});
