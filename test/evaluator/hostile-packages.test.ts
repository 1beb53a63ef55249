/** Hostile manifests and lock files: whatever they name, only the configured registry is asked, and nothing of theirs runs. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInstall } from "../../lib/evaluator/packages/install.ts";
import { findInstallSeal } from "../../lib/sandbox/install-seal.ts";
import { openSandbox } from "../../lib/sandbox/sandbox.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { type Files, layTree, newFolder, pythonCan, removeFolders } from "../doubles/evaluation.ts";
import { serveNpmPackages, writeWheel } from "../doubles/package-index.ts";

const { toolchain } = openSandbox({
  env: process.env,
  node: process.execPath,
  folder: newFolder(),
  uid: process.getuid?.() ?? 1,
});
const seal =
  findInstallSeal({
    folder: newFolder(),
    path: toolchain.path.split(delimiter),
    node: toolchain.node,
    readable: toolchain.readable,
  }) ?? unsealed("tests");

const visits: string[] = [];
const foreign = createServer((request, response) => {
  visits.push(request.url ?? "");
  response.writeHead(404).end();
});
let registry: { url: string; close(): void };
let there = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  there = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  registry = await serveNpmPackages(["l2one", "l2two"]);
});
afterAll(() => {
  foreign.close();
  registry.close();
  removeFolders();
});

let ids = 0;
async function installed(files: Files, env: Record<string, string> = {}) {
  const folder = newFolder();
  const install = createInstall({
    ...{ folder, toolchain, seal, isOpen: false },
    settings: async () => ({
      env: { npm_config_registry: registry.url, ...env },
      readable: Object.values(env).filter((value) => value.startsWith("/")),
    }),
    claim: () => {},
    now: Date.now,
    newId: () => String(ids++),
    announce: () => {},
  });
  const environment = await install(layTree(files), { timeoutMs: 60_000 });
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const nodeModules = environment.nodeModules[0]?.folder ?? "";
  const one = join(nodeModules, "l2one/index.js");
  return {
    ran: all.filter((name) => /(?:ran-a-script|evil)$/.test(name)),
    one: existsSync(one) ? readFileSync(one, "utf8") : "",
    environment,
  };
}

const json = (value: object): string => JSON.stringify(value);
const manifest = (more: object = {}, dependencies: object = { l2one: "1" }): Files => ({
  "package.json": json({ name: "mine", version: "1.0.0", dependencies, ...more }),
});
const npmLock = (entries: Record<string, object>): string =>
  json({ lockfileVersion: 3, packages: { "": { dependencies: { l2one: "1" } }, ...entries } });
const yarn = (fields: string, descriptor = "l2one@1"): string => `# yarn lockfile v1\n\n"${descriptor}":\n${fields}`;
const pnpm = (resolution: string, version = "1.0.0"): string =>
  `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      l2one:\n        specifier: '1'\n        version: ${version}\npackages:\n  l2one@${version}:\n    resolution: ${resolution}\nsnapshots:\n  l2one@${version}: {}\n`;
const bun = (entry: unknown[]): string =>
  json({ lockfileVersion: 1, workspaces: { "": { dependencies: { l2one: "1" } } }, packages: { l2one: entry } });
const script = 'node -e \'require("fs").writeFileSync("evil", "")\'';

/** `from` is the address of another server. The package must be the registry's all the same. */
const ATTACKS: [string, (from: string) => Files][] = [
  [
    "settings of npm",
    (from) => ({
      ...manifest({ publishConfig: { registry: from }, config: { registry: from } }),
      ".npmrc": `registry=${from}/\n@s:registry=${from}/\nignore-scripts=false\nscript-shell=/bin/evil\nnode-options=--require=./evil.js\nprefix=/tmp\nproxy=${from}\n`,
      "evil.js": "require('fs').writeFileSync('evil', '')",
    }),
  ],
  [
    "settings of other managers",
    (from) => ({
      ...manifest({ packageManager: `yarn@${from}/yarn.js` }),
      ".yarnrc": `registry "${from}"\nyarn-path "./evil.js"\n`,
      ".yarnrc.yml": `npmRegistryServer: ${from}\nyarnPath: ./evil.js\n`,
      ".pnpmfile.cjs": "require('fs').writeFileSync('evil', '')",
      "bunfig.toml": `[install]\nregistry = "${from}"\n`,
    }),
  ],
  [
    "scripts",
    () => manifest({ scripts: { preinstall: script, install: script, postinstall: script, prepare: script } }),
  ],
  ["a workspace around it", () => ({ ...manifest({ workspaces: ["..", "../*", "/etc", "packages/../../*", "./"] }) })],
  [
    "packages from elsewhere",
    (from) =>
      manifest(
        {},
        {
          ...{ l2one: "1", a: `${from}/a.tgz`, b: `git+${from}/b`, c: "file:../..", d: `npm:l2two@${from}/x.tgz` },
          ...{ e: "npm:../x@1", f: "link:/etc", g: `l2two@${from}/g.tgz`, h: "portal:..", i: `patch:l2two@${from}` },
        },
      ),
  ],
  [
    "versions set from elsewhere",
    (from) =>
      manifest({
        overrides: { l2one: `${from}/x.tgz`, l2two: { ".": `git+${from}/x` } },
        resolutions: { l2one: `${from}/x.tgz`, "**/l2two": `git+${from}/x` },
        pnpm: { overrides: { l2one: `${from}/x.tgz` }, patchedDependencies: { l2one: "../../x" } },
      }),
  ],
  [
    "npm: an address in the lock",
    (from) => ({
      ...manifest(),
      "package-lock.json": npmLock({ "node_modules/l2one": { version: "1.0.0", resolved: `${from}/l2one.tgz` } }),
    }),
  ],
  [
    "npm: folders and scripts in the lock",
    (from) => ({
      ...manifest(),
      "package-lock.json": npmLock({
        "node_modules/l2one": { version: "1.0.0", hasInstallScript: true, scripts: { install: script } },
        "node_modules/l2two": { resolved: "../..", link: true },
        "node_modules/x": { version: `file:${from}`, resolved: "file:../../x" },
      }),
    }),
  ],
  [
    "npm: a bundled package in the lock",
    (from) => ({
      ...manifest({ bundleDependencies: ["l2one"] }),
      "package-lock.json": npmLock({
        "node_modules/l2one": { version: "1.0.0", inBundle: true, resolved: `${from}/l2one.tgz` },
        "node_modules/l2one/node_modules/x": { version: "1.0.0", inBundle: true, resolved: `${from}/x.tgz` },
      }),
    }),
  ],
  [
    "Yarn: an address",
    (from) => ({ ...manifest(), "yarn.lock": yarn(`  version "1.0.0"\n  resolved "${from}/a.tgz"\n`) }),
  ],
  [
    "Yarn: another package under its name",
    (from) => ({ ...manifest(), "yarn.lock": yarn(`  version "npm:x@${from}/x.tgz"\n  resolved "${from}/a.tgz#x"\n`) }),
  ],
  [
    "Yarn: a version that is an address",
    (from) => ({ ...manifest(), "yarn.lock": yarn(`  version "${from}/x.tgz"\n  resolved "file:../x.tgz"\n`) }),
  ],
  [
    "pnpm: an address",
    (from) => ({ ...manifest(), "pnpm-lock.yaml": pnpm(`{tarball: '${from}/a.tgz', integrity: ''}`) }),
  ],
  [
    "pnpm: a version that is an address",
    (from) => ({ ...manifest(), "pnpm-lock.yaml": pnpm(`{tarball: '${from}/a.tgz'}`, `'${from}/a.tgz'`) }),
  ],
  ["Bun: an address", (from) => ({ ...manifest(), "bun.lock": bun(["l2one@1.0.0", `${from}/`, { bin: "../x" }, ""]) })],
  [
    "Bun: a version that is an address",
    (from) => ({ ...manifest(), "bun.lock": bun([`l2one@${from}/a.tgz`, {}, "sha512-AAAA"]) }),
  ],
];

describe.skipIf(!toolchain.npm)("a hostile project (needs npm)", () => {
  it.each(ATTACKS)("asks the registry alone, and runs nothing: %s", async (_, files) => {
    expect(await installed(files(there))).toMatchObject({ ran: [], one: 'module.exports = "l2one";\n' });
    expect(visits.splice(0)).toEqual([]);
  });

  it("is seen where it reaches another server", async () => {
    await fetch(`${there}/seen`);
    expect(visits.splice(0)).toEqual(["/seen"]);
  });
});

/** Leaves a file beside itself. */
const RAN = "import os\nopen(os.path.join(os.path.dirname(__file__), 'evil'), 'w')\n";
/** What Python, pip and its libraries import or start where it is there. */
const TAKEN = [
  ...["sitecustomize.py", "usercustomize.py", "brotli.py", "keyring.py", "truststore.py", "socks.py", "chardet.py"],
  ...["pip/__init__.py", "pip/__main__.py", "setuptools/__init__.py", "importlib_metadata.py", "tomllib.py"],
];

function hostileWheels(): Record<string, string> {
  const folder = newFolder();
  writeWheel(folder, "l2wheel", "1.0", {
    ...Object.fromEntries(TAKEN.map((path) => [path, RAN])),
    "l2run.py": RAN,
    "l2wheel.pth": "import l2run\n",
    "l2wheel-1.0.data/scripts/python": `#!/bin/sh\ntouch "$(dirname "$0")/evil"\n`,
    "l2wheel-1.0.data/scripts/python3": `#!/bin/sh\ntouch "$(dirname "$0")/evil"\n`,
    "l2wheel-1.0.data/data/pyvenv.cfg": "home = /nowhere\n",
  });
  for (const version of ["1.0", "2.0"]) writeWheel(folder, "l2base", version);
  writeWheel(folder, "l2old", "1.0", { requires: ["l2base==1.0"] });
  writeWheel(folder, "l2new", "1.0", { requires: ["l2base==2.0"] });
  writeWheel(folder, "l2mine", "1.0", { requires: ["l2wheel"] });
  writeWheel(folder, "l2far", "1.0", { requires: [`l2source @ file://${join(folder, "l2source-1.0.tar.gz")}`] });
  writeWheel(folder, "l2git", "1.0", { requires: [`l2source @ git+file://${folder}`] });
  const backend = layTree({
    "l2source-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: l2source\nVersion: 1.0\n",
    "l2source-1.0/pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "run"\nbackend-path = ["."]\n',
    "l2source-1.0/run.py": `open(${JSON.stringify(join(folder, "evil"))}, "w")\nimport os\nopen(os.environ["HOME"] + "/../evil", "w")\n`,
  });
  execFileSync("tar", ["-czf", join(folder, "l2source-1.0.tar.gz"), "-C", backend, "l2source-1.0"]);
  return { PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder };
}

const requirement = (line: string): Files => ({ "requirements.txt": `${line}\n` });
const PYTHON_ATTACKS: [string, Files][] = [
  ["an option behind a condition", requirement('l2source ; python_version >= "3" --no-binary :all:')],
  ["an option in the quotes of a condition", requirement('l2source ; python_version >= "3 --no-binary :all:"')],
  [
    "an option in pyproject.toml",
    { "pyproject.toml": '[project]\nname = "x"\ndependencies = ["l2source ; os_name != \'\' --no-binary :all:"]\n' },
  ],
  [
    "an option in a list of constraints",
    { ...requirement("-c pins.txt\nl2source"), "pins.txt": "--no-binary :all:\n" },
  ],
  ["source alone", requirement("l2source")],
  ["source at an address that a package requires", requirement("l2far\nl2git")],
  ["packages that exclude each other, after one that is hostile", requirement("l2wheel\nl2old\nl2new")],
  [
    "a hostile package under the project's own",
    {
      ...requirement("l2wheel"),
      "pyproject.toml": '[project]\nname = "l2wheel"\ndependencies = ["l2mine", "l2old"]\n',
    },
  ],
];

describe.skipIf(!pythonCan("import pip, venv"))("a hostile package of Python (needs pip)", () => {
  it.each(PYTHON_ATTACKS)("runs nothing while it is installed: %s", async (_, files) => {
    const env = hostileWheels();
    const { ran } = await installed(files, env);
    expect(ran).toEqual([]);
    expect(readdirSync(env.PIP_FIND_LINKS ?? "")).not.toContain("evil");
  });

  it("leaves what excludes another out, and installs the rest", async () => {
    const { environment } = await installed(requirement("l2old\nl2new"), hostileWheels());
    expect(environment.missing).toEqual([expect.stringContaining("l2new: ERROR")]);
    expect(environment.available).toEqual(["l2old 1.0", "l2base 1.0"]);
  });
});
