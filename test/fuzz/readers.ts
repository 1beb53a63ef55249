/** What reads texts that others wrote, each with a few texts to begin with. */
import { strToU8, zipSync } from "fflate";
import { SubmissionBody } from "../../lib/api/submission-body.ts";
import { readTask } from "../../lib/control/lifecycle/prepare.ts";
import { brokenReferences } from "../../lib/core/evidence/documents/references.ts";
import { parseProgramMarkdown } from "../../lib/core/program/program-text.ts";
import { extractRequirements } from "../../lib/core/program/requirements.ts";
import { wordBudgetOf } from "../../lib/core/program/word-budget.ts";
import { proseFile } from "../../lib/core/prose/book-text.ts";
import { sanitize } from "../../lib/core/text/sanitize.ts";
import { maskSecrets, restoreSecrets } from "../../lib/core/text/secrets.ts";
import { holdsTests } from "../../lib/core/verdict/given-tests.ts";
import { testSettingsIn } from "../../lib/core/verdict/test-settings.ts";
import { cssProblem } from "../../lib/evaluator/languages/data/css-text.ts";
import { tagProblems } from "../../lib/evaluator/languages/data/html-tags.ts";
import { hasDirectives, isTemplated, withoutValues } from "../../lib/evaluator/languages/data/templates.ts";
import { tomlProblem } from "../../lib/evaluator/languages/data/toml-text.ts";
import { yamlProblems } from "../../lib/evaluator/languages/data/yaml-text.ts";
import { readTap } from "../../lib/evaluator/languages/declared/tap.ts";
import { parseGoMod } from "../../lib/evaluator/languages/go/go-mod.ts";
import { wishOf } from "../../lib/evaluator/languages/javascript/node-requirements.ts";
import { testsWorkspaces } from "../../lib/evaluator/languages/javascript/scripts.ts";
import { pythonRequirements, requirementLines } from "../../lib/evaluator/languages/python/python-requirements.ts";
import { setupArguments } from "../../lib/evaluator/languages/python/setup-script.ts";
import { parseManifest } from "../../lib/evaluator/languages/rust/cargo-manifest.ts";
import { readTests } from "../../lib/evaluator/languages/rust/test-output.ts";
import { fitsNode, fitsPython } from "../../lib/evaluator/packages/version-wanted.ts";
import { metaText } from "../../lib/evaluator/prose/meta-text.ts";
import { readJunit } from "../../lib/evaluator/report/junit.ts";
import { entriesOf } from "../../lib/evaluator/smoke/smoke-entry.ts";
import { findStubs } from "../../lib/evaluator/stubs/stubs.ts";
import { readAnswer } from "../../lib/model/answer.ts";
import { parseErrorBody } from "../../lib/model/error-body.ts";
import { assembleChat } from "../../lib/model/stream/chat-stream.ts";
import { createEventReader } from "../../lib/model/stream/event-reader.ts";
import { assembleMessage } from "../../lib/model/stream/messages-stream.ts";
import { assembleResponse } from "../../lib/model/stream/responses-stream.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { findInZip } from "../../lib/pack/read-zip.ts";
import { applyEdits } from "../../lib/tools/edits.ts";
import { createScreenBook } from "../../packages/book/book.ts";
import { readTox } from "../foreign-text/calls.ts";
import { LOCK_READERS } from "./lock-readers.ts";
import { orTooDeep, type Reader, refusing } from "./reader.ts";

/** Bytes as characters, so that all inputs are mutated alike. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const ZIP = Buffer.from(zipSync({ "a.txt": strToU8("a ".repeat(99)), "b/c.js": strToU8("x") })).toString("latin1");

const CODE: Record<string, string> = {
  py: 'import os\n\nclass A(B):\n    """Doc."""\n    def run(self) -> None:\n        pass\n\n    def go(self):\n        raise NotImplementedError  # TODO rest unchanged ...\n',
  js: "import a from 'b';\nexport class A extends B { run() {} }\nconst f = async (x) => { throw new Error(`a`); };\nfunction g() { return /[a/]b/.test(x) ? 1 : 2; } // ...\n",
  go: 'package a\n\nfunc A(x int) error {\n\treturn errors.New("not implemented")\n}\n',
};

const code = (extension: string): Reader => ({
  read: (text) => [
    findStubs([{ path: `src/a.${extension}`, text, before: CODE[extension] ?? "" }], () => []),
    holdsTests(`test/a.test.${extension}`, text),
  ],
  seeds: [CODE[extension] ?? ""],
});

const COMPLETION = {
  choices: [
    {
      message: {
        content: "Done <tool_call>{}</tool_call>",
        tool_calls: [{ id: "1", type: "function", function: { name: "write_files", arguments: '{"files":[]}' } }],
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};
/** As one of each protocol is put together; parts are cut at every byte in their own test. */
const readStream = (text: string): unknown =>
  [assembleChat, assembleMessage, assembleResponse].map((start) => {
    const [reader, assembly] = [createEventReader(), start()];
    for (const event of [...reader.read(new TextEncoder().encode(text)), ...reader.end()]) assembly.add(event);
    return [assembly.isComplete(), assembly.received(), JSON.stringify(assembly.body())];
  });
const TOOLS = [{ name: "write_files", description: "", parameters: { type: "object", properties: {} } }];
type Expected = Parameters<typeof readAnswer>[1];

const answers =
  (convention: string): Reader["read"] =>
  (text) =>
    refusing(() => readAnswer(text, { convention, tools: TOOLS, messages: 2 } as unknown as Expected));

export const READERS: Record<string, Reader> = {
  requirements: {
    read: (text) => pythonRequirements(requirementLines(text), "requirements.txt"),
    seeds: ['flask[a,b]==1.0,>=2 ; python_version < "3"  # why\n-r other.txt\n', "a ~= 1.0 --hash=sha256:00\\\n b\n"],
    most: 256 * 1024,
  },
  tox: {
    read: readTox,
    seeds: [
      '[tox]\nenvlist = py\n[testenv]\ndeps =\n  py,dj{40,50}: Django ; x\n  {[base]deps}\ncommands = pytest "a b" {posargs:x}\n',
    ],
  },
  "package.json": {
    read: (text) => wishOf(text, { below: "", source: "package.json", locals: new Map() }),
    seeds: ['{"dependencies":{"a":"^1.0","@b/c":"npm:d@1","e":"git+https://f"},"overrides":{"g":{"h":"1"}}}'],
    most: 256 * 1024,
  },
  ...LOCK_READERS,
  "go.mod": {
    read: parseGoMod,
    seeds: ["module a\n\ngo 1.2\nrequire (\n\tb.c/d v1.0.0 // indirect\n)\nreplace b => ./c\n"],
  },
  "Cargo.toml": {
    read: parseManifest,
    seeds: ['[package]\nname = "a"\n[dependencies]\nb = { version = "1", features = ["c"] }\n'],
  },
  "setup.py": {
    read: setupArguments,
    seeds: [
      "from setuptools import setup\nsetup(name='a', install_requires=['b>=1', \"c\"], extras_require={'d': ['e']})\n",
    ],
  },
  versions: {
    read: (text) => [fitsPython("3.12.1", text), fitsNode("24.1.0", text)],
    seeds: [">=3.8,<4,!=3.9.*", "^20.1 || >= 22 <25 - 26.x"],
    most: 10_000,
  },
  scripts: {
    read: (text) => testsWorkspaces([text]),
    seeds: ["pnpm -r --if-present test --a", "yarn workspaces foreach -pt run test", 'npm "test" --workspaces'],
  },
  settings: {
    read: (text) =>
      ["pyproject.toml", "Makefile", "pytest.ini", "package.json", "vitest.config.ts"].map((path) =>
        testSettingsIn(path, text),
      ),
    seeds: ['[tool.pytest.ini_options]\naddopts = "-x"\n[testenv:py]\ncommands = a\n', "test: build\n\tpytest -q\n"],
  },
  python: code("py"),
  javascript: code("js"),
  go: code("go"),
  yaml: {
    read: (text) => refusing(() => orTooDeep(() => yamlProblems(text))),
    seeds: ["a: &x [1, {b: c}]\nd: *x\ne: |\n  text\n- f\n"],
  },
  toml: { read: tomlProblem, seeds: ['a.b = "c"\n[[d.e]]\nf = [1, 2.0, 1979-05-27]\n'] },
  css: { read: cssProblem, seeds: ["@media (a) { b > c:not(.d) { e: url('f') /* g */; } }"] },
  html: {
    read: tagProblems,
    seeds: ["<!doctype html><p a='b'>c<br><table><tr><td>d<script>e</script>&amp;<!-- f -->"],
  },
  templates: {
    read: (text) => [hasDirectives(text), isTemplated(text), withoutValues(text)],
    seeds: ["{% if a %}{{ b | c }}[[e]]<%= f %> # g"],
  },
  junit: {
    read: readJunit,
    seeds: [
      '<testsuites><testsuite><testcase classname="a" name="b" time="1"><failure message="c">d &lt;<![CDATA[e]]></failure></testcase></testsuite></testsuites>',
    ],
  },
  tap: {
    read: (text) => readTap(text),
    seeds: ["TAP version 13\n1..2\nok 1 - a # skip b\nnot ok 2 c\n  ---\n  d: e\n  ...\n"],
  },
  "cargo test": {
    read: (text) => readTests(text, 101),
    seeds: [
      "running 1 test\ntest a::b ... FAILED\n\nfailures:\n\n---- a::b stdout ----\nc\n\nfailures:\n    a::b\n\ntest result: FAILED. 0 passed; 1 failed\n",
    ],
  },
  prose: {
    read: (text) => {
      const file = proseFile("chapters/1.md", text);
      const shelf = { paths: new Set([file.path]), folders: new Set("."), files: new Map([[file.path, file]]) };
      return [metaText(file), brokenReferences(file, { ...shelf, chapters: [file.path] })];
    },
    seeds: [
      "# One {#one}\n\nHere is the next chapter: [a](b.md#c).\n\n> A quote\n\n- chapter 2 (1,000 words)\n```\ncode\n```\n",
    ],
  },
  readme: {
    read: (text) =>
      entriesOf({ files: ["README.md", "main.py"], read: (path) => (path === "README.md" ? text : undefined) }),
    seeds: ["# A\n\n```sh\n$ python main.py --x\n```\n\n    node a.js\n"],
  },
  book: {
    read: (text) =>
      createScreenBook({
        id: "01M80NPZPBB1HJN4W5DGRWXC3K",
        title: "x",
        name: "x",
        forms: ["html"],
        files: new Map([["chapters/1.md", Buffer.from(text)]]),
      }),
    seeds: [
      '---\nlang: de\n---\n# A *b* [c](d) ![e](f.png)\n\n1. g\n   - h\n\n| i | j |\n|---|---|\n| k | l |\n\nm[^1] <b>n</b> "o" -- p\n\n[^1]: q\n',
    ],
  },
  program: {
    read: (text) => [parseProgramMarkdown(text), extractRequirements(text), wordBudgetOf(text)],
    seeds: [
      "# Requirements\n\n- R1: a\n- R2.1: b of at least 1,000 words\n\n# Instructions\n\n1. **c**: d (R1)\n   (2) e\n",
    ],
  },
  "model answer": {
    read: answers("json"),
    seeds: [
      JSON.stringify(COMPLETION),
      JSON.stringify({
        choices: [
          { message: { content: '```json\n{"tool": "write_files", "arguments": {"files": [{"path": "a"}]}}\n```' } },
        ],
      }),
    ],
  },
  "model answer with calls": { read: answers("native"), seeds: [JSON.stringify(COMPLETION)] },
  "constrained answer": {
    read: answers("schema"),
    seeds: [
      JSON.stringify({
        choices: [{ message: { content: '{"thoughts": "a", "tool": "write_files", "arguments": {"files": []}}' } }],
      }),
    ],
  },
  "streamed answer": {
    read: readStream,
    seeds: [
      `data: {"choices":[{"delta":{"content":"a","tool_calls":[{"index":0,"id":"b","function":{"name":"c","arguments":"{"}}]}}]}\n\ndata: [DONE]\n\n`,
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{}}}\n\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","input":{}}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"partial_json":"{}"}}\n\n',
      'data: {"type":"response.output_text.delta","delta":"a"}\n\ndata: {"type":"response.completed","response":{"output":[]}}\n\n',
    ],
  },
  "request of the API": {
    read: (text) =>
      refusing(() => {
        const body = SubmissionBody.safeParse(JSON.parse(text));
        return body.success ? readTask(body.data.task) : body.error.issues.length;
      }),
    seeds: [
      '{"task":"Do R1: a.","program":[{"title":"a","text":"b","requirements":["R1"]}],"files":[{"path":"a/b.txt","content":"c"}],"budget":1,"name":"x"}',
    ],
  },
  secrets: {
    read: (text) => restoreSecrets(maskSecrets(text), text),
    seeds: [
      'api_key = "k9Zr2Qv7Lm4Xp8Tn3Bw6"\npostgres://a:sword4fish@b/c\n-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END PRIVATE KEY-----\neyJhbGciOiJIUzI1NiJ9.eyJhbGciOiJIUzI1NiJ9.aaaaaaaaaaaaaaaaaaaaaaaa\n',
    ],
  },
  "error of a server": {
    read: parseErrorBody,
    seeds: [
      '{"error":{"message":"a","code":1,"failed_generation":"b"}}',
      "<html><style>a</style><body>b</body></html>",
    ],
  },
  edits: {
    read: (text) => {
      const [file = "", find = "", replace = ""] = text.split("\u0001");
      return applyEdits(file, [{ find, replace }]);
    },
    seeds: ["a\r\nb\nc  d\n\u0001b\nc d\n\u0001e", "one\n  two\nthree\n\u0001two\n three\u0001x"],
  },
  output: { read: sanitize, seeds: ["\u001b[31ma\u001b]8;;b\u0007c\u0090d\u009c\r\n\ufffd\u202e"] },
  zip: { read: (text) => refusing(() => findInZip("it", bytesOf(text)).read()), seeds: [ZIP] },
  pack: { read: (text) => refusing(() => unpackTree(bytesOf(text))), seeds: [ZIP] },
};
