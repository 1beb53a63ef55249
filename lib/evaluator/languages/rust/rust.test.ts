import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, layTree, newFolder, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { openSandbox } from "../../../sandbox/sandbox.ts";
import { createEvaluate } from "../../evaluate.ts";
import { fetchablePart, parseManifest, writtenManifest } from "./cargo-manifest.ts";
import { findingsIn, lackingIn, lackingToolIn } from "./cargo-messages.ts";
import { cargoInstaller } from "./install-cargo.ts";
import { cargoFolders, rootsOf } from "./packages.ts";
import { readTests } from "./test-output.ts";

afterAll(removeFolders);

const partOf = (text: string, folders: string[] = []) =>
  fetchablePart({ folder: "", table: parseManifest(text) ?? {} }, (folder) => folders.includes(folder));

describe("the part of a Cargo.toml that the installer sees", () => {
  it("has packages of the registry, and those of the project's own folders", () => {
    const part = partOf(
      `[package]\nname = "shop"\nversion = "0.1.0"\nbuild = "build.rs"\n[features]\nfast = ["dep:itoa", "dep:evil", "core/fast"]\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nitoa = { version = "1.0", optional = true }\ncore = { path = "core" }\n[target.'cfg(unix)'.dev-dependencies]\nlibc = "0.2"\n`,
      ["core"],
    );
    expect(part.requests).toEqual(["serde 1", "itoa 1.0", "libc 0.2"]);
    expect(parseManifest(writtenManifest(part))).toEqual({
      package: { name: "shop", version: "0.1.0" },
      dependencies: {
        serde: { version: "1", features: ["derive"] },
        itoa: { version: "1.0", optional: true },
        core: { path: "core" },
      },
      target: { "cfg(unix)": { "dev-dependencies": { libc: { version: "0.2" } } } },
      features: { fast: ["dep:itoa", "core/fast"] },
    });
  });

  it.each([
    'evil = { git = "https://example.org/evil" }',
    'evil = { path = "../../etc" }',
    'evil = { version = "1", registry = "mine" }',
    'evil = { version = "$(id)" }',
    'evil = { package = "../evil", version = "1" }',
  ])("has nothing from elsewhere: %s", (line) => {
    const part = partOf(`[package]\nname = "a"\nversion = "0.1.0"\n[dependencies]\n${line}\n`);
    expect(part.requests).toEqual([]);
    expect(part.refused).toEqual([expect.stringContaining("evil: refused")]);
    expect(writtenManifest(part)).not.toContain("evil");
  });

  it("keeps nothing that says what is built or run", () => {
    const text =
      '[package]\nname = "a"\nversion = "1.0.0"\n[profile.dev]\nx = 1\n[patch.crates-io]\nserde = { path = "/" }\n';
    expect(parseManifest(writtenManifest(partOf(text)))).toEqual({
      package: { name: "a", version: "1.0.0" },
      features: {},
    });
  });
});

it("calls cargo at the outer manifests alone", () => {
  const files = ["a/Cargo.toml", "a/b/Cargo.toml", "c/Cargo.toml", "target/x/Cargo.toml"];
  expect(rootsOf(cargoFolders({ folder: "", files } as never))).toEqual(["a", "c"]);
});

describe("the output of cargo test", () => {
  const head = "     Running unittests src/lib.rs (target/debug/deps/shop-1)\n\nrunning 3 tests\n";
  const lines = "test tests::adds ... ok\ntest tests::waits ... ignored, slow\ntest tests::fails ... FAILED\n";
  const failures =
    "\nfailures:\n\n---- tests::fails stdout ----\nassertion failed: no\n\n\nfailures:\n    tests::fails\n";
  const result =
    "\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

  it("is cases, with what the failing ones printed", () => {
    expect(readTests(head + lines + failures + result, 101)).toMatchObject({
      cases: [
        { name: "src/lib.rs > tests::adds", status: "passed" },
        { name: "src/lib.rs > tests::waits", status: "skipped" },
        { name: "src/lib.rs > tests::fails", status: "failed", message: "assertion failed: no" },
      ],
      end: 101,
    });
  });

  it("has no end where a program left before its tests had ended", () => {
    const found = readTests(`${head}test tests::adds ... ok\n`, 0);
    expect(found.end).toBeUndefined();
    expect(found.running).toEqual(["src/lib.rs"]);
  });

  it("counts tests of the documentation, and programs without a harness by the exit code", () => {
    const own = "     Running tests/own.rs (target/debug/deps/own-1)\nall is well\n";
    const docs =
      "   Doc-tests shop\n\nrunning 1 test\ntest src/lib.rs - add (line 3) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    expect(readTests(own + docs, 0).cases).toMatchObject([
      { name: "tests/own.rs", status: "passed" },
      { name: "shop (documentation) > src/lib.rs - add (line 3)", status: "passed" },
    ]);
    expect(readTests(own, 101)).toMatchObject({ cases: [], end: 101 });
  });
});

describe("messages of cargo", () => {
  it("are findings at their places", () => {
    const span = { file_name: "src/lib.rs", line_start: 3, column_start: 9, is_primary: true };
    const message = { level: "error", message: "cannot find value `x`", code: { code: "E0425" }, spans: [span] };
    const line = JSON.stringify({ reason: "compiler-message", message });
    expect(findingsIn(`${line}\n${line}\n{"reason":"other"}\nno json\n`, "in").errors).toEqual([
      { path: "in/src/lib.rs", line: 3, column: 9, message: "cannot find value `x`", rule: "E0425" },
    ]);
  });

  it("name the packages and tools that are lacking", () => {
    expect(lackingIn("error: no matching package named `serde` found\n")).toEqual(["serde"]);
    expect(lackingToolIn("error: linker `cc` not found")).toContain("C compiler");
    expect(lackingToolIn("error: package `a v1` cannot be built because it requires rustc 9.1 or newer")).toContain(
      "9.1",
    );
  });
});

it("without cargo Rust is not checked, and it is said what would help", async () => {
  const files = { "Cargo.toml": "[package]\nname = 'a'\nversion = '0.1.0'\n", "src/lib.rs": "" };
  const found = await evaluation(files, undefined, { toolchain: { node: toolchain.node, path: "" } });
  const missing = {
    status: "not_run",
    reason: "no_toolchain",
    detail: expect.stringContaining("install it, or choose"),
  };
  expect(found).toMatchObject({ syntax: missing, tests: missing });
});

const sandbox = openSandbox({
  env: process.env,
  node: process.execPath,
  folder: newFolder(),
  uid: process.getuid?.() ?? 1,
});
const isSealed = sandbox.seal.describe().sealed;

describe.skipIf(!toolchain.tools.cargo || !isSealed)("a hostile build script (needs cargo and bubblewrap)", () => {
  it("reaches no network, no other file and no part of the toolchain", async () => {
    const secret = join(newFolder(), "secret");
    writeFileSync(secret, "hunter2");
    const server = createServer((socket) => void socket.on("error", () => {}).end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const spoilt = join(sandbox.toolchain.tools.cargo?.root ?? "", "spoilt");
    const build = `fn main() {
      if std::net::TcpStream::connect("127.0.0.1:${port}").is_ok() { panic!("connected"); }
      if std::fs::read(${JSON.stringify(secret)}).is_ok() { panic!("read"); }
      if std::fs::write(${JSON.stringify(spoilt)}, "x").is_ok() { panic!("wrote"); }
    }\n`;
    const files = {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      "build.rs": build,
      "src/lib.rs": "#[test]\nfn runs() {}\n",
    };
    const request = { tests: {}, timeoutMs: 100_000 };
    const evaluate = createEvaluate({ ...sandbox, scratch: newFolder(), now: Date.now, newId: () => "" });
    const { tests } = await evaluate(layTree(files), request);
    expect(tests).toMatchObject({ status: "passed", passed: 1 });
    // Nothing but the seal holds it off.
    expect((await evaluation(files, request)).tests.output).toContain("connected");
    server.close();
  });
});

describe.skipIf(!toolchain.tools.cargo)("Rust (needs cargo)", () => {
  const manifest = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n';
  const lib = (body: string) => `pub fn add(a: u32, b: u32) -> u32 { ${body} }\n`;
  const test = "use shop::add;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n";
  const judged = (files: Record<string, string>) =>
    evaluation({ "Cargo.toml": manifest, ...files }, { syntax: {}, tests: {}, timeoutMs: 170_000 });

  it("is compiled and tested", async () => {
    const verdict = await judged({ "src/lib.rs": lib("a + b"), "tests/add.rs": test });
    expect(verdict.syntax).toMatchObject({ status: "passed" });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1, runner: "cargo test" });
  });

  it("fails where a test fails, and where it does not compile", async () => {
    const wrong = await judged({ "src/lib.rs": lib("a - b"), "tests/add.rs": test });
    expect(wrong.tests).toMatchObject({ status: "failed", failed: 1 });
    const broken = await judged({ "src/lib.rs": lib("a + c"), "tests/add.rs": test });
    expect(broken.syntax).toMatchObject({ status: "failed", errors: [{ path: "src/lib.rs", line: 1, rule: "E0425" }] });
    expect(broken.tests).toMatchObject({ status: "failed", errors: 1 });
  });

  it("is unknown where a package cannot be had", async () => {
    const lacking = `${manifest}[dependencies]\nl2mac-absent = "1"\n`;
    const verdict = await judged({ "Cargo.toml": lacking, "src/lib.rs": lib("a + b") });
    expect(verdict.syntax).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
  });

  it("is only parsed where one file was written", async () => {
    const files = { "Cargo.toml": manifest, "src/lib.rs": "pub fn a( {", "src/b.rs": "pub fn b() { nothing }\n" };
    const of = async (path: string) => (await evaluation(files, { syntax: { paths: [path] } })).syntax;
    expect(await of("src/b.rs")).toMatchObject({ status: "passed" });
    expect(await of("src/lib.rs")).toMatchObject({ status: "failed", errors: [{ path: "src/lib.rs", line: 1 }] });
  });
});

describe("a Cargo.lock", () => {
  /** Cargo itself, which has no registry here: it is asked with and without the lock. */
  async function missingWith(says: string): Promise<[string[], string[][]]> {
    const lock = 'version = 3\n[[package]]\nname = "mine"\nversion = "0.1.0"\n';
    const manifest = '[package]\nname = "mine"\nversion = "0.1.0"\n[dependencies]\none = "2"\n';
    const folder = layTree({ "Cargo.toml": manifest, "Cargo.lock": lock, "src/lib.rs": "" });
    const cargo = { program: "cargo", version: "1", readable: [] };
    const { install } = await cargoInstaller.wanted(folder, { ...toolchain, tools: { cargo } }, "");
    const asked: string[][] = [];
    const run = async (argv: string[]) => {
      asked.push(argv.slice(3));
      const isRefused = argv.includes("--locked") && says !== "";
      return { ...ENDED, exitCode: isRefused ? 101 : 0, stderr: isRefused ? says : "" };
    };
    const { missing } = await install({ folder: newFolder(), downloads: newFolder(), run });
    return [missing, asked];
  }
  const ENDED = { status: "exited" as const, stdout: "", milliseconds: 1, truncated: false };

  it("is followed, and named with what to do where it does not fit", async () => {
    expect(await missingWith("")).toEqual([[], [["--locked"]]]);
    const said = "error: cannot update the lock file /x/Cargo.lock because --locked was passed to prevent this\n";
    expect(await missingWith(said)).toEqual([
      [expect.stringMatching(/^Cargo\.lock: it does not fit Cargo\.toml.*cargo update --workspace/)],
      [["--locked"], []],
    ]);
  });
});
