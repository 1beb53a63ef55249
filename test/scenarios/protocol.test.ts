/** The protocols where they are put to the test: races, limits, recoveries and replays that ordinary runs seldom meet. */
import { afterEach, describe, expect, it } from "vitest";
import { aMachine, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
afterEach(() => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
});

function opened(parts: Parameters<typeof aMachine>[0]): TestMachine {
  const machine = aMachine(parts);
  machines.push(machine);
  return machine;
}

const oneFile = (instruction: number) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }];
const never = new AbortController().signal;

describe("a run in the moment before it is computed", () => {
  it("is not taken for dead by another command, neither when it is new nor when it was resumed", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, oneFile)) });
    const other = opened({ model: scriptedModel(writerOf(1, oneFile)), home: machine.home });
    const run = await machine.submit(await aSubmission({}));
    await other.sweep();
    expect(await machine.registry.run(run.id)).toMatchObject({ status: "queued", epoch: 1 });
    const stop = new AbortController();
    stop.abort();
    expect(await machine.compute(run.id, stop.signal)).toMatchObject({ status: "waiting", reason: "interrupted" });
    await machine.resume(run.id, {});
    await other.sweep();
    await expect(other.resume(run.id, {})).rejects.toThrow(/computed by another/);
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("is swept when the machine that had it was closed", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, oneFile)) });
    const other = opened({ model: scriptedModel(writerOf(1, oneFile)), home: machine.home });
    const run = await machine.submit(await aSubmission({}));
    machines.splice(machines.indexOf(machine), 1)[0]?.close();
    await other.sweep();
    expect(await other.registry.run(run.id)).toMatchObject({ status: "waiting", reason: "interrupted" });
  });
});
