/** Malformed and hostile trees: each gets an honest verdict or a named finding, in bounded time. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { createEvaluate, type TreeRequest } from "../../lib/evaluator/evaluate.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import {
  type Files,
  layTree,
  newFolder,
  noPython,
  pythonCan,
  removeFolders,
  toolchain,
} from "../doubles/evaluation.ts";

afterAll(removeFolders);

const MiB = 1024 * 1024;
/** A second where the computer is idle; what does not end takes for ever. */
const SOON_MS = 60_000;
const noPytest = !pythonCan("import pytest");

const evaluateTree = createEvaluate({
  seal: unsealed("tests"),
  toolchain,
  scratch: newFolder(),
  now: Date.now,
  newId: () => "request",
});
const evaluate = (folder: string, request: Partial<TreeRequest> = {}): Promise<Verdict> =>
  evaluateTree(folder, { syntax: {}, tests: {}, timeoutMs: 60_000, ...request });

/** What every tree below also holds, so that a verdict has something to be right about. */
const SOUND: Files = {
  "sum.mjs": "export const sum = (a, b) => a + b;\n",
  "sum.test.mjs": `import test from "node:test";\nimport { sum } from "./sum.mjs";\ntest("adds", () => { if (sum(1, 2) !== 3) throw new Error("no"); });\n`,
};
const sound = (files: Files = {}): string => layTree({ ...SOUND, ...files });
const PASSED = { syntax: { status: "passed", errors: [] }, tests: { status: "passed", passed: 1 } };

const warningsOf = ({ syntax }: Verdict): string[] =>
  (syntax.warnings ?? []).map(({ path, message }) => `${path}: ${message}`);
const errorsOf = ({ syntax }: Verdict): string[] => syntax.errors.map(({ path }) => path);
/** Data that no code reads is advice. */
const findingsOf = ({ syntax }: Verdict): string[] =>
  [...syntax.errors, ...(syntax.warnings ?? [])].map(({ path }) => path);

describe("a tree that holds more than code", () => {
  it("may hold binary files, also such as are called like data", async () => {
    const folder = sound();
    writeFileSync(join(folder, "picture.png"), Buffer.from([0x89, 0x50, 0, 0xff, 0xfe, 0, 1]));
    writeFileSync(join(folder, "words.bin"), Buffer.alloc(100_000, 0xff));
    expect(await evaluate(folder)).toMatchObject(PASSED);
  });

  it("may hold empty files", async () => {
    const folder = sound({ "empty.mjs": "", "empty.py": "", "empty.txt": "", "empty.sh": "", "empty.css": "" });
    expect(await evaluate(folder)).toMatchObject({ syntax: { status: noPython ? "not_run" : "passed", errors: [] } });
  });

  it("may hold links that go round in circles or outside: they are not followed, and said to be unchecked", async () => {
    const folder = sound({ "below/a.mjs": "export {};\n" });
    symlinkSync("..", join(folder, "below/up"));
    symlinkSync("round", join(folder, "round"));
    symlinkSync("/etc/passwd", join(folder, "outside.py"));
    const verdict = await evaluate(folder, { command: { argv: ["ls", "-a"] } });
    expect(verdict).toMatchObject(PASSED);
    expect(verdict.command?.stdout).not.toContain("outside.py");
    expect(warningsOf(verdict).filter((text) => text.includes("it is a link"))).toHaveLength(3);
  });

  it("may lack its submodules: each is named with what to do", async () => {
    const list = '[submodule "a"]\n\tpath = libs/a\n[submodule "b"]\n\tpath = libs/b\n';
    const verdict = await evaluate(sound({ ".gitmodules": list, "libs/b/x.mjs": "export {};\n" }));
    expect(verdict).toMatchObject(PASSED);
    expect(warningsOf(verdict)).toEqual([expect.stringMatching(/^libs\/a: .*git submodule update --init/)]);
  });

  it("may hold pipes and sockets, which are not waited for", async () => {
    const folder = sound();
    spawnSync("mkfifo", [join(folder, "pipe.py"), join(folder, "package.json")]);
    const server = createServer().listen(join(folder, "socket.js"));
    await new Promise((resolve) => server.once("listening", resolve));
    const verdict = await evaluate(folder);
    server.close();
    expect(verdict).toMatchObject(PASSED);
    expect(warningsOf(verdict).toSorted()).toEqual([
      "package.json: not checked: it is no file",
      "pipe.py: not checked: it is no file",
      "socket.js: not checked: it is no file",
    ]);
  });

  it("may hold a folder that is called like a file, and a file that is called like a folder", async () => {
    const folder = sound({
      "a.py/b.mjs": "export {};\n",
      "lib.mjs/c.js": "1;\n",
      src: "text",
      tests: "",
      "Makefile/x": "",
    });
    expect(await evaluate(folder)).toMatchObject({ syntax: { errors: [] }, tests: { status: "passed", passed: 1 } });
  });

  it("may hold folders without end", async () => {
    const folder = sound();
    let at = folder;
    for (let depth = 0; depth < 60; depth += 1) at = join(at, "deeper");
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "a.mjs"), "export {};\n");
    expect(await evaluate(folder)).toMatchObject(PASSED);
    const script = `import os\nos.chdir(${JSON.stringify(folder)})\nfor i in range(40):\n os.mkdir("f" * 200)\n os.chdir("f" * 200)\nopen("a.py", "w").write("(")\n`;
    if (noPython) return;
    spawnSync(toolchain.python ?? "", ["-c", script]);
    const verdict = await evaluate(folder);
    expect(verdict).toMatchObject(PASSED);
    expect(warningsOf(verdict)).toEqual([expect.stringContaining("its path is too long")]);
  });

  it("may hold names that are no text: they are said to be unchecked", async () => {
    const folder = sound();
    const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".py")]);
    writeFileSync(name, "(");
    const verdict = await evaluate(folder);
    expect(verdict).toMatchObject(PASSED);
    expect(warningsOf(verdict)).toEqual([expect.stringContaining("its name is no text")]);
  });
});

describe("names", () => {
  const NAMES = [
    "new\nline",
    'quo"te',
    "apo'strophe",
    "-dash",
    "--version",
    "space and\ttab",
    "ünï",
    "😀",
    "\u202egnp",
    "$(id)",
    "`id`",
    "a;b",
    "[id]",
    "star*",
    "{a,b}",
    "#hash",
    "%41",
  ];

  it.each(NAMES)("of files may be anything for JavaScript: %j", async (name) => {
    const folder = sound({
      [`${name}.mjs`]: "export {};\n",
      [`${name}.test.mjs`]: 'import test from "node:test"; test("two", () => {});\n',
      [`${name}/x.mjs`]: "export {};\n",
    });
    expect(await evaluate(folder)).toMatchObject({
      syntax: { status: "passed" },
      tests: { status: "passed", passed: 2 },
    });
    writeFileSync(join(folder, `${name}.mjs`), "export {;\n");
    expect(errorsOf(await evaluate(folder, { tests: undefined } as never))).toEqual([`${name}.mjs`]);
  });

  it.skipIf(noPytest).each(NAMES)("of files may be anything for Python (needs pytest): %j", async (name) => {
    const folder = layTree({
      [`${name}.py`]: "x = 1\n",
      [`test_${name}.py`]: "def test_a(): pass\n",
      "test.py": "def test_b(): pass\n",
    });
    const verdict = await evaluate(folder);
    expect(verdict.syntax).toMatchObject({ status: "passed" });
    expect(["passed", "failed"]).toContain(verdict.tests.status);
    writeFileSync(join(folder, `${name}.py`), "(\n");
    expect(errorsOf(await evaluate(folder, { tests: undefined } as never))).toEqual([`${name}.py`]);
  });

  it("that look like options are names all the same", async () => {
    const files = {
      "--version.js": "",
      "--version.test.js": "require('node:test')('two', () => {});",
      "-rf.py": "x = (\n",
      "-e.sh": "if\n",
      "-x.json": "{",
    };
    const verdict = await evaluate(sound(files), { tests: { paths: ["--version.test.js", "sum.test.mjs"] } });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 2 });
    expect(findingsOf(verdict)).toEqual(expect.arrayContaining(["-x.json", ...(noPython ? [] : ["-rf.py"])]));
  });

  it("may stand in the names of tests that are asked for, whether they are there or not", async () => {
    const paths = ["../../etc/passwd", "/etc/passwd", "--version", "nowhere.test.js", "a\0b"];
    const verdict = await evaluate(sound(), { syntax: { paths }, tests: { paths } });
    expect(verdict.syntax.errors).toEqual([]);
    expect(["passed", "not_found", "not_run"]).toContain(verdict.tests.status);
  });
});

describe("text", () => {
  it.skipIf(noPython)("that is no UTF-8 or holds NUL is a finding in Python (needs python3)", async () => {
    const folder = layTree({ "latin.py": Buffer.from("x = 'caf\xe9'\n", "latin1") as never, "nul.py": "x = 1\0\n" });
    const verdict = await evaluate(folder);
    expect(verdict.syntax.status).toBe("failed");
    expect(errorsOf(verdict).toSorted()).toEqual(["latin.py", "nul.py"]);
  });

  it("that is no UTF-8 crashes no other kind", async () => {
    const bad = Buffer.from([0x7b, 0xff, 0xfe, 0, 0x0a]) as never;
    const files = Object.fromEntries(
      [
        "a.json",
        "a.yaml",
        "a.toml",
        "a.html",
        "a.css",
        "a.sh",
        "a.js",
        "a.ts",
        "a.go",
        "package.json",
        "tsconfig.json",
        "pyproject.toml",
        "requirements.txt",
        "Makefile",
        "go.mod",
      ].map((name) => [name, bad]),
    );
    const verdict = await evaluate(layTree(files));
    expect(verdict.syntax.status).toBe("failed");
    expect(findingsOf(verdict)).toEqual(expect.arrayContaining(["a.json", "a.js"]));
    expect(["passed", "crashed"]).not.toContain(verdict.tests.status);
  });

  it("may have Windows line endings and a mark at its beginning", async () => {
    const mark = (text: string): string => `\ufeff${text.replaceAll("\n", "\r\n")}`;
    const folder = sound({
      "a.mjs": mark("export const a = 1;\n\nexport const b = 2;\n"),
      "a.css": mark("a { color: red }\n"),
      ...(noPython ? {} : { "a.py": mark("def a():\n    return 1\n") }),
    });
    expect(await evaluate(folder)).toMatchObject(PASSED);
  });

  it("may be one line of 200,000 characters, in every language", async () => {
    const long = `"${"x".repeat(200_000)}"`;
    const folder = sound({
      "long.mjs": `export default ${long};\n`,
      "long.json": `[${long}]`,
      "long.css": `a { content: ${long} }\n`,
      "long.html": `<!doctype html><p>${long}</p>\n`,
      "long.yaml": `a: ${long}\n`,
      "long.toml": `a = ${long}\n`,
      "long.sh": `echo ${long}\n`,
      ...(noPython ? {} : { "long.py": `x = ${long}\n` }),
    });
    const began = Date.now();
    expect(await evaluate(folder, { changed: [{ path: "long.mjs" }, { path: "long.py" }] })).toMatchObject(PASSED);
    expect(Date.now() - began).toBeLessThan(SOON_MS);
  });

  it("may be broken in one line of 200,000 characters: the finding is short", async () => {
    const verdict = await evaluate(
      sound({ "long.mjs": `export default "${"x".repeat(200_000)};\n`, "long.json": "[".repeat(200_000) }),
      { tests: undefined } as never,
    );
    expect(findingsOf(verdict).toSorted()).toEqual(["long.json", "long.mjs"]);
    expect(JSON.stringify(verdict).length).toBeLessThan(10_000);
  });

  it.skipIf(noPython)("may be nested too deeply to be compiled (needs python3)", async () => {
    const verdict = await evaluate(
      layTree({ "deep.py": `x = ${"(".repeat(100_000)}1${")".repeat(100_000)}\n`, "ok.py": "x = 1\n" }),
    );
    expect(verdict.syntax).toMatchObject({ status: "failed", errors: [{ path: "deep.py" }] });
  });
});

/** Of that many bytes, without holding them. */
function large(folder: string, name: string, head: string, bytes: number): void {
  const file = openSync(join(folder, name), "w");
  writeSync(file, head);
  closeSync(file);
  truncateSync(join(folder, name), bytes);
}

describe("size", () => {
  it.each([
    ["a.py", "x = 1\n#"],
    ["a.mjs", "export {};\n//"],
    ["a.ts", "export {};\n//"],
    ["a.json", "["],
    ["a.yaml", "a: 1\n#"],
    ["a.html", "<p>"],
    ["a.css", "/*"],
  ])("of a file of 50 MB is too much to check it, and that is said: %s", async (name, head) => {
    const folder = sound();
    large(folder, name, head, 50 * MiB);
    const began = Date.now();
    const memory = process.memoryUsage.rss();
    const verdict = await evaluate(folder, { changed: [{ path: name }] });
    if (name !== "a.py" || !noPython) expect(verdict).toMatchObject(PASSED);
    // Who cannot read Python at all does not say of a file that it is too large for him.
    const expected = name === "a.py" && noPython ? [] : [name];
    for (const path of expected)
      expect(warningsOf(verdict)).toContainEqual(
        expect.stringMatching(new RegExp(`^${path}: not checked: it is larger than`)),
      );
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(120 * MiB);
  });

  it("of 50 MB in manifests, lists and data is not read as a whole", async () => {
    const folder = sound();
    for (const name of ["package.json", "pyproject.toml", "requirements.txt", "go.mod", "Makefile", "notes.txt"])
      large(folder, name, "", 50 * MiB);
    const began = Date.now();
    expect((await evaluate(folder)).tests).toMatchObject({ status: "failed", errors: 1 });
    expect(Date.now() - began).toBeLessThan(SOON_MS);
  });

  it("of 20,000 files takes a bounded time, and what is wrong in one is found", async () => {
    const folder = sound();
    for (let at = 0; at < 200; at += 1) {
      mkdirSync(join(folder, `folder${at}`));
      for (let file = 0; file < 100; file += 1)
        writeFileSync(join(folder, `folder${at}/file${file}.${file % 2 ? "mjs" : "txt"}`), "export {};\n");
    }
    writeFileSync(join(folder, "folder7/broken.mjs"), "export {;\n");
    const began = Date.now();
    const verdict = await evaluate(folder, { timeoutMs: 200_000 });
    expect(errorsOf(verdict)).toEqual(["folder7/broken.mjs"]);
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
    expect(Date.now() - began).toBeLessThan(200_000);
  });
});

describe("a folder that tools leave behind", () => {
  const hidden = (path: string) => ({
    files: { [path]: "import nothing from './nowhere.mjs'; (\n" },
    changed: [{ path }],
  });

  it.each([
    "node_modules/own/index.mjs",
    "src/node_modules/a.js",
    ".venv/lib/a.py",
    "__pycache__/a.py",
    ".git/hooks/a.sh",
  ])("is no place to hide what was written from the checks: %s", async (path) => {
    const { files, changed } = hidden(path);
    const verdict = await evaluate(sound(files), { changed });
    expect(verdict.syntax).toMatchObject({ status: "failed", errors: [{ path, rule: "unchecked-folder" }] });
  });

  it("is passed over with a word where it came with the task", async () => {
    const verdict = await evaluate(sound(hidden("node_modules/own/index.mjs").files));
    expect(verdict).toMatchObject(PASSED);
    expect(warningsOf(verdict)).toEqual([expect.stringMatching(/^node_modules: not checked: /)]);
  });

  it("may lose what was written there", async () => {
    expect(await evaluate(sound(), { changed: [{ path: "node_modules/own/index.mjs" }] })).toMatchObject(PASSED);
  });
});
