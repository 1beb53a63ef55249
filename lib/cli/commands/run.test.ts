import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { refusal } from "../../../test/servers/scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer | undefined;
beforeEach(() => {
  bench = aBench();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  bench.remove();
});

const at = ({ url }: ScriptedServer): string[] => ["--base-url", url, "--model", "scripted"];
const TASK = "Write three parts.\n\n1. The first part.\n2. The second part.";

it("a task may be one word that is longer than any path", async () => {
  const { code, stderr } = await bench.run(["run", "写".repeat(200), "--rehearse", "--dry-run"]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("a task of 200 characters") });
});

describe("a run that completes", () => {
  it("puts the output folder on standard output and everything else on standard error", async () => {
    server = await startProgramServer({ instructions: 3 });
    const { code, stdout, stderr } = await bench.run([TASK, ...at(server)]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "workspace/three-parts")}\n` });
    expect(stderr).toMatch(
      /^l2mac \d.*run \w{26} \(three-parts\).*model scripted at 127\.0\.0\.1:\d+.*at most \$5.*home/m,
    );
    expect(stderr).toContain("program: 3 instructions");
    expect(stderr).toContain("✔ 3/3 Part 3");
    expect(stderr).toContain("Kept: 3 of 3 instructions");
    expect(bench.read("workspace/three-parts/parts/part-2.txt")).toBe("part 2\nof many\n");
  });

  it("writes its events as JSON lines, and the run as the last one", async () => {
    server = await startProgramServer({ instructions: 2 });
    const { stdout } = await bench.run([TASK, "--json", ...at(server)]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ seq }) => seq).slice(0, -1)).toEqual(lines.slice(0, -1).map((_, index) => index + 1));
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(["created", "program", "turn", "ended"]));
    expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", exitCode: 0, instructions: 2 });
    expect(lines.at(-1).out).toBe(join(bench.folder, "workspace/three-parts"));
  });

  it("reads the task from a file or standard input, and gives each run a name of its own", async () => {
    server = await startProgramServer({ instructions: 1 });
    bench.write("task.md", TASK);
    await bench.run(["--spec", "task.md", ...at(server)]);
    const { stdout } = await bench.run(["run", "--spec", "-", ...at(server)], { input: TASK });
    expect(stdout.trim()).toBe(join(bench.folder, "workspace/three-parts-2"));
    const sent = server.requests.map(({ messages }) => messages.map(({ content }) => content).join("\n"));
    expect(sent.every((text) => text.includes("1. The first part."))).toBe(true);
  });

  it("executes a given program without planning, and stores the task's requirements with it", async () => {
    server = await startProgramServer({ instructions: 9 });
    bench.write("program.json", JSON.stringify([{ title: "One", text: "MARK-1-BEGINS", requirements: ["R2"] }]));
    const { code, stderr } = await bench.run([TASK, "--program", "program.json", ...at(server)]);
    expect(code).toBe(0);
    expect(stderr).toContain("program: 1 instruction for 2 requirements; no instruction serves R1");
    expect(server.requests.flatMap(({ tools }) => tools.map(({ name }) => name))).not.toContain("write_program");
  });

  it("goes on from a folder, without what is not source", async () => {
    server = await startProgramServer({ instructions: 1 });
    const before = await bench.run([TASK, "--out", "first", ...at(server)]);
    expect(before.code).toBe(0);
    await server.close();
    server = await startProgramServer({ instructions: 2 });
    const after = await bench.run([TASK, "--from", "first", "--out", "second", ...at(server)]);
    expect(after.code).toBe(0);
    const first = readdirSync(join(bench.folder, "first"));
    expect(readdirSync(join(bench.folder, "second")).sort()).toEqual([...first, "crlf.txt"].sort());
  });
});

describe("files that are left out", () => {
  const secret = `ghp_${"Kq7Zr2Xw9Tb4Vn6M".repeat(3)}\n`;

  it("are seen by no model, and are never overwritten: no result is put into the folder that they lie in", async () => {
    server = await startProgramServer({ instructions: 1 });
    mkdirSync(join(bench.folder, "start/parts"), { recursive: true });
    bench.write("start/parts/part-1.txt", secret);
    bench.write("start/.env", "A=unseen\n");
    const { code, stdout, stderr } = await bench.run([
      ...[TASK, "--from", "start", "--out", "made", "--json"],
      ...at(server),
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("1 .env file, 1 secret") });
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toEqual({
      ...{ type: "starting_files", from: "start", files: 0, bytes: 0 },
      leftOut: [
        { path: ".env", reason: ".env file" },
        { path: "parts/part-1.txt", reason: "secret", detail: "github token", line: 1 },
      ],
    });
    expect(JSON.stringify(server.requests)).not.toMatch(/ghp_|unseen/);
    expect(bench.read("made/parts/part-1.txt")).toBe("part 1\nof many\n");
    const there = await bench.run([TASK, "--from", "start", "--out", "start", ...at(server)]);
    expect(there).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing in it is overwritten") });
    const fetched = await bench.run(["get", "--out", "start"]);
    expect(fetched).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
    expect(bench.read("start/parts/part-1.txt")).toBe(secret);
    expect(bench.read("start/.env")).toBe("A=unseen\n");
  });
});

describe("tests that are given", () => {
  it("are laid under their own paths, over those to start from, which is said, and are delivered as they are", async () => {
    server = await startProgramServer({ instructions: 1 });
    for (const folder of ["start/tests", "given/tests"]) mkdirSync(join(bench.folder, folder), { recursive: true });
    bench.write("start/tests/a.test.js", 'require("node:test")("a", () => { throw new Error("no"); });\n');
    bench.write("start/kept.txt", "kept\n");
    bench.write("given/tests/a.test.js", 'require("node:test")("a", () => {});\n');
    const { code, stderr } = await bench.run([
      TASK,
      "--from",
      "start",
      "--tests",
      "given",
      "--out",
      "made",
      ...at(server),
    ]);
    expect(stderr).toContain("--from and --tests both have tests/a.test.js: the given test is taken.");
    expect(code).toBe(0);
    const delivered = bench.read("made/tests/a.test.js");
    expect(delivered).toContain("() => {}");
    expect(existsSync(join(bench.folder, "made/kept.txt"))).toBe(true);
    expect(JSON.stringify(server.requests[0]?.messages)).toContain("tests that the user gave");
  });
});

describe("a run that does not complete says why, what is kept, what it cost, and the next command", () => {
  it("when its turns are used up: 7, and resume with more goes on in the same folder", async () => {
    server = await startProgramServer({ instructions: 3 });
    const stopped = await bench.run([TASK, "--max-turns", "5", ...at(server)]);
    expect(stopped.code).toBe(7);
    expect(stopped.stderr).toMatch(/partial: .*5 turns/);
    expect(stopped.stderr).toMatch(/Kept: 1 of 3 instructions, \d+ files? in .*workspace\/three-parts/);
    expect(stopped.stderr).toMatch(/Cost: \$0\.00 .*5 turns/);
    const [, command = ""] = /Next: l2mac (.*)$/m.exec(stopped.stderr) ?? [];
    expect(command).toMatch(/^resume \w{6} --max-turns 10$/);
    const refused = await bench.run(["resume"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/--max-turns 10$/m) });
    const resumed = await bench.run(command.split(" "));
    expect(resumed).toMatchObject({ code: 0, stdout: stopped.stdout });
    expect(existsSync(join(bench.folder, "workspace/three-parts/parts/part-3.txt"))).toBe(true);
    expect(readdirSync(join(bench.folder, "workspace")).sort()).toEqual(["three-parts", "three-parts.manifest.json"]);
  });

  it("when the server is not there: 4, and the run is kept", async () => {
    server = await startProgramServer({ instructions: 1 });
    const url = server.url;
    await server.close();
    server = undefined;
    const { code, stderr } = await bench.run([TASK, "--base-url", url, "--model", "scripted"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/failed: No connection to the model server at 127\.0\.0\.1:\d+/);
    expect(stderr).toMatch(/Next: .*l2mac resume \w{6}/);
    expect((await bench.run(["list"])).stdout).toContain("failed (provider)");
  });

  it("when the model does not exist: 4, and when the key is wrong: 3, without showing it", async () => {
    const message = "The model `scripted` does not exist.";
    server = await startScriptedServer({
      answer: () => ({ text: "" }),
      refuse: () => refusal(404, { message, code: "model_not_found" }),
    });
    const missing = await bench.run([TASK, ...at(server)]);
    expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining("does not exist") });
    await server.close();
    server = await startScriptedServer({ answer: () => ({ text: "" }), apiKey: "right" });
    bench.env.OPENAI_API_KEY = "sk-wrong-and-secret-0123456789";
    const wrong = await bench.run([TASK, ...at(server)]);
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining("Check OPENAI_API_KEY") });
    expect(wrong.stderr + wrong.stdout).not.toContain("secret");
  });
});

describe("a run that is resumed", () => {
  it("asks the server that the environment names now, and says so", async () => {
    server = await startProgramServer({ instructions: 2 });
    const first = new URL(server.url).host;
    expect((await bench.run([TASK, "--max-turns", "3", ...at(server)])).code).toBe(7);
    await server.close();
    server = await startProgramServer({ instructions: 2 });
    bench.env.OPENAI_BASE_URL = server.url;
    const resumed = await bench.run(["resume", "--max-turns", "30"]);
    expect(resumed.stderr).toContain(`This run began at ${first} and goes on at ${new URL(server.url).host}.`);
    expect({ code: resumed.code, asked: server.requests.length > 0 }).toEqual({ code: 0, asked: true });
  });

  it("is not sent from this computer's own model, which is free, to one that is charged for", async () => {
    server = await startProgramServer({ instructions: 2 });
    expect((await bench.run([TASK, "--max-turns", "3", ...at(server)])).code).toBe(7);
    bench.env.OPENAI_API_KEY = "sk-test";
    const refused = await bench.run(["resume", "--max-turns", "30", "--base-url", "https://api.example.org/v1"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("api.example.org is not") });
    expect((await bench.run(["status"])).stdout).toContain("partial (turns)");
  });
});

describe("a delivery", () => {
  it("never overwrites: an occupied --out is refused before anything is sent", async () => {
    server = await startProgramServer({ instructions: 1 });
    bench.write("notes.txt", "mine");
    const { code, stderr } = await bench.run([TASK, "--out", ".", ...at(server)]);
    expect({ code, asked: server.requests.length }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain("--out . is there already, and is not empty");
    expect((await bench.run(["list"])).stdout).toBe("");
  });

  it("replaces at resume what it delivered, and leaves what the user changed", async () => {
    server = await startProgramServer({ instructions: 3 });
    const stopped = await bench.run([TASK, "--max-turns", "5", "--out", "here", ...at(server)]);
    expect(stopped.code).toBe(7);
    bench.write("here/parts/part-1.txt", "my own words\n");
    const resumed = await bench.run(["resume", "--max-turns", "50"]);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain("Not overwritten: parts/part-1.txt (it was changed there)");
    expect(bench.read("here/parts/part-1.txt")).toBe("my own words\n");
    expect(bench.read("here/parts/part-3.txt")).toBe("part 3\nof many\n");
  });
});
