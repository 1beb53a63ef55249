/** Texts that were made to hold the process: each is read in a thread that ends if it does not return. */
import { describe, expect, it } from "vitest";
import { type Call, callInWorker } from "./in-worker.ts";

const PYTHON = "lib/evaluator/languages/python/python-requirements.ts";
const requirement = (line: string): Call => ({ module: PYTHON, name: "pythonRequirements", args: [[line], "x"] });
const CALLS = "test/foreign-text/calls.ts";
const MANIFEST_BYTES = 256 * 1024;

const book = (chapter: string): Call => ({
  module: "packages/book/book.ts",
  name: "createScreenBook",
  args: [
    {
      id: "01M80NPZPBB1HJN4W5DGRWXC3K",
      title: "x",
      name: "x",
      forms: ["html"],
      files: new Map([["chapters/1.md", new TextEncoder().encode(chapter)]]),
    },
  ],
});

const report = (inner: string): Call => ({
  module: "lib/evaluator/report/junit.ts",
  name: "readJunit",
  args: [`<testsuite>${inner}</testsuite>`],
});
const tox = (text: string): Call => ({ module: CALLS, name: "readTox", args: [text] });
const setup = (text: string): Call => ({
  module: "lib/evaluator/languages/python/setup-script.ts",
  name: "setupArguments",
  args: [text],
});
const nox = (text: string): Call => ({
  module: "lib/evaluator/languages/python/nox.ts",
  name: "noxSession",
  args: [text],
});
const lock = (manager: string, text: string): Call => ({
  module: `lib/evaluator/languages/javascript/locks/${manager}-lock.ts`,
  name: manager === "bun" ? "readBunLock" : "readPnpmLock",
  args: [text, { importers: [], overridden: new Set() }],
});
const workspaces = (command: string): Call => ({
  module: "lib/evaluator/languages/javascript/scripts.ts",
  name: "testsWorkspaces",
  args: [[command]],
});

const READ: Record<string, Call> = {
  "digits of a task": { module: "lib/core/program/word-budget.ts", name: "wordBudgetOf", args: ["2".repeat(65_536)] },
  "sixty versions": requirement(`a==1${",==1".repeat(60)}@`),
  "versions as long as a manifest": requirement(`a==1${" , ==1".repeat(MANIFEST_BYTES / 6)}@`),
  "blanks as long as a manifest": requirement(`a${" ".repeat(MANIFEST_BYTES)}@`),
  "blanks and tabs between versions": requirement(`a ==${" \t".repeat(MANIFEST_BYTES / 2)}@`),
  "comments that end in a line separator": {
    module: PYTHON,
    name: "withoutComment",
    args: [`${"\t#".repeat(MANIFEST_BYTES / 2)}\u2028#`],
  },
  "an indented poem after a rule": book(`---\n${"    a line of a poem\n".repeat(40)}\n# Chapter\n\nText.\n`),
  "settings without an end": book(`---\n${" \n".repeat(500_000)}`),
  "settings of one character": book(`---\n${"a:\n".repeat(500_000)}`),
  "tags of a report that nothing ends": report("<testcase ".repeat(500_000)),
  "cases of a report that nothing closes": report("<testcase>".repeat(500_000)),
  "an attribute of a report that is one long word": report(`<testcase ${"a".repeat(1_000_000)}/>`),
  "character data of a report that nothing closes": report(
    `<testcase><failure>${"<![CDATA[".repeat(500_000)}</failure></testcase>`,
  ),
  "a workspace command with many options": workspaces(`pnpm -r${" --x".repeat(60)} !`),
  "a workspace command of yarn": workspaces(`yarn workspaces foreach${" --x".repeat(60)} !`),
  "a condition of tox with many parts": tox(`[testenv]\ndeps =\n  a!,${"---,".repeat(60)},,}:\n`),
  "a setting of tox with a long blank": tox(`[testenv]\na${"\t".repeat(MANIFEST_BYTES)}b\n`),
  "a quoted command of tox": tox(`[testenv]\ncommands = pytest "${"\\t".repeat(200)}\n`),
  "quotes of a setup.py that nothing ends": setup('\\"'.repeat(MANIFEST_BYTES / 2)),
  "lists of a setup.py that double one another": setup(`a = ["x"]\n${"a = a + a\n".repeat(60)}setup(name=a)`),
  "lists of a setup.py within one another": setup(`${"a=[\n".repeat(16_000)}${"]@".repeat(9_000)}`),
  "sessions of a noxfile.py": nox(`@session\n${"def test(s):\n".repeat(7_000)}`),
  "marks of a noxfile.py": nox(`${"@a\n".repeat(20_000)}def test(s):\n s.run('pytest')`),
  "names of a noxfile.py": nox("a=b\n".repeat(16_000)),
  "quotes of a bun.lock that nothing ends": lock("bun", '\\"'.repeat(MANIFEST_BYTES)),
  "one long line of a pnpm-lock.yaml": lock("pnpm", "{% if %}".repeat(MANIFEST_BYTES / 8)),
  "one long line of a pnpm-workspace.yaml": {
    module: "lib/evaluator/languages/javascript/yaml-manifest.ts",
    name: "readYaml",
    args: ["{% if %}".repeat(MANIFEST_BYTES / 8)],
  },
  "quotes of a YAML file that nothing ends": {
    module: "lib/evaluator/languages/data/templates.ts",
    name: "isTemplated",
    args: ['\\"'.repeat(MANIFEST_BYTES / 2)],
  },
  "empty lines of a template": {
    module: "lib/evaluator/languages/data/templates.ts",
    name: "hasDirectives",
    args: ["\n".repeat(MANIFEST_BYTES)],
  },
  "a section with long blanks": {
    module: "lib/core/verdict/test-settings.ts",
    name: "testSettingsIn",
    args: ["pyproject.toml", `[${"\t".repeat(50_000)}a${"\t".repeat(50_000)}"#]`],
  },
  "output of halves of characters": {
    module: CALLS,
    name: "capturedText",
    args: [Buffer.alloc(2_000_000, 0xff).fill("a", 1_999_999)],
  },
};

describe("a text that was made to hold the process", () => {
  it.each(Object.entries(READ))("is read in time: %s", async (_, call) => {
    const outcome = await callInWorker(call);
    expect(outcome).toHaveProperty("value");
  });

  it("is a text that the test would notice", async () => {
    const forever: Call = { module: CALLS, name: "matchForever", args: [] };
    expect(await callInWorker(forever, 2_000)).toBe("terminated");
  });
});
