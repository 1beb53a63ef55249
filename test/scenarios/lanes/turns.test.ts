/** The turns of lanes are where turns are: in the API of a server, and in the commands that read it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../../lib/cli/command.ts";
import { replay } from "../../../lib/cli/commands/replay.ts";
import { report } from "../../../lib/cli/commands/report.ts";
import { show } from "../../../lib/cli/commands/show.ts";
import { status } from "../../../lib/cli/commands/status.ts";
import type { Shell } from "../../../lib/cli/display/shell.ts";
import { blame } from "../../../lib/cli/history/blame.ts";
import { exportRun } from "../../../lib/cli/trajectory/export.ts";
import { submissionOfFork } from "../../../lib/control/fork/submission-of-fork.ts";
import type { Evaluator, Model, ModelRequest } from "../../../lib/core/ports.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { AtifTrajectory } from "../../../lib/core/trajectory/atif.ts";
import { creditedTurns } from "../../../lib/core/turn/lane-turns.ts";
import type { StepTurn } from "../../../lib/core/turn/turn.ts";
import { turnAddress } from "../../../lib/core/turn/turn-address.ts";
import { unpackTree } from "../../../lib/pack/pack.ts";
import { fetchRun } from "../../../packages/page/browser/fetch-run.ts";
import { aServer, type TestServer } from "../../api/served.ts";
import { obey, programIn, textOf } from "../../doubles/lane-programs.ts";
import { aSubmission, aVerdict, compute } from "../../doubles/machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../../doubles/scripted-model.ts";

/** Two files that are green alone are red together. */
const quarrelsome: Evaluator = {
  async evaluate({ base, changes }) {
    const paths = new Set(unpackTree(await base.load()).keys());
    for (const { path, content } of changes) content === null ? paths.delete(path) : paths.add(path);
    const isRed = paths.has("src/part.js") && paths.has("src/clash.js");
    return aVerdict({ tests: isRed ? { status: "failed", failed: 1 } : { passed: paths.size } });
  },
};

const PROGRAM = [
  { id: "a", title: "First", text: "write shared.txt one" },
  { id: "b", needs: [], title: "Reader", text: "Copy shared.txt." },
  { id: "c", needs: [], title: "Part", text: "Write the part." },
  { id: "d", needs: [], title: "Clash", text: "Write what clashes." },
];
const COPY: Said[] = [
  { calls: [["read_files", { paths: ["shared.txt"] }]] },
  { calls: [writeFile("copy.txt", "x\n")] },
];
const PART: Said[] = [
  { calls: [writeFile("src/part.js", "export const one = 1;\n")] },
  { calls: [["edit_file", { path: "src/part.js", edits: [{ find: "one = 1;\n", replace: "one = 1;\n// two\n" }] }]] },
];

/** The run goes on when lanes have finished all other instructions. */
function heldModel(): Model {
  const ends = new Map(["Reader", "Part", "Clash"].map((title) => [title, Promise.withResolvers<void>()]));
  let clashes = 0;
  const script = scriptedModel((request: ModelRequest): Said => {
    const { answers } = placeOf(request);
    const isOf = (title: string): boolean => textOf(request).includes(`: ${title}\n`);
    if (isOf("Clash") && answers === 0) clashes += 1;
    const own = isOf("Reader") ? COPY[answers] : isOf("Part") ? PART[answers] : undefined;
    const clash = { calls: [writeFile(`src/${clashes > 1 ? "peace" : "clash"}.js`, "export {};\n")] };
    return own ?? (isOf("Clash") && answers === 0 ? clash : obey(request));
  });
  return {
    async ask(request, signal, progress) {
      const answer = await script.ask(request, signal, progress);
      const isEnd = answer.toolCalls.some(({ name }) => name === "complete_instruction");
      for (const [title, { resolve }] of ends) if (isEnd && textOf(request).includes(`: ${title}\n`)) resolve();
      if (textOf(request).includes(": First\n")) await Promise.all([...ends.values()].map(({ promise }) => promise));
      return answer;
    },
  };
}

let server: TestServer;
let run: Run;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-turns-"));
  server = await aServer({ player: heldModel(), evaluator: quarrelsome });
  const submission = await aSubmission({
    options: { reflect: 0, parallel: 4 },
    profile: { price: { input: 1, output: 2 } },
    submission: { program: programIn(PROGRAM) },
  });
  run = await compute(server.machine, submission);
  expect(run.status, run.detail).toBe("completed");
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const allTurns = async (limit = 1_000): Promise<StepTurn[]> => {
  const turns: StepTurn[] = [];
  for (let query = `limit=${limit}`; ; ) {
    const { json } = await server.ask(`/runs/${run.id}/turns?${query}`);
    turns.push(...json.turns);
    if (json.next === undefined) return turns;
    query = `limit=${limit}&after=${encodeURIComponent(json.next)}`;
  }
};
/** The address of an instruction's turn in its lane. */
async function inLane(instruction: number, turn: number): Promise<string> {
  const ahead = (await server.machine.registry.instruction(run.id, instruction))?.ahead;
  return turnAddress({ instruction, turn, lane: ahead?.lane });
}
const pathOf = (address: string): string => address.replace(/^(\d+)\.(\d+)@?(\d*)$/, "$1/$2?lane=$3");
const sum = (turns: StepTurn[], of: "microUsd" | "inputTokens" | "outputTokens"): number =>
  turns.reduce((total, turn) => total + turn[of], 0);

describe("the API", () => {
  it("lists the turns of lanes first in their instruction, and says what became of them", async () => {
    const turns = await allTurns();
    const states = new Map(turns.map((turn) => [turnAddress(turn), turn.ahead]));
    expect([...states]).toEqual([
      ...[1, 2].map((turn) => [`1.${turn}`, undefined]),
      ...(await Promise.all([1, 2, 3].map(async (turn) => [await inLane(2, turn), "dropped"]))),
      ...[1, 2, 3].map((turn) => [`2.${turn}`, undefined]),
      ...(await Promise.all([1, 2, 3].map(async (turn) => [await inLane(3, turn), "joined"]))),
      ["3.1", undefined],
      ...(await Promise.all([1, 2].map(async (turn) => [await inLane(4, turn), "dropped"]))),
      ...[1, 2].map((turn) => [`4.${turn}`, undefined]),
    ]);
    expect(await allTurns(1)).toEqual(turns);
    expect(await allTurns(3)).toEqual(turns);
  });

  it("accounts for all that the run has paid", async () => {
    const turns = await allTurns();
    expect(sum(turns, "microUsd")).toBe(run.microUsd);
    expect(run.microUsd).toBeGreaterThan(0);
    expect(sum(turns, "inputTokens")).toBe(run.inputTokens);
    expect(sum(turns, "outputTokens")).toBe(run.outputTokens);
    expect(turns.filter(({ copied }) => copied === undefined)).toHaveLength(run.turns);
  });

  it("shows a turn of a lane with its bodies, and files as it left them", async () => {
    const { json } = await server.ask(`/runs/${run.id}/turns/${pathOf(await inLane(3, 2))}`);
    expect(json.answer.answer.toolCalls).toMatchObject([{ name: "edit_file" }]);
    expect(json).toMatchObject({ turn: { ahead: "joined" }, effects: { results: [{ ok: true }] } });
    expect((await server.ask(`/runs/${run.id}/turns/3/1`)).json.turn).toMatchObject({ copied: { run: run.id } });
    expect((await server.ask(`/runs/${run.id}/turns/3/1?lane=1`)).json.turn).not.toHaveProperty("lane");
    const missing = await server.ask(`/runs/${run.id}/turns/3/1?lane=16`);
    expect(missing).toMatchObject({ status: 404, json: { detail: expect.stringContaining("by lane 16") } });
    const fileAt = async (path: string, at: string) =>
      new TextDecoder().decode((await server.ask(`/runs/${run.id}/file?path=${path}&at=${at}`)).bytes);
    expect(await fileAt("src/part.js", await inLane(3, 1))).toBe("export const one = 1;\n");
    expect(await fileAt("src/part.js", await inLane(3, 2))).toBe("export const one = 1;\n// two\n");
    // It was executed before there was such a file.
    expect((await server.ask(`/runs/${run.id}/file?path=shared.txt&at=${await inLane(3, 2)}`)).status).toBe(404);
  });

  it("shows with the last turn of a lane what the gate found where it was to join", async () => {
    const { json } = await server.ask(`/runs/${run.id}/turns/${pathOf(await inLane(4, 2))}`);
    expect(json.tried.verdicts).toMatchObject([{ tests: { status: "failed" } }]);
    expect((await server.ask(`/runs/${run.id}/turns/${pathOf(await inLane(4, 1))}`)).json.tried).toBeUndefined();
  });
});

/** Calls the command in this process, about the run on the server. */
async function called(command: Command, words: string[], flags: Record<string, string> = {}) {
  let out = "";
  const said: string[] = [];
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, L2MAC_API_URL: server.url, L2MAC_HOME: join(folder, "home") };
  const shell: Shell = {
    ...{ cwd: folder, env, launcher: "l2mac", progress: process.stderr, resultColumns: undefined },
    out: (content) => {
      out += content;
    },
    say: (line) => void said.push(line),
    command: (name, ...args) => ["l2mac", name, ...args].join(" "),
    resultOnTerminal: false,
    signals: { onStop: () => {}, received: () => undefined },
    readerGone: () => false,
  };
  const code = await command({ words, flags: new Map(Object.entries(flags)) }, shell);
  return { code, out, said: said.join("\n") };
}

describe("a command", () => {
  it("shows what a lane did with its prompt, and why it was dropped", async () => {
    const { out } = await called(show, ["2"]);
    expect(out).toMatch(/lane \d, dropped: .*shared\.txt.* · on the files at the start$/m);
    expect(out).toContain("shared.txt was changed by an earlier instruction meanwhile");
    expect(out.match(/^Turn 2\.\d(@\d · lane \d, dropped)?/gm)).toHaveLength(6);
    expect(out.match(/^Turn 2\.\d@\d · lane \d, dropped · accepted in its lane · /gm)).toHaveLength(1);
    expect(out.match(/^Turn 2\.\d · accepted · /gm)).toHaveLength(1);
    // Of the lane's conversation and of the run's own.
    expect(out.match(/^── Prompt: \d+ blocks/gm)).toHaveLength(2);
    expect(out.match(/^\+x$/gm)).toHaveLength(2);
  });

  it("shows one turn of a lane by its address", async () => {
    const address = await inLane(3, 2);
    const { out } = await called(show, [address], { "--json": "" });
    expect(JSON.parse(out)).toMatchObject({
      instruction: 3,
      turn: 2,
      ahead: "joined",
      diff: expect.stringContaining("+// two"),
    });
    await expect(called(show, ["3.9"])).rejects.toThrow(/3 in lane \d and 1 of its own/);
  });

  it("blames the turns of the lane whose work joined", async () => {
    const { out } = await called(blame, ["src/part.js"]);
    const origins = out.split("\n").map((line) => line.split(" ")[0]);
    expect(origins).toEqual([await inLane(3, 1), await inLane(3, 2), ""]);
    // What a lane did in vain, the run has done itself.
    expect((await called(blame, ["copy.txt"])).out).toMatch(/^2\.2 /);
  });

  it("exports the accepted execution of each instruction, and none that was dropped", async () => {
    const { out } = await called(exportRun, []);
    const { steps, subagent_trajectories: parts = [] }: AtifTrajectory = JSON.parse(out);
    const dispatched = steps.flatMap(({ message }) => /^Instruction (\d+)/.exec(String(message))?.[1] ?? []);
    expect(dispatched).toEqual(["1", "2", "3", "4"]);
    expect(JSON.stringify(parts.at(-2))).toContain("// two");
    // The prompt alone has what the lane did.
    expect(out).not.toMatch(/"arguments":[^}]*src\/clash\.js/);
  });

  it("reports what was dropped with what it cost, and charts each turn", async () => {
    const { code } = await called(report, [], { "--out": join(folder, "report") });
    expect(code).toBe(0);
    const page = readFileSync(join(folder, "report/index.html"), "utf8");
    expect(page).toMatch(/Reader.*?<td class="number">6<\/td><td class="number">\$0\.\d+ \(\$0\.\d+ dropped\)/s);
    const rows = readFileSync(join(folder, "report/pictures/errors.csv"), "utf8").trim().split("\r\n");
    expect(rows).toHaveLength(1 + (await allTurns()).length);
    expect(rows.filter((row) => row.endsWith(",dropped"))).toHaveLength(5);
  });

  it("replays the run from its server with no difference", async () => {
    const { code, out } = await called(replay, [], { "--json": "" });
    expect(JSON.parse(out)).toMatchObject({ same: true, turns: run.turns, difference: null });
    expect(code).toBe(0);
  });
});

describe("a fork", () => {
  it("inherits the turns of lanes, and says what they had cost", async () => {
    const { machine } = server;
    const forked = await compute(machine, await submissionOfFork(machine, run, { name: "fork", at: "3" }));
    const inherited = (await allTurns()).filter(({ instruction }) => instruction <= 3);
    const turns = await machine.registry.stepTurnsAfter(forked, { limit: 100 });
    const ofFork = turns.filter(({ instruction }) => instruction <= 3);
    expect(ofFork.map((turn) => [turnAddress(turn), turn.ahead])).toEqual(
      inherited.map((turn) => [turnAddress(turn), turn.ahead]),
    );
    const events = await machine.registry.events(forked.id, { after: 0, limit: 100 });
    const taken = inherited.filter(({ copied }) => copied === undefined).length;
    expect(events).toContainEqual(
      expect.objectContaining({ type: "forked", turns: taken, microUsd: sum(inherited, "microUsd") }),
    );
  });
});

describe("a call that was interrupted", () => {
  it("is named with its charge by the status and the report", async () => {
    const { registry } = server.machine;
    const { id } = await server.machine.submit(await aSubmission({ submission: { name: "interrupted" } }));
    const claimed = await registry.claim(id, 1);
    await registry.reserve(claimed, { microUsd: 20_000, tokens: 900 }, 1_000);
    await registry.claim(id, 1);
    const words = "$0.02 and 900 tokens of it are reserved for 1 interrupted call, which cost no more";
    expect((await called(status, [id])).out).toContain(`\n          ${words}\n`);
    await called(report, [id], { "--out": join(folder, "interrupted") });
    expect(readFileSync(join(folder, "interrupted/index.html"), "utf8")).toContain(words);
    expect((await called(status, [run.id])).out).not.toContain("interrupted call");
  });
});

describe("the page", () => {
  it("asks again for what lanes may add to before the turns that it knows", async () => {
    const asked: string[] = [];
    const ask = async <Answer>(path: string): Promise<Answer> => {
      asked.push(path);
      return (await server.ask(path)).json;
    };
    const parts = { id: run.id, ask, isProgramStale: false, signal: new AbortController().signal };
    const whole = await fetchRun({ ...parts, known: undefined });
    expect(whole.turns).toHaveLength((await allTurns()).length);
    const known = {
      ...whole,
      run: { ...whole.run, pc: 2 },
      turns: whole.turns.filter(({ lane }) => lane === undefined),
    };
    expect((await fetchRun({ ...parts, known })).turns).toEqual(whole.turns);
    expect(asked.at(-1)).toContain("after=1.2");
    expect((await fetchRun({ ...parts, known: whole })).turns).toBe(whole.turns);
    expect(creditedTurns(whole.turns).some(({ ahead }) => ahead === "dropped")).toBe(false);
  });
});
