/** The folder of the evaluator's image: complete, pinned, and an evaluator that works where nothing else is. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layEvaluatorImage } from "../../lib/cloud/evaluator-image.ts";
import type { EvaluationRequest } from "../../lib/core/ports.ts";
import { encodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import { Verdict } from "../../lib/core/verdict/verdict.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { packTree } from "../../lib/pack/pack.ts";

const into = mkdtempSync(join(tmpdir(), "l2mac-image-"));
const task = mkdtempSync(join(tmpdir(), "l2mac-task-"));
const scratch = join(task, "scratch");
let dockerfile: string;

beforeAll(() => {
  cpSync(layEvaluatorImage(into), task, { recursive: true });
  mkdirSync(scratch);
  dockerfile = readFileSync(join(task, "Dockerfile"), "utf8");
});
afterAll(() => {
  for (const folder of [into, task]) rmSync(folder, { recursive: true, force: true });
});

describe("the evaluator's image", () => {
  it("copies only what is in its folder", () => {
    const copied = [...dockerfile.matchAll(/^COPY (\S+) \S+$/gm)].map((match) => match[1] ?? "");
    expect(copied.toSorted()).toEqual([
      ...["entry.mjs", "npm-packages.json", "npm-packages.lock.json", "python-packages.lock", "scripts"],
    ]);
    expect(copied.filter((name) => !existsSync(join(task, name)))).toEqual([]);
    expect(readdirSync(join(task, "scripts")).toSorted()).toEqual(
      readdirSync("lib/evaluator/scripts")
        .filter((name) => name !== "__pycache__")
        .toSorted(),
    );
  });

  it("begins with one version of the base image, and runs the bundled entry", () => {
    expect(dockerfile).toMatch(/^FROM \S+\/lambda\/nodejs:24\.\d{4}\.\d\d\.\d\d\.\d\d(@sha256:[0-9a-f]{64})?$/m);
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(1);
    expect(dockerfile).toMatch(/^CMD \["entry\.handler"\]$/m);
  });

  it("can pin its base by the digest that the registry names, and stays as it is where it names none", () => {
    const digest = `sha256:${"a1".repeat(32)}`;
    const place = mkdtempSync(join(tmpdir(), "l2mac-pin-"));
    const copy = join(place, "Dockerfile");
    const pin = (said: string, ...more: string[]) => {
      writeFileSync(copy, dockerfile);
      const answers = `#!/bin/bash\ncase "$*" in *token*) echo '{"token":"t"}' ;; *) printf '${said}' ;; esac\n`;
      writeFileSync(join(place, "curl"), answers, { mode: 0o755 });
      const env = { PATH: `${place}:/usr/bin:/bin`, DOCKERFILE: copy };
      const { status } = spawnSync("bash", [projectFile("lambdas/evaluate/pin-base.sh"), ...more], { env });
      return { status, from: /^FROM (.*)$/m.exec(readFileSync(copy, "utf8"))?.[1] };
    };
    const answer = `HTTP/2 200\\r\\nDocker-Content-Digest: ${digest}\\r\\n`;
    const before = /^FROM (.*)$/m.exec(dockerfile)?.[1] ?? "";
    expect(pin(answer)).toEqual({ status: 0, from: `${before.split("@")[0]}@${digest}` });
    expect(pin(answer, "24.2027.01.02.03").from).toMatch(/:24\.2027\.01\.02\.03@sha256:/);
    expect(pin("HTTP/2 404\\r\\n")).toEqual({ status: 1, from: before });
    expect(pin(answer, "latest")).toEqual({ status: 2, from: before });
    rmSync(place, { recursive: true, force: true });
  });

  it("names every package with its exact version, pytest among them", () => {
    const pins = pythonPins();
    expect(pins.filter((line) => !/^[a-z0-9-]+==\d[\w.]*$/.test(line))).toEqual([]);
    expect(pins.some((line) => line.startsWith("pytest=="))).toBe(true);
    expect(Object.values(nodePins()).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it("installs by lock files only: two builds of one commit have the same packages, each checked by its hash", () => {
    expect(dockerfile).toMatch(/pip install .*--no-deps --require-hashes/);
    expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
    expect(dockerfile).not.toMatch(/npm install|requirement \S+\.txt/);
    const lock = readFileSync(join(task, "python-packages.lock"), "utf8");
    const entries = lock.split(/\n(?=\S)/).slice(1);
    expect(entries.length).toBeGreaterThan(pythonPins().length);
    expect(entries.filter((entry) => !/^[a-z0-9._-]+==\S+ \\\n {4}--hash=sha256:[0-9a-f]{64}/.test(entry))).toEqual([]);
    const locked = entries.map((entry) => entry.split(" ", 1)[0]);
    expect(pythonPins().filter((pin) => !locked.includes(pin))).toEqual([]);
  });

  it("has lock files that agree with the lists: else run npm run image:lock", () => {
    const { packages } = JSON.parse(readFileSync(join(task, "npm-packages.lock.json"), "utf8"));
    expect(packages[""].dependencies).toEqual(nodePins());
    const installed = Object.entries<{ integrity?: string; resolved?: string }>(packages).filter(
      ([path]) => path !== "",
    );
    expect(installed.length).toBeGreaterThan(Object.keys(nodePins()).length);
    expect(
      installed.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-")).map(([path]) => path),
    ).toEqual([]);
    // No registry is named: the builder's own is used.
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it("holds no secret and no address but the base image's", () => {
    expect(dockerfile).not.toMatch(/https?:|--index-url|--registry|\bARG\b|password|token/i);
  });
});

const listed = (name: string): string => readFileSync(`lambdas/evaluate/${name}`, "utf8");
const nodePins = (): Record<string, string> => JSON.parse(listed("npm-packages.json")).dependencies;
const pythonPins = (): string[] =>
  listed("python-packages.txt")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"));

/** Calls the handler as Lambda does: from the task's folder, with an environment that it should not pass on. */
async function evaluate(requests: Partial<EvaluationRequest>[]) {
  const events = await Promise.all(
    requests.map(async (request) => JSON.parse(await encodeEvaluation({ ...aRequest, ...request }))),
  );
  const script = `
    import { handler } from "./entry.mjs";
    import { readFileSync, readdirSync } from "node:fs";
    const context = { awsRequestId: "request-1", getRemainingTimeInMillis: () => 200_000 };
    const actual = [];
    for (const event of JSON.parse(readFileSync(0, "utf8"))) actual.push(await handler(event, context));
    const left = readdirSync(${JSON.stringify(scratch)});
    const own = Object.keys(process.env).filter((name) => name.startsWith("AWS_"));
    console.log(JSON.stringify({ actual, left, own }));`;
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    L2MAC_SCRATCH: scratch,
    AWS_ACCESS_KEY_ID: "ASIAABCDEFGHIJKLMNOP",
    AWS_SECRET_ACCESS_KEY: "a-secret-that-must-stay-hidden",
    AWS_LAMBDA_RUNTIME_API: "127.0.0.1:9001",
  };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: task,
    env,
    input: JSON.stringify(events),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { actual, left, own } = JSON.parse(stdout);
  return { verdicts: actual.map((each: unknown) => Verdict.parse(each)) as Verdict[], left, own };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const tree = packTree(undefined, [
  { path: "sum.mjs", content: bytes("export const sum = (a, b) => a + b;\n") },
  {
    path: "sum.test.mjs",
    content: bytes(`import test from "node:test"; import assert from "node:assert"; import { sum } from "./sum.mjs";
test("adds", () => assert.equal(sum(1, 2), 3));\n`),
  },
]);
const aRequest: EvaluationRequest = {
  runId: "01RUN",
  base: { key: "runs/01RUN/packs/000000.zip", load: async () => tree },
  changes: [],
  install: true,
  timeoutMs: 60_000,
};

describe("the evaluator's function", () => {
  it("checks and tests a tree, and names Lambda's request in its verdict", async () => {
    const { verdicts } = await evaluate([{ syntax: {}, tests: {} }]);
    expect(verdicts[0]).toMatchObject({ syntax: { status: "passed" }, tests: { status: "passed", passed: 1 } });
    expect(verdicts[0]?.requestId).toBe("request-1");
  });

  it("names the packages that the image does not have", async () => {
    const content = bytes('{"dependencies": {"no-such-package": "^1", "x": "git+https://example.org/x"}}');
    const { verdicts } = await evaluate([{ tests: {}, changes: [{ path: "package.json", content }] }]);
    expect(verdicts[0]?.missingPackages).toEqual([
      expect.stringContaining("x@git+https://example.org/x: refused"),
      "no-such-package@^1: not in the evaluator's image",
    ]);
  });

  it("leaves nothing behind and keeps its environment from commands", async () => {
    const spy = ["node", "-e", 'console.log(JSON.stringify(process.env)); require("fs").writeFileSync("left", "x")'];
    const { verdicts, left, own } = await evaluate([{ command: { argv: spy } }, { command: { argv: ["ls"] } }]);
    expect(verdicts[0]?.command).toMatchObject({ status: "passed", exitCode: 0 });
    expect(verdicts[0]?.command?.stdout).not.toMatch(/AWS|L2MAC|secret/);
    expect(verdicts[1]?.command?.stdout).toBe("sum.mjs\nsum.test.mjs\n");
    expect({ left, own }).toEqual({ left: [], own: [] });
  });

  it("tells no credentials, even where a command dug them out", async () => {
    const said = 'console.log(["a-secret-that", "must-stay-hidden"].join("-"), "ASIA" + "ABCDEFGHIJKLMNOP")';
    const { verdicts } = await evaluate([{ command: { argv: ["node", "-e", said] } }]);
    expect(verdicts[0]?.command?.stdout).toBe("[redacted] [secret: aws access key]\n");
  });
});
