import { describe, expect, it } from "vitest";
import { aSubmission, compute } from "../../test/doubles/machines.ts";
import { openedMachines } from "../../test/doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../../test/doubles/scripted-model.ts";
import { spansOf } from "../../test/doubles/traces.ts";
import { createSpanExporter } from "./export-spans.ts";
import type { Span } from "./otlp.ts";
import type { SendResult } from "./send-spans.ts";

const { opened } = openedMachines();
const namesOf = (spans: Span[]) => spans.map(({ spanId }) => spanId);

async function aRunOf(instructions: number) {
  const machine = opened({
    model: scriptedModel(writerOf(instructions, (n) => [{ path: `${n}.txt`, content: "x\n" }])),
  });
  const run = await compute(machine, await aSubmission({}));
  return { source: machine.registry, run, all: await spansOf(machine.registry, run.id) };
}

/** Keeps what it is sent, and answers as the test says. */
function aCollector(answers: SendResult[] = []) {
  const sent: Span[][] = [];
  return {
    sent,
    async send(spans: Span[]): Promise<SendResult> {
      sent.push(spans);
      return answers.shift() ?? { ok: true, rejected: 0 };
    },
  };
}

describe("the exporter", () => {
  it("sends each span once, also if several processes send one after the other", async () => {
    const { source, run, all } = await aRunOf(2);
    const { sent, send } = aCollector();
    expect(await createSpanExporter({ source, send }).export(run.id)).toEqual({ done: true });
    expect(await createSpanExporter({ source, send }).export(run.id)).toEqual({ done: true });
    expect(namesOf(sent.flat())).toEqual(namesOf(all));
    expect(await source.sentSpans(run.id)).toBe(all.length > 0 ? run.events : 0);
  });

  it("keeps what was not taken, and sends it after the pause that was asked for", async () => {
    const { source, run, all } = await aRunOf(1);
    const { sent, send } = aCollector([{ ok: false, why: "c: it answered 429", again: { afterMs: 60_000 } }]);
    let now = 0;
    const exporter = createSpanExporter({ source, send, now: () => now });
    expect(await exporter.export(run.id)).toEqual({ done: false, why: "c: it answered 429" });
    now = 59_999;
    expect(await exporter.export(run.id)).toEqual({ done: false });
    expect(sent).toHaveLength(1);
    now = 60_000;
    expect(await exporter.export(run.id)).toEqual({ done: true });
    expect(namesOf(sent.at(-1) ?? [])).toEqual(namesOf(all));
  });

  it("says what was rejected, and does not send it again", async () => {
    const { source, run } = await aRunOf(1);
    const { sent, send } = aCollector([{ ok: true, rejected: 2, why: "c: it rejected 2 of 9 spans" }]);
    const exporter = createSpanExporter({ source, send });
    expect(await exporter.export(run.id)).toEqual({ done: true, why: "c: it rejected 2 of 9 spans" });
    expect(await exporter.export(run.id)).toEqual({ done: true });
    expect(sent).toHaveLength(1);
  });

  it("sends a long run in batches, those of an event together, with a bounded number in memory", async () => {
    const { source, run } = await aRunOf(1);
    const [turn] = (await source.events(run.id, { after: 0, limit: 99 })).filter(({ type }) => type === "turn");
    if (!turn) throw new Error("There is no turn.");
    const many = Array.from({ length: 2_000 }, (_, at) => ({ ...turn, seq: at + 100 }));
    const events = [...(await source.events(run.id, { after: 0, limit: 3 })), ...many];
    const long = {
      ...source,
      events: async (_id: string, { after, limit }: { after: number; limit: number }) =>
        events.filter(({ seq }) => seq > after).slice(0, limit),
    };
    const { sent, send } = aCollector();
    expect(await createSpanExporter({ source: long, send }).export(run.id)).toEqual({ done: true });
    expect(sent.flat().length).toBeGreaterThan(4_000);
    for (const batch of sent) expect(batch.length).toBeLessThanOrEqual(514);
    expect(new Set(namesOf(sent.flat())).size).toBe(sent.flat().length);
  });

  it("fails no run that is deleted meanwhile, and leaves nothing of it", async () => {
    const { source, run } = await aRunOf(1);
    await source.beginDeletion(run);
    const { send } = aCollector();
    await createSpanExporter({ source, send }).export(run.id);
    expect(await source.sentSpans(run.id)).toBe(0);
  });
});
