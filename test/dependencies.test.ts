/** What is installed is what was reviewed: each package by its hash, from any registry, and without scripts of its own. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./house-rules.ts";

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const jsonIn = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), "utf8"));
const lock: Record<string, Locked> = jsonIn("package-lock.json").packages;
const workspaces = Object.keys(lock).filter((path) => path.startsWith("packages/"));
/** What is fetched or comes within what is: no package of this repository, and no link to one. */
const installed = Object.entries(lock).filter(
  ([path, { link, resolved = "" }]) =>
    path !== "" && !workspaces.includes(path) && !(link && workspaces.includes(resolved)),
);
/** A bundled package is part of the archive of the package that holds it, and so of its hash. */
const fetched = installed.filter(([, { inBundle }]) => !inBundle);

describe("the lock file", () => {
  it("has the SHA-512 of every package that is fetched", () => {
    expect(fetched.length).toBeGreaterThan(100);
    const without = fetched.filter(([, { integrity = "" }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it("bundles packages only within one that has a hash", () => {
    const holders = new Map(fetched);
    const loose = installed.filter(
      ([path, { inBundle }]) => inBundle && ![...holders.keys()].some((holder) => path.startsWith(`${holder}/`)),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it("names no server, no repository and no folder", () => {
    expect(installed.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)).toEqual(
      [],
    );
    const asked = Object.values(lock).flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    );
    expect(asked.filter(([, range]) => /[:/]/.test(range.replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+@/, "")))).toEqual([]);
  });

  it("lets only named packages run scripts", () => {
    const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(scripts).toEqual(["node_modules/esbuild", "node_modules/node"]);
    expect(jsonIn("package.json").allowScripts).toEqual({ esbuild: true, node: true });
  });

  it("has every package of the repository", () => {
    expect(workspaces.toSorted()).toEqual(globSync("packages/*", { cwd: projectRoot }).toSorted());
  });

  it("has the exact versions that the manifests name", () => {
    for (const folder of ["", ...workspaces]) {
      const { dependencies, devDependencies } = jsonIn(join(folder, "package.json"));
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
        expect(`${name} ${version}`).toBe(`${name} ${lock[`node_modules/${name}`]?.version}`);
    }
  });
});

/** The script of the package `node` fetches the program by its version alone. */
it("the Node that runs everything has the pinned hash", () => {
  const [hash, path = ""] = readFileSync(join(projectRoot, ".ci/node.sha256"), "utf8").trim().split(/\s+/);
  expect(path).toBe("node_modules/node/bin/node");
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  // The pin is that of the platform of CI, which checks it before it runs any of it.
  if (process.platform !== "linux" || process.arch !== "x64") return;
  expect(
    createHash("sha256")
      .update(readFileSync(join(projectRoot, path)))
      .digest("hex"),
  ).toBe(hash);
});
