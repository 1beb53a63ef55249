import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  newFolder,
  pythonCan,
  removeFolders,
  toolchain,
} from "../../../test/doubles/evaluation.ts";
import { serveNpmPackages, writeWheel } from "../../../test/doubles/package-index.ts";
import { unsealed } from "../../sandbox/seal.ts";
import { type Installer, noEnvironment } from "../language.ts";
import { createInstall, type InstallParts } from "./install.ts";

afterAll(removeFolders);

const noPip = !pythonCan("import pip, venv");

function installer({ env = {}, ...parts }: Partial<InstallParts> & { env?: Record<string, string> } = {}) {
  const announced: string[] = [];
  let ids = 0;
  const install = createInstall({
    folder: newFolder(),
    toolchain,
    seal: unsealed("tests"),
    settings: async () => ({ env, readable: [] }),
    isOpen: false,
    claim: () => {},
    now: () => 0,
    newId: () => String(ids++),
    announce: (text) => announced.push(text),
    ...parts,
  });
  const installFor = (files: Files, timeoutMs = 60_000) => install(layTree(files), { timeoutMs });
  return { announced, installFor };
}

async function brokenServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => void response.writeHead(500).end("no"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

const installerOf = (fill: (folder: string) => void): Installer => ({
  name: "own",
  wanted: async () => ({
    requests: ["a package"],
    depends: null,
    refused: [],
    install: async ({ folder }) => {
      fill(folder);
      return { missing: [], settled: true };
    },
  }),
});

function wheels(...named: [string, string][]) {
  const folder = newFolder();
  for (const [name, version] of named) writeWheel(folder, name, version);
  return { PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder };
}

describe("installing", () => {
  it("nothing costs nothing", async () => {
    const folder = newFolder();
    const { announced, installFor } = installer({ folder });
    expect(await installFor({ "a.py": "", "requirements.txt": "# none\n", "package.json": "{}" })).toEqual(
      noEnvironment,
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(announced).toEqual([]);
  });

  it("lets every user read what it brought, and changes nothing behind a link", async () => {
    const outside = join(newFolder(), "outside");
    writeFileSync(outside, "", { mode: 0o600 });
    const languages = [
      {
        installer: installerOf((folder) => {
          mkdirSync(join(folder, "package"), { mode: 0o700 });
          writeFileSync(join(folder, "package/source"), "", { mode: 0o640 });
          writeFileSync(join(folder, "package/program"), "", { mode: 0o700 });
          symlinkSync(outside, join(folder, "link"));
        }),
      },
    ];
    const {
      readable: [folder = ""],
    } = await installer({ languages }).installFor({});
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(["package", "package/source", "package/program"].map((path) => modeOf(join(folder, path)))).toEqual([
      0o755, 0o644, 0o755,
    ]);
    expect(modeOf(outside)).toBe(0o600);
  });

  it("refuses what is more than names and versions", async () => {
    const { installFor } = installer({ env: wheels() });
    const { missing } = await installFor({ "package.json": '{ "dependencies": { "x": "git+ssh://example.org/x" } }' });
    expect(missing).toEqual(toolchain.npm ? [expect.stringContaining("x@git+ssh://example.org/x: refused")] : []);
  });

  it("reads no manifest that is a link or a folder", async () => {
    const { installFor } = installer();
    expect((await installFor({ "requirements.txt/x": "", "package.json/x": "" })).missing).toEqual([]);
  });
});

describe.skipIf(noPip)("installing for Python (needs pip)", () => {
  it("gives the tests what the project declares, from every list", async () => {
    const env = wheels(["l2one", "1.0"], ["l2two", "1.0"], ["l2three", "1.0"]);
    const files = {
      "requirements.txt": "l2one==1.0\n",
      "requirements-dev.txt": "l2two\n",
      "pyproject.toml": '[project]\nname = "x"\ndependencies = ["l2three>=1"]\n',
      "test_a.py": "import l2one, l2two, l2three\ndef test_a(): assert l2one.__version__ == '1.0'\n",
    };
    const environment = await installer({ env }).installFor(files);
    expect(environment.missing).toEqual([]);
    const verdict = await evaluation(files, { tests: {}, environment });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("names what cannot be had, installs the rest, and lets the tests be unknown", async () => {
    const env = wheels(["l2one", "1.0"]);
    const files = {
      "requirements.txt": "l2one==99\nl2nothing\n-r other.txt\n",
      "test_a.py": "import l2nothing\ndef test_a(): pass\n",
    };
    const { announced, installFor } = installer({ env });
    const environment = await installFor(files);
    expect(environment.missing).toEqual([
      expect.stringContaining("-r other.txt: refused"),
      "l2one==99: no such version",
      "l2nothing: no such package, or none that is built",
    ]);
    expect(announced).toContain("not installed: l2one==99: no such version");
    const verdict = await evaluation(files, { tests: {}, environment });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(verdict.missingPackages).toContain("l2one==99: no such version");
  });

  it("leaves out what needs a package that cannot be had, and installs the rest", async () => {
    const folder = newFolder();
    writeWheel(folder, "l2one", "1.0");
    writeWheel(folder, "l2asks", "1.0", { requires: ["l2nothing<2,>=1"] });
    writeWheel(folder, "l2between", "1.0", { requires: ["l2asks"] });
    const env = { PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder };
    const environment = await installer({ env }).installFor({
      "requirements.txt": "l2asks==1.0\nl2between\nl2nothing==1.1\nl2one\n",
    });
    expect(environment.available).toEqual(["l2one 1.0"]);
    expect(environment.missing).toEqual([
      expect.stringContaining("l2nothing==1.1: no such package"),
      "l2asks==1.0: no such package, or none that is built: l2nothing, which it needs",
      expect.stringMatching(/^l2between: .*l2nothing/),
    ]);
  });

  it("happens once for the same manifest", async () => {
    const folder = newFolder();
    const env = wheels(["l2one", "1.0"]);
    const files = { "requirements.txt": "l2one\n" };
    const first = await installer({ folder, env }).installFor(files);
    const { announced, installFor } = installer({ folder, env });
    expect(await installFor({ ...files, "other.py": "" })).toEqual(first);
    expect(announced).toEqual([]);
  });

  it("without network ends soon, names everything, and is not tried again at once", async () => {
    const env = { PIP_INDEX_URL: "http://127.0.0.1:9/simple" };
    let now = 0;
    const { announced, installFor } = installer({ env, now: () => now });
    const files = { "requirements.txt": "l2one\nl2two\n" };
    const { missing } = await installFor(files);
    expect(missing).toEqual([
      expect.stringContaining("l2one: the package index could not be reached"),
      expect.stringContaining("l2two"),
    ]);
    const said = announced.length;
    await installFor(files);
    expect(announced).toHaveLength(said);
    now += 3_600_000;
    await installFor(files);
    expect(announced.length).toBeGreaterThan(said);
  });

  it("from an index that answers 500 names everything, and is tried again later", async () => {
    const broken = await brokenServer();
    let now = 0;
    const { announced, installFor } = installer({ env: { PIP_INDEX_URL: broken.url }, now: () => now });
    const { missing } = await installFor({ "requirements.txt": "l2one\n" });
    expect(missing).toEqual([expect.stringMatching(/^l2one: the package index answered with an error \(500\)/)]);
    const said = announced.length;
    now += 3_600_000;
    await installFor({ "requirements.txt": "l2one\n" });
    broken.close();
    expect(announced.length).toBeGreaterThan(said);
  });

  it("ends when its time is up", async () => {
    const { missing } = await installer({ env: wheels(["l2one", "1.0"]) }).installFor(
      { "requirements.txt": "l2one\n" },
      0,
    );
    expect(missing).toEqual([expect.stringContaining("l2one: ")]);
  });
});

describe.skipIf(!toolchain.npm)("installing for Node (needs npm)", () => {
  const manifest = (dependencies: Record<string, string>) => ({ "package.json": JSON.stringify({ dependencies }) });

  it("gives the tests what the project declares, and runs no script of a package", async () => {
    const registry = await serveNpmPackages(["l2one"]);
    const files = {
      ...manifest({ l2one: "^1" }),
      "a.test.js":
        "require('node:test')('a', () => { if (require('l2one') !== 'l2one') throw 1; require('fs').mkdirSync('node_modules/.cache'); });\n",
    };
    const environment = await installer({ env: { npm_config_registry: registry.url } }).installFor(files);
    registry.close();
    expect(environment.missing).toEqual([]);
    const installed = join(environment.nodeModules[0]?.folder ?? "", "l2one");
    expect(existsSync(join(installed, "index.js"))).toBe(true);
    expect(existsSync(join(installed, "ran-a-script"))).toBe(false);
    const verdict = await evaluation(files, { tests: {}, environment });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("names what cannot be had and installs the rest", async () => {
    const registry = await serveNpmPackages(["l2one", "l2two"]);
    const env = { npm_config_registry: registry.url };
    const environment = await installer({ env }).installFor(manifest({ l2one: "^1", l2two: "^99", l2three: "*" }));
    registry.close();
    expect(environment.missing.toSorted()).toEqual(["l2three@*: no such package", "l2two@^99: no such version"]);
    expect(existsSync(join(environment.nodeModules[0]?.folder ?? "", "l2one/index.js"))).toBe(true);
  });

  it.each(["git+https://127.0.0.1:9/x.git", "http://127.0.0.1:9/x.tgz", "file:../x"])(
    "fetches nothing from elsewhere, not for a package of the registry either: %s",
    async (evil) => {
      const registry = await serveNpmPackages(["l2one", "l2two"], { l2one: { evil } });
      const env = { npm_config_registry: registry.url };
      const environment = await installer({ env }).installFor(manifest({ l2one: "1", l2two: "1" }));
      registry.close();
      expect(environment.missing).toEqual(["l2one@1: it needs a package that is not of the registry"]);
      expect(existsSync(join(environment.nodeModules[0]?.folder ?? "", "l2two/index.js"))).toBe(true);
    },
  );

  it("from a registry that answers 500 names everything, and is tried again later", async () => {
    const broken = await brokenServer();
    let now = 0;
    const { announced, installFor } = installer({ env: { npm_config_registry: broken.url }, now: () => now });
    const { missing } = await installFor(manifest({ l2one: "1" }));
    expect(missing).toEqual([expect.stringMatching(/^l2one@1: the package registry answered with an error \(500\)/)]);
    const said = announced.length;
    now += 3_600_000;
    await installFor(manifest({ l2one: "1" }));
    broken.close();
    expect(announced.length).toBeGreaterThan(said);
  });

  it("without network names everything", async () => {
    const { missing } = await installer({ env: { npm_config_registry: "http://127.0.0.1:9/" } }).installFor(
      manifest({ l2one: "1" }),
    );
    expect(missing).toEqual(["l2one@1: the package registry could not be reached"]);
  });
});
