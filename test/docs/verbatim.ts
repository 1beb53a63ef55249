/** How the shell blocks of the docs are used, where it is not enough to type them. */
import type { Failure } from "./computer/computer.ts";
import type { Filling } from "./shell-block.ts";

export interface Use {
  /** What a reader has done before, and how it ended where not with 0. */
  before?: string;
  beforeFails?: Failure[];
  /** Files that a reader has. */
  files?: Record<string, string>;
  /** What a reader does then; each line must end with 0. */
  after?: string;
  /** How many runs `<run>` names, one after the other: the oldest of them first. */
  runs?: number;
  filling?: Filling;
  /** The key or the credentials that the page expects. */
  env?: Record<string, string>;
  /** What is typed where a command asks: it is run on a terminal. */
  answers?: string;
  /** What the page says of it: that it waits for a person, or finds something missing. */
  fails?: Failure[];
}

/** Run by another test: it needs a second terminal, a browser, or emulators of AWS. */
export const ELSEWHERE: Record<string, string> = {
  "docs/api.md: On your computer": "test/docs/curl.test.ts",
  "docs/api.md: On your computer 2": "test/docs/curl.test.ts",
  "docs/api.md: A deployed stack, with curl": "packages/aws-rehearsal/curl.test.ts",
  "README.md: In your AWS account": "test/deployment/deploy.test.ts",
  "docs/deploy.md: With the command": "test/deployment/deploy.test.ts",
  "docs/deploy.md: With cdk alone": "test/deployment/real-cdk.test.ts",
  "docs/deploy.md: The first runs": "test/deployment/doctor.test.ts",
  "docs/deploy.md: Models": "lib/deployment/model-access-finding.test.ts",
  "docs/install.md: As a package": "test/package.test.ts",
  "docs/repository.md: A repository on a server": "packages/git/test/command.test.ts",
  "docs/install.md: As a package 2": "test/package.test.ts",
  "docs/evaluation.md: As an agent of Harbor": "packages/eval/test/harbor.test.ts",
  "docs/install.md: In a container": "test/install/image.test.ts",
  "docs/runs.md: In the browser": "lib/cli/commands/open-page.test.ts",
  "docs/runs.md: Go on": "test/client/steering.test.ts",
  "docs/runs.md: Fork a run": "test/client/fork.test.ts",
};

export const NOT_RUN: Record<string, string> = {
  "README.md: Two commands 2": "takes all unit tests; .ci/run runs it on a bare machine",
  "docs/CONTRIBUTING.md: Contributing": "takes all tests; each line is a check of .ci/run",
  "docs/faults.md: The fault laboratory": "takes half an hour; .ci/run runs the fixed set and the mutations",
  "docs/sandbox.md: Texts that others wrote": "takes half an hour; .ci/run runs it for a minute",
  "docs/deploy.md: On another computer": "builds and pushes an image, which takes Docker and an account",
};

/** As it is without a setting. */
const PROVING = { L2MAC_EVIDENCE: "own" };
const KEY = { OPENAI_API_KEY: "example-key" };
const task = 'npx l2mac "A command that counts words"';
const failed = (code: number, command: string): Failure => ({ code, command });
const waiting = failed(9, `${task} --approve plan`);
const tooDear = failed(7, `${task} --budget 0.01`);

/** Seven instructions, of several turns each. */
const rehearsed = "npx l2mac run --rehearse";
const refused = `OPENAI_API_KEY=refused-key ${task}`;

/** As the last line of a rehearsal says, in an empty folder, where there is Node and nothing else. */
const verifiedElsewhere = `npx l2mac get --zip first.zip
mkdir programs elsewhere
ln -s "$(node -p process.execPath)" programs/node
mv first.zip first.manifest.json elsewhere/
command="$PWD/bin/l2mac.mjs" programs="$PWD/programs"
cd elsewhere
env -i PATH="$programs" HOME="$programs" node "$command" verify first.zip --unsealed >../programs/said
grep -q '^Evidence   8 of 8 checks green' ../programs/said
grep -q '^Proven 7/7' ../programs/said
cd .. && rm -r elsewhere programs`;

export const USES: Record<string, Use> = {
  "README.md: Two commands": { env: PROVING, after: verifiedElsewhere },
  "docs/evidence.md: Evidence": { env: PROVING },
  "README.md: Two commands 3": { env: PROVING, answers: "1\n" },
  "docs/evidence.md: Strict: mutants": {
    fails: [failed(1, `${rehearsed} --evidence strict`), failed(1, "npx l2mac evidence")],
  },
  "README.md: Look and steer": {
    ...{ env: KEY, before: [waiting.command, refused, rehearsed].join("\n"), runs: 3 },
    beforeFails: [waiting, failed(3, refused)],
  },
  "docs/api.md: From your terminal to a deployed stack": {
    env: { AWS_ACCESS_KEY_ID: "AKIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "example" },
  },
  "docs/verify.md: On another computer": { before: `rm -f delivery.*; ${rehearsed}` },
  "docs/verify.md: With the tools of others": {
    before: `rm -f delivery.*; ${rehearsed}; npx l2mac get --zip delivery.zip; npx l2mac key show > signer.pem`,
  },
  "docs/telemetry.md: OpenTelemetry": { env: KEY },
  "docs/budgets.md: Budgets": { env: KEY },
  "docs/budgets.md: Budgets 2": { env: KEY, before: tooDear.command, beforeFails: [tooDear], runs: 1 },
  "docs/evaluation.md: Evaluate a model": { env: KEY },
  "docs/getting-started.md: Install 2": { fails: [failed(3, "npx l2mac doctor")] },
  "docs/getting-started.md: Go on": {
    env: KEY,
    before: `${tooDear.command}\n${refused}`,
    beforeFails: [tooDear, failed(3, refused)],
    runs: 2,
  },
  "docs/getting-started.md: Start from existing files": {
    before: "mkdir -p ../shop; echo 'export const items = [];' > ../shop/items.js",
  },
  "docs/getting-started.md: Configuration": { env: KEY, answers: "\n\n\n" },
  "docs/models.md: Amazon Bedrock": { env: { AWS_PROFILE: "my-profile" } },
  "docs/models.md: Prices and windows": { env: KEY },
  "docs/programs.md: The language": { env: PROVING, answers: "1\n" },
  "docs/programs.md: Execute instructions side by side": { env: PROVING },
  "docs/programs.md: Call other programs": { env: PROVING },
  "docs/programs.md: Review the program first": {
    env: KEY,
    before: Array(3).fill(waiting.command).join("\n"),
    beforeFails: Array(3).fill(waiting),
    runs: 3,
    fails: [failed(9, 'npx l2mac run "A command that counts words" --approve plan > program.md')],
  },
  "docs/programs.md: Review the program first 2": { env: KEY },
  "docs/programs.md: Write your own": { env: KEY },
  "docs/programs.md: Task lists of spec-kit": { env: KEY },
  "docs/programs.md: Questions to a person": {
    env: KEY,
    fails: [failed(9, 'npx l2mac run "A ledger for a shop" --program examples/questions.md')],
  },
  "docs/prompts.md: Prompt packs": { env: KEY },
  "docs/prompts.md: Replay: a regression test for prompts": {
    ...{ env: KEY, before: task, runs: 1 },
    filling: { DIR: "examples/pack" },
    fails: [failed(1, "npx l2mac replay <run> --prompts examples/pack")],
  },
  "docs/repository.md: Work in your repository": {
    env: KEY,
    before: "git init --quiet shop; echo Shop > shop/readme.md",
  },
  "docs/repository.md: Any run as a repository": { env: KEY, before: task, runs: 1 },
  "docs/runs.md: Inspect": {
    ...{ env: KEY, before: task, runs: 1 },
    filling: { "<path>": "notes.txt", DIR: ["../unpacked", "../report"], "4.2": "1.2" },
  },
  "docs/runs.md: Look at a run": { env: KEY, before: task, runs: 1, filling: { "--at 4": "--at 1" } },
  "docs/runs.md: Change the program and keep what is unchanged": { env: KEY, before: task, runs: 1 },
  "docs/runs.md: Export what it did": { env: KEY, before: task, runs: 1 },
  "docs/runs.md: Find what broke it": {
    ...{ env: KEY, before: task, runs: 1 },
    // Nothing is broken in that run.
    fails: [failed(1, "npx l2mac bisect <run> -- node --test")],
  },
  "docs/runs.md: Stop and delete": {
    env: KEY,
    before: `${waiting.command}\n${task}`,
    beforeFails: [waiting],
    runs: 2,
    answers: "y\n",
  },
  "docs/tests.md: Acceptance tests": {
    env: KEY,
    files: { "acceptance/test/note.test.js": 'require("node:test")("passes", () => {});\n' },
  },
};

/** The first real command of each provider: to which address it goes, and with what. */
export const ASKED: Record<string, { url: string; model: string; key: string | RegExp }> = {
  OpenAI: { url: "api.openai.com/v1/responses", model: "gpt-5.5", key: "Bearer example-key" },
  Anthropic: { url: "api.anthropic.com/v1/messages", model: "claude-opus-5-5", key: "example-key" },
  Gemini: {
    url: "generativelanguage.googleapis.com/v1beta/openai/chat/completions",
    model: "gemini-3.8-flash",
    key: "Bearer example-key",
  },
  OpenRouter: { url: "openrouter.ai/api/v1/chat/completions", model: "openai/gpt-5.5", key: "Bearer example-key" },
  "Amazon Bedrock": {
    url: "bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-6/converse-stream",
    model: "",
    key: /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d+\/us-east-1\/bedrock\//,
  },
  "Azure OpenAI": {
    url: "my-resource.openai.azure.com/openai/v1/chat/completions",
    model: "my-deployment",
    key: /example-key$/,
  },
  DeepSeek: { url: "api.deepseek.com/v1/chat/completions", model: "deepseek-flash", key: "Bearer example-key" },
  Mistral: { url: "api.mistral.ai/v1/chat/completions", model: "mistral-medium-latest", key: "Bearer example-key" },
  "llama.cpp 2": { url: "127.0.0.1:8080/v1/chat/completions", model: "local", key: /^(Bearer .*)?$/ },
  "Ollama 2": { url: "127.0.0.1:11434/v1/chat/completions", model: "qwen3", key: /^(Bearer .*)?$/ },
  "vLLM 2": { url: "127.0.0.1:8000/v1/chat/completions", model: "Qwen/Qwen3-8B", key: /^(Bearer .*)?$/ },
  "LM Studio": { url: "127.0.0.1:1234/v1/chat/completions", model: "my-model", key: /^(Bearer .*)?$/ },
  "LiteLLM 2": { url: "127.0.0.1:4000/v1/chat/completions", model: "gpt-5-mini", key: "Bearer example-key" },
};
