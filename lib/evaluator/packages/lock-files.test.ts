import { describe, expect, it } from "vitest";
import { hashFindings } from "./lock-findings.ts";
import { checksumsIn, nodeLockFindings } from "./node-lock.ts";
import { poetryLockFindings } from "./poetry-lock.ts";

const lock = (packages: Record<string, unknown>): string => JSON.stringify({ lockfileVersion: 3, packages });
const of = (text: string, more: { registries?: string[]; installed?: Map<string, string> } = {}): string[] =>
  nodeLockFindings({ text, declared: ["express"], registries: [], ...more }).map(({ message }) => message);
const HOST = ["registry", "npmjs", "org"].join(".");
const REGISTRY = `https://${HOST}/x/-/x-1.0.0.tgz`;

describe("a package-lock.json", () => {
  it("that npm wrote has nothing wrong with it", () => {
    const healthy = lock({
      "": { dependencies: { express: "^4" } },
      "node_modules/express": { version: "4.0.0", resolved: REGISTRY, integrity: "sha512-a" },
      "node_modules/own": { resolved: "packages/own", link: true },
    });
    expect(of(healthy)).toEqual([]);
    expect(
      of(JSON.stringify({ lockfileVersion: 1, dependencies: { x: { version: "1.0.0", resolved: REGISTRY } } })),
    ).toEqual([]);
  });

  it.each([
    "git+ssh://git@example.org/x.git#abc",
    "https://evil.example/x.tgz",
    "file:../x.tgz",
    "/etc/passwd",
    `https://${HOST}.evil.example/x.tgz`,
    `https://${HOST}@evil.example/x.tgz`,
  ])("may not take packages from elsewhere: %s", (resolved) => {
    expect(of(lock({ "node_modules/x": { version: "1.0.0", resolved } }))).toEqual([
      expect.stringMatching(/^takes x from .*no registry that is set up here\. It is not followed/),
    ]);
  });

  it("may take packages from the registry that is set up here", () => {
    const own = lock({ "node_modules/x": { version: "1.0.0", resolved: "https://mirror.example/npm/x.tgz" } });
    expect(of(own, { registries: ["https://mirror.example/npm/"] })).toEqual([]);
  });

  it("may not name packages that the manifest does not", () => {
    expect(of(lock({ "": { dependencies: { express: "1", evil: "1" }, devDependencies: { worse: "1" } } }))).toEqual([
      expect.stringContaining("names evil, which package.json does not."),
      expect.stringContaining("names worse, which package.json does not."),
    ]);
  });

  it("may not have another checksum than what was installed", () => {
    const text = lock({ "node_modules/x": { version: "1.0.0", resolved: REGISTRY, integrity: "sha512-mine" } });
    const installed = (integrity: string) => checksumsIn(lock({ "node_modules/x": { version: "1.0.0", integrity } }));
    expect(of(text, { installed: installed("sha512-other") })).toEqual([
      expect.stringContaining("another checksum of x@1.0.0"),
    ]);
    expect(of(text, { installed: installed("sha512-mine") })).toEqual([]);
    expect(of(text, { installed: installed("sha1-other") })).toEqual([]);
  });

  it.each(["nonsense", "[]", "null", '{"packages": 7}', '{"packages": {"__proto__": null, "node_modules/x": 7}}', ""])(
    "that is none is named or harmless, never a crash: %s",
    (text) => expect(of(text).length).toBeLessThanOrEqual(1),
  );

  it("is told in a few lines, without credentials", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`node_modules/x${at}`, { resolved: "https://me:secret@evil.example/x" }]),
    );
    const said = of(lock(many));
    expect(said).toHaveLength(11);
    expect(said.join()).not.toContain("secret");
  });
});

describe("a poetry.lock", () => {
  const source = (type: string, url: string): string =>
    `[[package]]\nname = "x"\nversion = "1"\n[package.source]\ntype = "${type}"\nurl = "${url}"\n`;

  it("may take packages from the index, and from the one that is set up here", () => {
    expect(poetryLockFindings('[[package]]\nname = "x"\nversion = "1"\n', [])).toEqual([]);
    expect(
      poetryLockFindings(source("legacy", "https://mirror.example/simple"), ["https://mirror.example/simple"]),
    ).toEqual([]);
  });

  it.each(["git", "url", "file", "directory", "legacy"])("may not take packages from elsewhere: %s", (type) => {
    expect(poetryLockFindings(source(type, "https://evil.example/x"), [])).toEqual([
      expect.objectContaining({ path: "poetry.lock", message: expect.stringContaining(`takes x from ${type}`) }),
    ]);
  });

  it("that is none is named", () => {
    expect(poetryLockFindings("[[", [])).toEqual([
      expect.objectContaining({ message: expect.stringContaining("no lock file") }),
    ]);
  });
});

it("hashes in a list of requirements are said not to be compared", () => {
  expect(hashFindings("requirements.txt", "x==1 --hash=sha256:abc")).toHaveLength(1);
  expect(hashFindings("requirements.txt", "x==1")).toEqual([]);
});
