import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { alwaysGreen, hasPython, inFolder, run, withNode, withPython } from "../../../test/scene-player/check.ts";
import { type Played, play, requestOf } from "../../../test/scene-player/play.ts";
import { ALL_TOOLS } from "../../../test/scene-player/tools.ts";
import { createRehearsalModel } from "./player.ts";
import { readScenes, sceneFor } from "./read-scenes.ts";
import type { Scene } from "./scene.ts";

const rehearsals = fileURLToPath(new URL("../../../rehearsals", import.meta.url));
const scenes = readScenes(rehearsals);
const [units, pigeonholes, twins, tally] = ["tiny context window", "short book", "Python", "tally"].map((words) =>
  sceneFor(scenes, words),
) as [Scene, Scene, Scene, Scene];
const model = createRehearsalModel({ rehearsals });
const NODE_TEST = [process.execPath, "--test"];
const passes = (files: ReadonlyMap<string, string>, argv: string[]) =>
  inFolder(files, (folder) => run(folder, argv).ok);
const toolsUsed = ({ turns }: Played) =>
  new Set(turns.flatMap((turn) => turn.answer.toolCalls.map((call) => call.name)));
const refusals = ({ turns }: Played) => turns.filter((turn) => turn.results.some((text) => /not accepted/.test(text)));

/** Real test runners are started some twenty times; on a busy computer that takes a while. */

describe("the JavaScript scene", () => {
  it("ends with a project whose own tests pass", async () => {
    const played = await play({ model, task: tally.task });
    expect(played.accepted).toBe(tally.parts.length);
    expect(passes(played.files, NODE_TEST)).toBe(true);
    expect([...toolsUsed(played)].sort()).toEqual([...ALL_TOOLS].sort());
  });

  it("meets a syntax error, a failing test and a refused edit on the way, and puts each right", async () => {
    const { turns } = await play({ model, task: tally.task });
    const texts = turns.flatMap((turn) => turn.results);
    expect(texts.filter((text) => /Syntax: 1 error/.test(text))).toHaveLength(1);
    expect(texts.filter((text) => /not accepted/.test(text))).toHaveLength(1);
    expect(texts.filter((text) => /matches \d+ times/.test(text))).toHaveLength(1);
  });

  it("repairs only what it is shown: with an evaluator that never looks the broken files stay", async () => {
    const played = await play({ model, task: tally.task, check: alwaysGreen });
    expect(played.accepted).toBe(tally.parts.length);
    expect(withNode(played.files, { paths: ["src/csv.js"], tests: false }).syntax.status).toBe("failed");
    expect(played.files.get("src/filter.js")).toContain("a.date > b.date");
  });

  it.each([1, 2, 3])("completes when every conversation is given up after %i turns", async (turnsPerConversation) => {
    const played = await play({ model, task: tally.task, turnsPerConversation });
    expect(played.accepted).toBe(tally.parts.length);
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });

  it("completes in fresh conversations that have a listing but no note", async () => {
    const played = await play({ model, task: tally.task, turnsPerConversation: 4, withoutNote: true });
    expect(played.accepted).toBe(tally.parts.length);
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });

  it("writes whole files where editing is not offered, and completes without looking or checking", async () => {
    const tools = ["write_files", "complete_instruction"];
    const played = await play({ model, task: tally.task, tools });
    expect([...toolsUsed(played)].sort()).toEqual([...tools].sort());
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });

  it.each([1, 3])("plays the whole scene in a program of at most %i instructions", async (steps) => {
    const played = await play({ model, task: tally.task, steps });
    expect(played.drafts.at(-1)?.instructions).toHaveLength(steps);
    expect(played.accepted).toBe(steps);
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });

  it("writes no program where it is asked to split an instruction", async () => {
    const splitting = { role: "user" as const, content: "Splitting instruction 2, which is stuck\n\n# Task\n\nAny." };
    const { text, toolCalls } = await model.ask(requestOf([splitting], ["write_program"]));
    expect(text).toBe("[rehearsal] No scene splits an instruction.");
    expect(toolCalls).toEqual([]);
  });

  it("plays for any task", async () => {
    const played = await play({ model, task: "Write a URL shortener.", check: alwaysGreen });
    expect(played.files.has("bin/tally.js")).toBe(true);
  });
});

describe("the Python scene", () => {
  it.skipIf(!hasPython)("ends with a project whose own tests pass (needs python3)", async () => {
    const played = await play({ model, task: twins.task, check: withPython });
    expect(played.accepted).toBe(twins.parts.length);
    expect(passes(played.files, ["python3", "-m", "unittest"])).toBe(true);
    expect(played.turns.flatMap((turn) => turn.results).filter((text) => /Syntax: 1 error/.test(text))).toHaveLength(1);
    expect(played.turns.flatMap((turn) => turn.results).filter((text) => /FAILED test_a_full/.test(text))).toHaveLength(
      1,
    );
  });

  it.skipIf(!hasPython)("completes in conversations of two turns (needs python3)", async () => {
    const played = await play({ model, task: twins.task, check: withPython, turnsPerConversation: 2 });
    expect(played.accepted).toBe(twins.parts.length);
  });
});

describe("the book", () => {
  it("has chapters of 250 to 400 words without a word about their making", async () => {
    const { files, accepted } = await play({ model, task: pigeonholes.task, check: alwaysGreen });
    expect(accepted).toBe(pigeonholes.parts.length);
    const chapters = [...files].filter(([path]) => path.startsWith("chapters/"));
    expect(chapters).toHaveLength(5);
    for (const [path, text] of chapters) {
      expect(text.split(/\s+/).filter(Boolean).length, path).toSatisfy((words: number) => words >= 250 && words <= 400);
      expect(text, path).toMatch(/^# \d\. [A-Z]/);
      expect(text, path).not.toMatch(
        /rehears|L2MAC|\bhere is (?:the|your)|chapter|instruction \d|language model|word count/i,
      );
    }
  });

  it("ends with chapters that agree and notes without an open line", async () => {
    const { files } = await play({ model, task: pigeonholes.task, check: alwaysGreen });
    expect([...files.values()].join("\n")).not.toMatch(/ninety holes/);
    expect(files.get("notes/continuity.md")).not.toMatch(/: open\./);
  });
});

describe("the scene for a tiny context window", () => {
  it("is several times what such a window holds, in one instruction", async () => {
    const { turns } = await play({ model, task: units.task, check: alwaysGreen });
    const last = turns.findLast((turn) => turn.instruction === 2);
    expect(last?.answer.usage.inputTokens).toBeGreaterThan(3 * 3_000);
  });

  it.each([1, 2, 5])("completes when every conversation is given up after %i turns", async (turnsPerConversation) => {
    const played = await play({ model, task: units.task, check: alwaysGreen, turnsPerConversation });
    expect(played.accepted).toBe(units.parts.length);
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });

  it("completes in short conversations that have a listing but no note", async () => {
    const staging = { model, task: units.task, check: alwaysGreen, turnsPerConversation: 2, withoutNote: true };
    const played = await play(staging);
    expect(played.accepted).toBe(units.parts.length);
    expect(passes(played.files, NODE_TEST)).toBe(true);
  });
});

const stepsOf = ({ program, parts }: Scene) => (program ? { parts } : {});

describe("every scene", () => {
  it.each(scenes.filter(({ startsFrom }) => startsFrom === undefined))(
    "$name says in its README that no language model wrote it",
    async (scene) => {
      const { files } = await play({ model, task: scene.task, check: alwaysGreen, ...stepsOf(scene) });
      expect(files.get("README.md")?.replace(/\s+/g, " ")).toMatch(
        /rehearsal of L2MAC.*not (?:written )?by a language model/,
      );
    },
  );

  it.each(scenes)("$name gives the same answer to the same request in any process", async (scene) => {
    const { turns } = await play({ model, task: scene.task, check: alwaysGreen, ...stepsOf(scene) });
    for (const { request, answer } of turns) {
      expect(await createRehearsalModel({ rehearsals }).ask(structuredClone(request))).toEqual(answer);
      expect(answer).toMatchObject({ model: "rehearsal", milliseconds: 0, finish: "tools" });
      expect(answer.text).toMatch(/^\[rehearsal\] /);
    }
  });
});

describe("a rehearsed model", () => {
  const opening = (heading: string) => [{ role: "user" as const, content: `# Task\n\nAnything\n\n${heading}` }];

  it("checks and completes in turn when it is out of beats, so that the machine sees a loop", async () => {
    const refuses = () => ({ ...alwaysGreen(new Map(), { paths: [], tests: true }), ...FAILED });
    const played = await play({ model, task: tally.task, check: refuses });
    expect(played.accepted).toBe(0);
    expect(refusals(played).length).toBeGreaterThan(5);
    const calls = played.turns.slice(-4).map((turn) => turn.answer.toolCalls[0]?.name);
    expect(new Set(calls)).toEqual(new Set(["run_checks", "complete_instruction"]));
  });

  it("completes at once an instruction that the scene does not have", async () => {
    const answer = await model.ask(requestOf(opening("Instruction 9 of 12: Add a web page"), ALL_TOOLS));
    expect(answer.toolCalls.map((call) => call.name)).toEqual(["complete_instruction"]);
  });

  it("looks at the files first where the opening does not show any", async () => {
    const answer = await model.ask(requestOf(opening("Instruction 3 of 7: Anything"), ALL_TOOLS));
    expect(answer.toolCalls.map((call) => call.name)).toEqual(["list_files"]);
  });

  it("answers in prose where there is nothing to play", async () => {
    const answer = await model.ask(requestOf([{ role: "user", content: "Hello" }], ALL_TOOLS));
    expect(answer).toMatchObject({ finish: "stop", toolCalls: [] });
  });

  it("is cut where its answer is longer than allowed, and plays the beat again when it may say more", async () => {
    const request = requestOf(opening("Instruction 1 of 3: Lay the ground for tables of units"), ALL_TOOLS);
    const short = await model.ask({ ...request, maxOutputTokens: 100 });
    expect(short).toMatchObject({ finish: "cut", usage: { outputTokens: 100 } });
    expect(() => JSON.parse(short.toolCalls[0]?.arguments ?? "")).toThrow(SyntaxError);
    const again = [
      ...request.messages,
      { role: "assistant" as const, content: short.text, toolCalls: short.toolCalls },
    ];
    expect((await model.ask({ ...request, messages: again })).toolCalls[0]?.name).toBe("write_files");
  });

  it("counts a token for every four bytes of request and answer", async () => {
    const request = requestOf(opening("Instruction 9 of 12: Add a web page"), ALL_TOOLS);
    const { usage, text, toolCalls } = await model.ask(request);
    const { messages, tools } = request;
    expect(usage.inputTokens).toBe(Math.ceil(JSON.stringify({ messages, tools }).length / 4));
    expect(usage.outputTokens).toBe(Math.ceil(JSON.stringify({ text, toolCalls }).length / 4));
    expect(usage.cachedTokens).toBe(0);
  });
});

const FAILED = {
  tests: {
    status: "failed" as const,
    passed: 0,
    failed: 1,
    errors: 0,
    skipped: 0,
    cases: [{ name: "something unforeseen", status: "failed" as const }],
    output: "",
  },
};
