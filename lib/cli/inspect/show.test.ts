import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { contextExceeded, prose, serverError } from "../../../test/servers/scripted-faults.ts";

const SAID = "I think that all is done.";

let bench: Bench;
/** What the run said in a pipe. */
let progress: string;
/** All turns of instruction 2. */
let second: string;
beforeAll(async () => {
  // A call fails and is made again; a turn is prose; another is refused as too long and has no answer.
  const asked = {
    instructions: 3,
    ordinaryOnly: true,
    faults: { 3: serverError(), 5: prose(SAID), 8: contextExceeded() },
  };
  const server = await startProgramServer(asked);
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const { code, stderr } = await bench.run(["Write text files.", "--model", "scripted", "--name", "whole"]);
  expect(code, stderr).toBe(0);
  progress = stderr;
  await server.close();
  second = await show("whole", "2");
});
afterAll(() => bench.remove());

async function show(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await bench.run(["show", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("an instruction shows", () => {
  it("what it asks, and all its turns", () => {
    expect(second).toMatch(/^Run \w{6} \(whole\) · instruction 2\/3: Part 2\n {2}MARK-2-BEGINS Write/);
    expect(second.match(/^Turn 2\.\d · \w+/gm)).toEqual([
      ...["Turn 2.1 · tools", "Turn 2.2 · context_exceeded", "Turn 2.3 · accepted"],
    ]);
  });

  it("what the model was shown in the first turn, block by block, as it was sent", () => {
    expect(second.match(/^── Prompt/gm)).toHaveLength(1);
    expect(second).toMatch(/^── Prompt: \d+ blocks, .* characters\n· system\n/m);
    expect(second).toMatch(/^· user: Task\n {2}Write text files\.$/m);
    expect(second).toMatch(/^· user: From the instruction before\n {2}Instruction 1 reported: part 1 is written$/m);
    expect(second).toMatch(/^· what is left\n {2}\(turn 1 of at most 40/m);
    expect(second).toMatch(/^· tools\n {2}list_files, /m);
  });

  it("calls with their results, and the files that changed", () => {
    expect(second).toMatch(/^→ write_files\n {2}files:\n {4}- path: parts\/part-2\.txt\n {6}content:\n {8}part 2\n/m);
    expect(second).toMatch(/^✔ .*\n {2}Wrote parts\/part-2\.txt/m);
    expect(second).toContain("+++ b/parts/part-2.txt\n@@ -0,0 +1,2 @@\n+part 2\n+of many\n");
  });

  it("what the server said where there is no answer", () => {
    expect(second).toMatch(/^── Answer\n {2}none: .*context/m);
  });

  it("long parts cut with a note, and whole with --all", async () => {
    expect(second).toMatch(/^ {2}\[… \d+ lines left out; --all shows them …\]$/m);
    expect(await show("whole", "2", "--all")).not.toContain("left out");
  });
});

describe("log", () => {
  it("has what the model said below its turn, with --text", async () => {
    const [plain, { stdout }] = [await bench.run(["log"]), await bench.run(["log", "--text"])];
    expect(plain.stdout).not.toContain(SAID);
    expect(stdout).toMatch(new RegExp(`^ +\\d+ [\\d:]+ +turn 2: prose .*\\n {16}${SAID}$`, "m"));
    const events = (await bench.run(["log", "--text", "--json"])).stdout.trim().split("\n");
    const said = events.map((line) => JSON.parse(line)).filter(({ text }) => text === SAID);
    expect(said).toMatchObject([{ type: "turn", instruction: 1, turn: 2 }]);
  });
});

describe("a call that is made again", () => {
  const line = /^.* turn 1: retry 1 after \d\.\ds: .*answered 500/m;

  it("is shown in a pipe and in the log, with its reason and wait", async () => {
    expect(progress).toMatch(line);
    expect((await bench.run(["log", "whole"])).stdout).toMatch(line);
  });
});

describe("a turn shows", () => {
  it("its own request, with what was said before", async () => {
    const text = await show("2.2");
    expect(text).toContain("· earlier answer\n  → write_files\n");
    expect(text).toMatch(/^· what is left\n {2}\(turn 2 of at most 40/m);
  });

  it("the same as JSON", async () => {
    const [turn] = (await show("whole", "2.1", "--json")).split("\n").map((line) => line && JSON.parse(line));
    expect(turn).toMatchObject({ instruction: 2, turn: 1, answer: { toolCalls: [{ name: "write_files" }] } });
    expect(turn.diff).toContain("+part 2\n+of many\n");
    expect(turn.prompt).not.toHaveProperty("note");
    expect(turn.prompt.blocks).toContainEqual({ title: "user: Task", text: "Write text files." });
  });

  it("planning, as instruction 0; and the last one where none is named", async () => {
    expect(await show("0.1")).toMatch(/^Run \w{6} \(whole\) · planning\n\nTurn 0\.1 /);
    expect(await show()).toContain("\nTurn 3.2 · accepted");
  });

  it.each([
    [["whole", "2.9"], /^l2mac: Run \w{6} has no turn 2\.9: instruction 2 has 3\.\nNext: l2mac log \w{6}\n$/],
    [["whole", "7"], /^l2mac: Run \w{6} has no turn 7\.1: its turns belong to instructions 0, 1, 2, 3\.\nNext: /],
    [["whole", "second"], /^l2mac: second names no turn\. A turn is 4\.2, or 4\.2@3 of lane 3; /],
    [["3@2"], /^l2mac: There is no run 3@2\. A turn is 4\.2, or 4\.2@3 of lane 3; /],
  ])("not where there is none: %j", async (args, message) => {
    expect(await bench.run(["show", ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
