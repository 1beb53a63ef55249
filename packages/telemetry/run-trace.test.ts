import { describe, expect, it } from "vitest";
import type { Event, EventBody } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { throughDeaths } from "../../test/doubles/deaths.ts";
import { obey, parts, submissionOf } from "../../test/doubles/lane-programs.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../../test/doubles/machines.ts";
import { openedMachines } from "../../test/doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../../test/doubles/scripted-model.ts";
import { flawsIn, pathsIn, spansOf, valuesOf } from "../../test/doubles/traces.ts";
import type { Span } from "./otlp.ts";
import { createRunTrace } from "./run-trace.ts";

const { machines, opened } = openedMachines();
const SECRET = "the text of the task";
const files = (instruction: number) => [{ path: `f${instruction}.txt`, content: `${SECRET} ${instruction}\n` }];

const spanNamed = (spans: Span[], name: string): Span => {
  const span = spans.find((each) => each.name === name);
  if (!span) throw new Error(`There is no span ${name}.`);
  return span;
};

/** Ids, and what they are of. */
const idsOf = (spans: Span[]) =>
  spans.map(({ traceId, spanId, parentSpanId, name }) => [traceId, spanId, parentSpanId, name]);

describe("the trace of a run", () => {
  it("holds run, steps, turns and calls, each within the other, with tokens, cost and verdicts", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ task: SECRET }));
    const spans = await spansOf(machine.registry, run.id);
    expect(flawsIn(spans)).toEqual([]);
    const root = "invoke_workflow codebase";
    const steps = ["instruction 1", "instruction 2", "planner"].map((agent) => `${root} > invoke_agent ${agent}`);
    const within = (step: string) => [step, `${step} > turn`, `${step} > turn > chat ${run.profile.model}`];
    expect(pathsIn(spans)).toEqual([root, ...steps.flatMap(within)]);
    const calls = spans.filter(({ kind }) => kind === 3).map(({ attributes }) => valuesOf(attributes));
    expect(calls).toHaveLength(run.calls);
    const sum = (key: string) => calls.reduce((total, call) => total + Number(call[key]), 0);
    expect([sum("gen_ai.usage.input_tokens"), sum("gen_ai.usage.output_tokens")]).toEqual([
      run.inputTokens,
      run.outputTokens,
    ]);
    expect(sum("l2mac.cost.usd")).toBeCloseTo(run.microUsd / 1e6, 9);
    expect(calls[0]).toMatchObject({
      ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai" },
      ...{ "gen_ai.request.model": run.profile.model, "gen_ai.response.model": "scripted" },
    });
    expect(valuesOf(spanNamed(spans, root).attributes)).toMatchObject({
      ...{ "l2mac.run.status": "completed", "l2mac.turns": run.turns, "gen_ai.usage.input_tokens": run.inputTokens },
    });
    const judged = spans.filter(({ name }) => name === "turn").map(({ attributes }) => valuesOf(attributes));
    expect(judged).toContainEqual(expect.objectContaining({ "l2mac.verdict.gate": "accepted" }));
    expect(JSON.stringify(spans)).not.toContain(SECRET);
  });

  it("has the same ids after the process was killed at any call, however it is cut into pieces", async () => {
    const submission = await aSubmission({});
    const model = () => scriptedModel(writerOf(2, files));
    for (const call of [15, 40, 65]) {
      const homes: TestMachine[] = [];
      const { run, events } = await throughDeaths({ submission, model, homes }, [{ call, when: "after" }]);
      machines.push(...homes);
      const spans = foldedOver(events, run, events.length);
      expect(flawsIn(spans)).toEqual([]);
      // In pieces of any size, as several processes would.
      for (const size of [1, 3]) expect(idsOf(foldedOver(events, run, size))).toEqual(idsOf(spans));
      const resumed = valuesOf(spanNamed(spans, "invoke_workflow codebase").attributes);
      expect(resumed["l2mac.run.status"]).toBe("completed");
    }
  });

  it("has a step for each lane, and one in the run where it joins", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const run = await compute(machine, await submissionOf(parts(4), 2));
    const spans = await spansOf(machine.registry, run.id);
    expect(flawsIn(spans)).toEqual([]);
    const steps = spans.filter(({ name }) => name.startsWith("invoke_agent instruction"));
    const lanes = steps.map(({ attributes }) => valuesOf(attributes)["l2mac.lane"]);
    expect(new Set(lanes)).toEqual(new Set([1, 2]));
    const turns = spans.filter(({ name }) => name === "turn");
    const laneOfStep = new Map(steps.map(({ spanId, attributes }) => [spanId, valuesOf(attributes)["l2mac.lane"]]));
    for (const { parentSpanId = "", attributes } of turns)
      if (laneOfStep.has(parentSpanId))
        expect(laneOfStep.get(parentSpanId)).toBe(valuesOf(attributes)["l2mac.lane"] ?? 1);
  });

  it("goes on in the same trace where a run is resumed after its end, within its first span", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)) });
    const ended = await compute(machine, await aSubmission({ options: { budget: { turns: 4 } } }));
    expect(ended.status).toBe("partial");
    const before = await spansOf(machine.registry, ended.id);
    const [root] = before.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(root?.status?.code).toBe(2);
    await machine.resume(ended.id, { budget: { turns: 20 } });
    await machine.compute(ended.id, new AbortController().signal);
    const after = await spansOf(machine.registry, ended.id);
    expect(idsOf(after).slice(0, before.length)).toEqual(idsOf(before));
    const [goneOn] = after.filter(({ parentSpanId }) => parentSpanId === root?.spanId).slice(-1);
    expect(goneOn && valuesOf(goneOn.attributes)).toMatchObject({ "l2mac.run.continued": true });
  });

  it("is linked to that of the run which a fork comes from", () => {
    const run = { id: "01FORK", name: "fork", options: { domain: "codebase" }, profile: { model: "m" } } as Run;
    const forked: EventBody[] = [
      { type: "created", task: "x" },
      { ...{ type: "forked", run: "01FROM", point: "1", inherited: 1, turns: 1 }, ...{ microUsd: 1, instructions: 2 } },
      { type: "ended", status: "completed", detail: "" },
    ];
    const events = forked.map((body, at) => ({ ...body, seq: at + 1, at: "2026-03-01T12:00:00.000Z" }) as Event);
    const from = [events[0], events[2]].flatMap((event) => event ?? []);
    const [origin] = foldedOver(from, { ...run, id: "01FROM" }, 9);
    const [{ links = [] } = {} as Span] = foldedOver(events, run, 9);
    expect(links).toEqual([{ traceId: origin?.traceId, spanId: origin?.spanId }]);
  });
});

/** Looked at after so many events at a time, each time with all that is known by then. */
function foldedOver(events: Event[], run: Run, size: number): Span[] {
  const trace = createRunTrace(run.id);
  return events.flatMap((event, at) => {
    trace.read(event, run);
    // A transaction is seen whole.
    const isWhole = (at + 1) % size === 0 && events[at + 1]?.at !== event.at;
    return isWhole || at === events.length - 1 ? trace.take(true).map(({ span }) => span) : [];
  });
}
