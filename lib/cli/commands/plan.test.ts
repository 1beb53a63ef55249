import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { parseProgramMarkdown } from "../../core/program/program-text.ts";

const TASK = "Write two parts.\n\n1. The first part.\n2. The second part.";

let bench: Bench;
let server: ScriptedServer;
let at: string[];
beforeEach(async () => {
  bench = aBench();
  server = await startProgramServer({ instructions: 2 });
  at = ["--base-url", server.url, "--model", "scripted"];
});
afterEach(async () => {
  await server.close();
  bench.remove();
});

describe("plan", () => {
  it("prints the program as people write it, and executes nothing", async () => {
    const { code, stdout, stderr } = await bench.run(["plan", TASK, ...at]);
    expect(code).toBe(0);
    expect(parseProgramMarkdown(stdout)).toMatchObject({
      instructions: [{ title: "Part 1" }, { title: "Part 2" }],
      requirements: [{ id: "R1" }, { id: "R2" }],
    });
    expect(stderr).toMatch(
      /Cost: \$0\.00\.\nNext: l2mac approve \w{6}\n {2}or: l2mac reject \w{6}\n {2}or: l2mac watch/,
    );
    const status = await bench.run(["status"]);
    expect(status.stdout).toMatch(/status +waiting \(approval\)\n +Waiting for approval\./);
    expect(status.stdout).toMatch(/^files .*\(nothing is there yet\)$/m);
    const made = server.requests.flatMap(({ messages }) => messages.flatMap(({ tool_calls }) => tool_calls ?? []));
    expect(made.map((call) => call.function.name)).not.toContain("write_files");
  });

  it("is not begun where what it writes would have no folder", async () => {
    const { code, stderr } = await bench.run(["plan", TASK, "--out", "nowhere/p.md", ...at]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The folder of --out nowhere\/p\.md is not there\.\nNext: mkdir -p /);
    expect(server.requests).toHaveLength(0);
  });

  it("is gone on with where it is approved, in a folder of the run, and is not paid for again", async () => {
    await bench.run(["plan", TASK, "--name", "two", ...at]);
    const planned = server.requests.length;
    expect(await bench.run(["approve"])).toMatchObject({ code: 0, stdout: `${bench.folder}/workspace/two\n` });
    const requests = server.requests.slice(planned).map(({ messages }) => JSON.stringify(messages));
    expect(requests.filter((text) => text.includes("Planning the program"))).toEqual([]);
  });

  it("writes it to a file that is approved, or that another run then executes", async () => {
    const planned = await bench.run(["plan", TASK, "--out", "program.md", ...at]);
    expect(planned).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/Next: l2mac approve \w{6} --program program\.md {3}\(as it is/),
    });
    const ran = await bench.run([TASK, "--program", "program.md", ...at]);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("program: 2 instructions for 2 requirements"),
    });
    const again = await bench.run(["plan", TASK, "--out", "program.md", ...at]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("there already") });
  });

  it("gives JSON on request", async () => {
    const { stdout } = await bench.run(["plan", TASK, "--json", ...at]);
    expect(JSON.parse(stdout).instructions).toHaveLength(2);
  });

  it("says like a run what went wrong, and ends as one", async () => {
    await server.close();
    const { code, stdout, stderr } = await bench.run(["plan", TASK, ...at]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatch(/failed: No connection[\s\S]*Kept: no program yet[\s\S]*Next: .*l2mac resume/);
  });
});
