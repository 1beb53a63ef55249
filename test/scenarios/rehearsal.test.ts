/** The rehearsals on the true machine, with the true evaluator. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import { extractRequirements } from "../../lib/core/program/requirements.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import type { Machine } from "../../lib/local/machine.ts";
import { openLocalMachine } from "../../lib/local/open.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { readScenes } from "../../lib/model/rehearsal/read-scenes.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission } from "../doubles/machines.ts";

const scenes = readScenes(projectFile("rehearsals"));
const folders: string[] = [];
const open: Machine[] = [];
afterAll(() => {
  for (const machine of open.splice(0)) machine.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-rehearsal-"));
  folders.push(folder);
  return folder;
}

/** The machine as the command opens it. */
function trueMachine(): Machine {
  const machine = openLocalMachine({ home: aFolder(), env: process.env });
  open.push(machine);
  return machine;
}

async function play(machine: Machine, name: string, contextWindow = 128_000): Promise<Run> {
  const scene = scenes.find((each) => each.name === name);
  if (!scene) throw new Error(`There is no scene ${name}.`);
  const requirements = extractRequirements(scene.task);
  if ("problem" in requirements) throw new Error(requirements.problem);
  const submission = await aSubmission({
    task: scene.task,
    options: { domain: scene.domain },
    profile: { model: "rehearsal", contextWindow, maxOutputTokens: 4_096 },
    submission: { requirements, name },
  });
  const run = await machine.submit(submission);
  return machine.compute(run.id, new AbortController().signal);
}

async function filesOf(machine: Machine, run: Run): Promise<Map<string, Uint8Array>> {
  const output = await machine.files.get(fileStoreKeys(run.id).output(`${run.name}.zip`));
  return unpackTree(output ?? new Uint8Array());
}

function unpacked(files: Map<string, Uint8Array>): string {
  const folder = aFolder();
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const eventsOf = (machine: Machine, run: Run) => machine.registry.events(run.id, { after: 0, limit: 10_000 });

describe("the JavaScript rehearsal", () => {
  let machine: Machine;
  let run: Run;
  beforeAll(async () => {
    machine = trueMachine();
    run = await play(machine, "tally");
  });

  it("repairs a syntax error and a failing test on its way, and its own tests pass when run by hand", async () => {
    expect(run).toMatchObject({ status: "completed", unchecked: [] });
    expect(run.testsPassed).toBe(run.testsTotal);
    const verdicts = (await eventsOf(machine, run)).filter((event) => event.type === "verdict");
    expect(verdicts.some((verdict) => verdict.syntax === "failed")).toBe(true);
    expect(verdicts.some((verdict) => verdict.tests === "failed")).toBe(true);
    const folder = unpacked(await filesOf(machine, run));
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    expect(execFileSync(process.execPath, ["--test"], { cwd: folder, env, encoding: "utf8" })).toMatch(/fail 0/);
  });

  it("ends differently with an evaluator that always says green: the broken files stay", async () => {
    const model = createRehearsalModel({ rehearsals: projectFile("rehearsals") });
    const blind = aMachine({ model, evaluator: alwaysGreen });
    open.push(blind);
    folders.push(blind.home);
    const repaired = await machine.registry.allFiles(run.id);
    const other = await play(blind, "tally");
    expect(other.status).toBe("completed");
    expect(treeHash(await blind.registry.allFiles(other.id))).not.toBe(treeHash(repaired));
  });

  it("replays to the same tree with no model call and no evaluation", async () => {
    const replayed = await machine.replay(run.id);
    expect(replayed.treeHash).toBe(replayed.expected);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.turns).toBe(run.turns);
  });
});

describe("the rehearsal whose planner writes a loop, a check and a condition", () => {
  it("takes the steps that its list asks for, repairs what a check finds, and replays", async () => {
    const machine = trueMachine();
    const run = await play(machine, "greetings");
    expect(run).toMatchObject({ status: "completed", format: 3, instructions: 7, unchecked: [] });
    const steps = await machine.registry.instructions(run.id);
    expect(steps.map(({ frames = [], title }) => `${placeText(frames)} ${title}`)).toEqual([
      "1 List the languages",
      ...["2[1].1 Greet in german", "2[2].1 Greet in french", "2[3].1 Greet in italian"],
      ...["3 Put the greetings together", "4 Repair: A name alone is enough", "5[2].1 Describe the greetings"],
    ]);
    const checks = (await eventsOf(machine, run)).filter((event) => event.type === "checked");
    expect(checks.map(({ text, holds }) => [text, holds])).toEqual([
      ["the list of a loop", undefined],
      ...[false, true].map((holds) => ["node bin/greetings.js Ada", holds]),
      ["README.md exists", false],
      ["all tests pass", true],
    ]);
    const folder = unpacked(await filesOf(machine, run));
    expect(execFileSync(process.execPath, ["bin/greetings.js", "Ada"], { cwd: folder, encoding: "utf8" })).toBe(
      "Guten Tag, Ada!\n",
    );
    const replayed = await machine.replay(run.id);
    expect([replayed.difference, replayed.treeHash]).toEqual([undefined, replayed.expected]);
  });
});

describe("the Python rehearsal", () => {
  it.skipIf(!hasPython)("repairs what is broken and completes (needs python3)", async () => {
    const machine = trueMachine();
    const run = await play(machine, "twins");
    expect(run).toMatchObject({ status: "completed", unchecked: [] });
    const folder = unpacked(await filesOf(machine, run));
    expect(spawnSync("python3", ["-m", "unittest"], { cwd: folder }).status).toBe(0);
  });
});

describe("a rehearsal in a tiny context window", () => {
  it("drops what is stale, starts its conversation afresh with a note, and completes with every file", async () => {
    const machine = trueMachine();
    const run = await play(machine, "units", 4_500);
    expect(run).toMatchObject({ status: "completed", unchecked: [] });
    const events = await eventsOf(machine, run);
    expect(events.some((event) => event.type === "restarted" && event.why.includes("context window"))).toBe(true);
    const turns = events.filter((event) => event.type === "turn");
    expect(Math.max(...turns.map((turn) => turn.contextTokens))).toBeLessThanOrEqual(4_500);
  });
});
