import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  newFolder,
  removeFolders,
  toolchain,
} from "../../../../test/doubles/evaluation.ts";
import { writeGoModule } from "../../../../test/doubles/package-index.ts";
import { unsealed } from "../../../sandbox/seal.ts";
import { createInstall } from "../../packages/install.ts";
import { fetchablePart, parseGoMod, writtenGoMod } from "./go-mod.ts";
import { goInstaller } from "./install-go.ts";

afterAll(removeFolders);

describe("a go.mod", () => {
  const text = [
    'module "example.org/shop" // the shop',
    "go 1.21",
    "require example.org/one v1.0.0",
    "require (",
    "\texample.org/two/v2 v2.1.0-rc.1 // indirect",
    "\texample.org/tools v0.0.0",
    "\t../evil v1.0.0",
    ")",
    "replace example.org/one => example.org/other v1.2.3",
    "replace (",
    "\texample.org/tools => ./tools",
    ")",
  ].join("\n");

  it("is read with what it requires and replaces", () => {
    expect(parseGoMod(text)).toMatchObject({
      name: "example.org/shop",
      go: "1.21",
      required: [{ path: "example.org/one" }, { path: "example.org/two/v2" }, { path: "example.org/tools" }, {}],
      replaced: [{ by: "example.org/other", byVersion: "v1.2.3" }, { by: "./tools" }],
    });
  });

  it("is given to the installer without folders, and without what lies in the project", () => {
    const part = fetchablePart(parseGoMod(text), new Set(["example.org/shop"]));
    expect(writtenGoMod(part).split("\n")).toEqual([
      "module example.org/shop",
      "go 1.21",
      "require example.org/one v1.0.0",
      "require example.org/two/v2 v2.1.0-rc.1",
      "replace example.org/one  => example.org/other v1.2.3",
      "",
    ]);
  });
});

describe.skipIf(!toolchain.tools.go)("modules of Go (needs go)", () => {
  const proxy = newFolder();
  writeGoModule(proxy, ["example.org/price", "v1.0.0"], {
    "price.go": "package price\n\nfunc Of() int { return 3 }\n",
  });
  const env = { GOPROXY: `file://${proxy}`, GOSUMDB: "off" };
  const install = createInstall({
    folder: newFolder(),
    toolchain,
    seal: unsealed("tests"),
    settings: async () => ({ env, readable: [] }),
    isOpen: false,
    claim: () => {},
    now: Date.now,
    newId: () => String(Math.random()).slice(2),
    announce: () => {},
  });
  const judged = async (files: Files) => {
    const environment = await install(layTree(files), { timeoutMs: 60_000 });
    return {
      environment,
      verdict: await evaluation(files, { syntax: {}, tests: {}, environment, timeoutMs: 170_000 }),
    };
  };
  const test = (path: string): string =>
    `package shop\n\nimport (\n\t"testing"\n\t"${path}"\n)\n\nfunc TestA(t *testing.T) {\n\tif price.Of() != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n`;
  const mod = "module shop\n\ngo 1.21\n\nrequire example.org/price v1.0.0\n";

  it("are there for the tests, without a go.sum", async () => {
    const { environment, verdict } = await judged({ "go.mod": mod, "a_test.go": test("example.org/price") });
    expect(environment).toMatchObject({ missing: [], env: { GOPROXY: "off" } });
    expect(verdict).toMatchObject({ syntax: { status: "passed" }, tests: { status: "passed", passed: 1 } });
  }, 200_000);

  it("are there with the graph of modules that Go reads where one of them requires the project itself", async () => {
    const module = (name: string, ...lines: string[]) => ({ "go.mod": [`module ${name}`, ...lines, ""].join("\n") });
    const old = "package old\n";
    writeGoModule(proxy, ["example.org/older", "v1.0.0"], module("example.org/older"));
    const requiresOlder = module("example.org/old", "require example.org/older v1.0.0");
    writeGoModule(proxy, ["example.org/old", "v1.0.0"], { ...requiresOlder, "old.go": old });
    const back = ["go 1.21", "require example.org/old v1.0.0", "require example.org/shop v0.1.0"];
    writeGoModule(proxy, ["example.org/back", "v1.0.0"], {
      ...module("example.org/back", ...back),
      "price.go": 'package price\n\nimport _ "example.org/old"\n\nfunc Of() int { return 3 }\n',
    });
    writeGoModule(proxy, ["example.org/shop", "v0.1.0"], module("example.org/shop", "go 1.21"));
    const required = ["require example.org/back v1.0.0", "require example.org/old v1.0.0 // indirect"];
    const { verdict } = await judged({
      ...module("example.org/shop", "go 1.21", ...required),
      "a_test.go": test("example.org/back"),
    });
    expect(verdict).toMatchObject({ syntax: { status: "passed" }, tests: { status: "passed", passed: 1 } });
  }, 200_000);

  it("are found for a tree without go.mod", async () => {
    const { verdict } = await judged({ "a_test.go": test("example.org/price") });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
  }, 200_000);

  it("that cannot be had leave everything unknown, and failed nothing", async () => {
    const absent = mod.replace("price v1.0.0", "absent v1.0.0");
    const { environment, verdict } = await judged({ "go.mod": absent, "a_test.go": test("example.org/absent") });
    expect(environment.missing).toEqual([expect.stringContaining("example.org/absent")]);
    expect(verdict.syntax).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
  }, 200_000);

  it("are asked of proxies, and never of the hosts that their names begin with", () => {
    const found = goInstaller.settings?.(toolchain.tools, { ...process.env, GOPROXY: "https://a.invalid,direct" });
    expect(found).toMatchObject({ GOPROXY: "https://a.invalid" });
  });
});
