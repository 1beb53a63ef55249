/** The state machine on a second interpreter of its language, which was not written here: moto's. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../../../lib/core/text/json.ts";
import { loadDefinition } from "../../../../lib/engine/asl-definition.ts";
import type { TaskFunction } from "../../../../lib/engine/asl-invoke.ts";
import { createEngine } from "../../../../lib/engine/engine.ts";
import { createVirtualClock } from "../../../../test/virtual-clock.ts";
import { lanePlays } from "./lane-plays.ts";
import { anyPlays, controlUnitPlays, languagePlays, type Play } from "./plays.ts";

const Trace = z.object({
  states: z.array(z.string()),
  calls: z.array(z.object({ task: z.string(), payload: z.json() })),
  /** Seconds: of Wait states, and before retries. */
  slept: z.array(z.number()),
  status: z.string(),
  output: z.json(),
  error: z.string().nullable(),
  cause: z.string().nullable(),
  events: z.int(),
});
type Trace = z.infer<typeof Trace>;
const Traces = z.array(z.union([Trace, z.object({ refused: z.string() })]));

const folder = process.env.L2MAC_EMULATORS;
const python = join(folder ?? "", "moto/bin/python");
const plays = [...languagePlays, ...controlUnitPlays, ...lanePlays, ...anyPlays(60)];

function playThere(): z.infer<typeof Traces> {
  const program = fileURLToPath(new URL("play.py", import.meta.url));
  const input = JSON.stringify({ plays });
  const { stdout, stderr, status } = spawnSync(python, [program], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return Traces.parse(JSON.parse(stdout));
}

async function playHere({ definition, input, answers }: Play): Promise<Trace> {
  const clock = createVirtualClock();
  const trace: Pick<Trace, "states" | "calls" | "slept"> = { states: [], calls: [], slept: [] };
  const answering =
    (name: string): TaskFunction =>
    async (payload) => {
      const { lane } = Object(payload) as { lane?: number };
      const task = lane === undefined ? name : `${name}/${lane}`;
      const list = answers[task] ?? [];
      const answer = list[Math.min(trace.calls.filter((call) => call.task === task).length, list.length - 1)];
      trace.calls.push({ task, payload });
      if (!answer || "never" in answer) return new Promise<Json>(() => {});
      if ("error" in answer) throw Object.assign(new Error(answer.message), { name: answer.error });
      return answer.answer;
    };
  const engine = createEngine({
    definition: loadDefinition(definition, {}),
    tasks: Object.fromEntries(
      Object.keys(answers).flatMap((task) => (task.includes("/") ? [] : [[task, answering(task)]])),
    ),
    clock,
    random: () => 1,
    observe: ({ kind, state }) => void (kind === "entered" && trace.states.push(state)),
    wait: async (milliseconds) => void trace.slept.push(milliseconds / 1000),
  });
  const { status, output, error, cause, events } = await engine.execute({
    ...{ name: "x", input, signal: new AbortController().signal },
  });
  return { ...trace, status, output: output ?? null, error: error ?? null, cause: cause ?? null, events };
}

/** Where moto does less than the service: its documentation decides for our engine. */
const MOTO_LACKS: Record<string, string> = {
  "Assign and Output see the variables of before": "Output sees the new values",
  "no rule holds": "States.Runtime instead of States.NoChoiceMatched",
  "a condition that is no truth value": "States.Runtime instead of States.QueryEvaluationError",
  "cannot wait {% 1.5 %}": "any value is waited for",
  "cannot wait {% -1 %}": "any value is waited for",
  "cannot wait {% '9' %}": "any value is waited for",
  "cannot wait {% 100000000 %}": "any value is waited for",
};

/** What lanes do at the same time has no order. */
function ordered({ answers, races }: Play, trace: z.infer<typeof Traces>[number] | undefined): unknown {
  if (!trace || "refused" in trace || !Object.keys(answers).some((task) => task.includes("/"))) return trace;
  const { states, calls, slept, ...end } = trace;
  if (races) return { ...end, events: 0, recorded: calls.filter(({ task }) => task === "record-failure") };
  const sorted = calls.map((call) => JSON.stringify(call)).toSorted();
  return { ...end, states: states.toSorted(), calls: sorted, slept: slept.toSorted((one, other) => one - other) };
}

/** Without what a service adds to an error's words, and what an evaluator of JSONata says about an expression. */
const comparable = (trace: unknown): string =>
  JSON.stringify(trace)
    .replaceAll(/ \(Service: [^)]*\)/g, "")
    .replaceAll(/' (?:failed: |returned nothing)(?:[^"\\]|\\.)*/g, "'")
    .replaceAll('"cause":""', '"cause":null');

describe.skipIf(!existsSync(python))("the state machine on moto's interpreter (needs L2MAC_EMULATORS)", () => {
  it("goes through the same states, with the same payloads, delays and end, as on our own", async () => {
    const there = playThere();
    const here = await Promise.all(plays.map(playHere));
    const unlike = plays.flatMap((play, index) => {
      const { name } = play;
      const [ours, theirs] = [ordered(play, here[index]), ordered(play, there[index])];
      return comparable(ours) === comparable(theirs) ? [] : [{ name, ours, theirs }];
    });
    expect(unlike.filter(({ name }) => !(name in MOTO_LACKS))).toEqual([]);
    expect(unlike.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(MOTO_LACKS)));
  });
});
