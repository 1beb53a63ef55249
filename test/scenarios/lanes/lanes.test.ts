/** Instructions that do not need each other are executed side by side, and join in the order of the program. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { NotReady } from "../../../lib/core/errors.ts";
import type { ModelRequest } from "../../../lib/core/ports.ts";
import { look, throughDeaths } from "../../doubles/deaths.ts";
import { obey, parts, programIn, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { aSubmission, compute, nothingToCheck, type TestMachine } from "../../doubles/machines.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../../doubles/scripted-model.ts";

const { opened: open } = openedMachines();
const opened: typeof open = (parts) => open({ clock: nappingClock, ...parts });

describe("a run with lanes", () => {
  it("executes what does not need each other ahead, and joins it in order", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const run = await compute(machine, await submissionOf(parts(6), 3));
    const { events, tree, instructions } = await look(machine, run.id);
    expect(run.status).toBe("completed");
    expect(Object.keys(tree).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `src/p${n}.txt`));
    expect(instructions.every(({ status }) => status === "accepted")).toBe(true);
    expect(events.filter(({ type }) => type === "joined").length).toBeGreaterThan(0);
  });

  it("is replayed with no difference", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const run = await compute(machine, await submissionOf(parts(6), 3));
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
  });

  it("executes again what read a file that was changed meanwhile, and says so", async () => {
    const reads = (request: ModelRequest): Said => {
      const { answers } = placeOf(request);
      const isReader = textOf(request).includes(": Reader\n");
      if (isReader && answers === 0) return { calls: [["read_files", { paths: ["shared.txt"] }]] };
      if (isReader && answers === 1) return { calls: [writeFile("copy.txt", "copied\n")] };
      return obey(request);
    };
    const machine = opened({ model: scriptedModel(reads) });
    const instructions = [
      { id: "a", title: "Writer", text: "write shared.txt one" },
      { id: "b", needs: [], title: "Reader", text: "Copy shared.txt." },
    ];
    const run = await compute(machine, await submissionOf(instructions, 2));
    const { events, tree } = await look(machine, run.id);
    expect(run.status).toBe("completed");
    expect(events.find(({ type }) => type === "dropped")).toMatchObject({ instruction: 2, lane: 2 });
    expect(tree).toMatchObject({ "copy.txt": "copied\n", "shared.txt": "one\n" });
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("waits for what it needs, however many lanes there are", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const chain = [0, 1, 2].map((n) => ({
      id: `c${n}`,
      title: `Chain ${n}`,
      text: `write c${n}.txt ${n}`,
      ...(n > 0 ? { needs: [`c${n - 1}`] } : {}),
    }));
    const run = await compute(machine, await submissionOf(chain, 4));
    const { events } = await look(machine, run.id);
    expect(run.status).toBe("completed");
    expect(events.some(({ type }) => type === "joined")).toBe(false);
  });

  it("ends a lane once what is left needs all that is before it, so that the run does not wait for it", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const part = (id: string, needs: string[]) => ({ id, needs, title: id, text: `write ${id}.txt ${id}` });
    const program = [part("a", []), part("b", ["a"]), part("c", ["a"]), part("d", ["b", "c"]), part("e", ["d"])];
    const { id: runId } = await machine.submit(await submissionOf(program, 2));
    const { plan, execute } = createHandlers(machine.world);
    const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };
    const lane = (number: number) => execute({ runId, epoch: 1, lane: number }, invocation);
    await plan({ runId, epoch: 1 }, invocation);
    expect(await lane(2)).toMatchObject({ next: "wait" });
    expect(await lane(1)).toEqual({ next: "execute" });
    expect(await lane(2)).toEqual({ next: "execute" });
    expect(await lane(2)).toEqual({ next: "stop" });
  });

  it("counts the answer of a lane that gives its instruction up while the evaluator is not ready", async () => {
    const notReady = (): never => {
      throw new NotReady("it starts", 1_000);
    };
    const machine = opened({ model: scriptedModel(obey), evaluator: { ...nothingToCheck, evaluate: notReady } });
    const { id: runId } = await machine.submit(await submissionOf(parts(2), 2));
    const { plan, execute } = createHandlers(machine.world);
    const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };
    const lane = (idle: number) => execute({ runId, epoch: 1, lane: 2, idle }, invocation);
    await plan({ runId, epoch: 1 }, invocation);
    // Its waits before count for nothing: it looks again at once.
    expect(await lane(7)).toEqual({ next: "execute" });
    for (const idle of [0, 1, 2, 3, 4]) expect(await lane(idle)).toEqual({ next: "wait", waitSeconds: 1 });
    expect((await look(machine, runId)).events.some(({ type }) => type === "dropped")).toBe(false);
    await lane(5);
    const { events, run } = await look(machine, runId);
    expect(events.filter(({ type }) => type === "dropped")).toHaveLength(1);
    const turns = events.flatMap((event) => (event.type === "turn" ? [event] : []));
    expect(turns).toMatchObject([{ instruction: 2, turn: 1, outcome: "unused", microUsd: run.microUsd }]);
    expect(run.turns).toBe(1);
  });

  it("never reserves beyond its ceiling, and uses most of it", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const whole = await compute(machine, await submissionOf(parts(8), 1));
    const tokens = Math.floor((whole.inputTokens + whole.outputTokens) * 0.7);
    const limited = await aSubmission({
      options: { reflect: 0, parallel: 8, budget: { tokens } },
      submission: { program: programIn(parts(8)) },
    });
    const run = await compute(opened({ model: scriptedModel(obey) }), limited);
    expect(run).toMatchObject({ status: "partial", reason: "tokens" });
    expect(run.inputTokens + run.outputTokens).toBeLessThanOrEqual(tokens);
  });

  it("ends with the same files, in every place that its process is killed", async () => {
    const homes: TestMachine[] = [];
    const mortal = { submission: await submissionOf(parts(4), 2), model: () => scriptedModel(obey), homes };
    const whole = await throughDeaths(mortal, []);
    for (let call = 3; call < whole.boundaries; call += 19) {
      const died = await throughDeaths(mortal, [{ call, when: call % 2 === 0 ? "before" : "after" }]);
      expect(died.run.status, `killed at call ${call}`).toBe("completed");
      expect(died.hash, `killed at call ${call}`).toBe(whole.hash);
      expect(died.run.calls).toBeLessThanOrEqual(whole.run.calls + 2);
    }
    for (const home of homes) home.close();
  });
});
