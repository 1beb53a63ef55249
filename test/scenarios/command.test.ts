/** The command against a model server on loopback: whole programs, with and without trouble, byte for byte. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { thorough } from "../doubles/thorough.ts";
import { allFiles, startProgramServer, troublesEvery, type WrittenFile } from "../servers/program-server.ts";
import { chatStream, streamReply } from "../servers/provider-streams.ts";
import { reply } from "../servers/scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

const launcher = fileURLToPath(new URL("../../bin/l2mac.mjs", import.meta.url));
const folders: string[] = [];
let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-command-"));
  folders.push(folder);
  return folder;
}

/** Where tests run there need be nothing that seals; what they run is theirs. The model is known, the server is free. */
const LIKE_THE_USERS = {
  PATH: process.env.PATH,
  OPENAI_API_KEY: "x",
  L2MAC_UNSEALED: "1",
  L2MAC_PRICE: "0,0",
  L2MAC_EVIDENCE: "off",
};

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(cwd: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: { ...LIKE_THE_USERS, HOME: cwd, OPENAI_BASE_URL: server?.url, ...env },
  });
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (ended.stdout += data));
  child.stderr.on("data", (data) => (ended.stderr += data));
  const end = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ ...ended, code })));
  return { child, end };
}

const l2mac = (cwd: string, ...args: string[]): Promise<Ended> => start(cwd, args).end;
const unfold = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

function expectFiles(folder: string, files: WrittenFile[]): void {
  expect(unfold(folder).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  for (const { path, content } of files) {
    expect(readFileSync(join(folder, path)).equals(Buffer.from(content)), path).toBe(true);
  }
}

const task = "Write many text files, each as its instruction says.";

describe("a program of many instructions, driven by a server on loopback", () => {
  it.each([5, thorough(40, 200)])("of %i instructions delivers every file as it was sent", async (instructions) => {
    server = await startProgramServer({ instructions });
    const cwd = aFolder();
    const ended = await l2mac(cwd, "run", task, "--model", "gpt-4o", "--out", "out");
    expect(ended.stderr).toMatch(/completed/i);
    expect(ended.code).toBe(0);
    expectFiles(join(cwd, "out"), allFiles(instructions));
  });

  it("delivers the same when the server now and then refuses, breaks, cuts, chats, invents tools and paths", async () => {
    server = await startProgramServer({ instructions: 50, faults: troublesEvery(5, 2_000) });
    const cwd = join(aFolder(), "within");
    mkdirSync(cwd);
    const ended = await l2mac(cwd, "run", task, "--model", "gpt-4o", "--out", "out");
    expect(ended.stderr).toMatch(/completed/i);
    expect(ended.code).toBe(0);
    expectFiles(join(cwd, "out"), allFiles(50));
    expect(existsSync(join(cwd, "..", "x"))).toBe(false);
    expect(existsSync("/etc/x")).toBe(false);
  });
});

describe("a folder whose tests are red", () => {
  it("gets its NOTES.md, with what is known red shown apart", async () => {
    server = await startScriptedServer({
      answer: ({ messages, number }) => {
        const instructions = [{ title: "Notes", text: "Write NOTES.md.", requirements: [] }];
        const isPlanning = !messages.some(({ content }) => content?.includes("Instruction 1 of 1"));
        if (isPlanning) return { toolCalls: [{ name: "write_program", arguments: { instructions } }] };
        const files = [{ path: "NOTES.md", content: `# Notes ${number}\n` }];
        const summary = { name: "complete_instruction", arguments: { summary: "wrote NOTES.md" } };
        return { toolCalls: [{ name: "write_files", arguments: { files } }, summary] };
      },
    });
    const cwd = aFolder();
    mkdirSync(join(cwd, "red", "test"), { recursive: true });
    writeFileSync(join(cwd, "red", "package.json"), '{ "type": "module", "scripts": { "test": "node --test" } }\n');
    const test = (name: string, isRed: boolean) =>
      `test("${name}", () => { if (${isRed}) throw new Error("red"); });\n`;
    const text = `import { test } from "node:test";\n${test("green", false)}${test("red", true)}`;
    writeFileSync(join(cwd, "red", "test", "a.test.js"), text);
    const ended = await l2mac(cwd, "run", "Add notes.", "--from", "red", "--model", "gpt-4o", "--out", "out");
    expect(ended.stderr).toContain("1 known red");
    expect([ended.code, ended.stderr.match(/completed/i)?.[0]]).toEqual([0, expect.any(String)]);
    expect(existsSync(join(cwd, "out", "NOTES.md"))).toBe(true);
    expect((await l2mac(cwd, "status")).stdout).toContain("tests 1/1, 1 known red");
  });
});

describe("a killed command", () => {
  it("goes on after kill -9 with the same files, and at most one response paid twice", async () => {
    server = await startProgramServer({ instructions: 20 });
    const undisturbed = 2 + 2 * 20;
    const cwd = aFolder();
    const { child, end } = start(cwd, ["run", task, "--model", "gpt-4o", "--out", "out"]);
    while (server.requests.length < 17) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    await end;
    const listed = await l2mac(cwd, "list");
    expect(listed.stdout).toContain("interrupted");
    const resumed = await l2mac(cwd, "resume");
    expect(resumed.stderr).toMatch(/completed/i);
    expect(resumed.code).toBe(0);
    expect(server.requests.length).toBeLessThanOrEqual(undisturbed + 1);
    expectFiles(join(cwd, "out"), allFiles(20));
  });
});

describe("a ceiling", () => {
  it("is never passed, and a resume with a higher one completes", async () => {
    server = await startProgramServer({ instructions: 40, ordinaryOnly: true });
    const cwd = aFolder();
    const ended = await l2mac(
      cwd,
      "run",
      task,
      "--model",
      "gpt-4o",
      "--price",
      "2.5,10",
      "--budget",
      "0.05",
      "--out",
      "out",
      "--json",
    );
    expect(ended.code).toBe(7);
    const result = JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "");
    expect(result).toMatchObject({ type: "result", status: "partial" });
    expect(result.microUsd).toBeLessThanOrEqual(50_000);
    const resumed = await l2mac(cwd, "resume", "--budget", "20");
    expect(resumed.code).toBe(0);
    expectFiles(join(cwd, "out"), allFiles(40, true));
  });
});

describe("a stream that breaks off in the middle of a call", () => {
  it("is paid as far as it came, kept to be read, and asked for again", async () => {
    const call = { id: "c", function: { name: "write_files", arguments: `{"files":[{"path":"${"a".repeat(400)}` } };
    const whole = chatStream({ content: "", tool_calls: [call] }, { finish_reason: "tool_calls" });
    const { body, headers } = streamReply(whole.slice(0, whole.indexOf('"finish_reason":"tool_calls"')));
    server = await startProgramServer({ instructions: 3, faults: { 2: reply(200, body, headers) } });
    const cwd = aFolder();
    const ended = await l2mac(
      cwd,
      ...["run", task, "--model", "gpt-4o", "--price", "2.5,10", "--out", "out", "--json"],
    );
    expect(ended.code).toBe(0);
    expectFiles(join(cwd, "out"), allFiles(3));
    const events = ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const lost = events.filter(({ type }) => type === "written_off");
    expect(lost).toMatchObject([
      { why: expect.stringMatching(/before its answer was complete, after \d+ characters/) },
    ]);
    const paid = events.filter(({ type }) => type === "turn" || type === "written_off");
    const sum = paid.reduce((total, { microUsd }) => total + microUsd, 0);
    expect(events.at(-1)).toMatchObject({ type: "result", microUsd: sum });
    const broken = unfold(join(cwd, ".l2mac")).filter((path) => path.includes(".broken-"));
    expect(broken.map((path) => readFileSync(join(cwd, ".l2mac", path), "utf8"))).toEqual([call.function.arguments]);
  });
});

describe("a llama.cpp server", () => {
  it("needs no key, is asked for its window, and is spoken to by JSON schema", async () => {
    server = await startProgramServer({ instructions: 8, dialect: "llama.cpp" });
    const cwd = aFolder();
    const { end } = start(cwd, ["A to-do list for the terminal", "--model", "local", "--out", "out"], {
      OPENAI_API_KEY: "",
    });
    const ended = await end;
    expect(ended.stderr).toMatch(/completed/i);
    expect(ended.code).toBe(0);
    expectFiles(join(cwd, "out"), allFiles(8));
    expect(server.requests.every((request) => request.tools.length === 0)).toBe(true);
    expect(server.requests.every((request) => request.responseFormat?.type === "json_schema")).toBe(true);
  });
});
