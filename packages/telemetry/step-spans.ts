/** Spans of steps: from the event that begins an instruction in a lane to the one that ends it. */
import type { Event } from "../../lib/core/run/event.ts";
import { type Attributes, keyValues, SPAN_KIND, type Span, type SpanEvent, spanIdOf, unixNano } from "./otlp.ts";

export interface StepParts {
  runId: string;
  /** The span that it belongs to. */
  parent(): string;
  add(seq: number, span: Omit<Span, "traceId">): void;
}

export interface StepSpans {
  read(event: Event): void;
  /** The span of the step, which this event opens if there is none. */
  stepOf(event: { instruction: number; lane?: number | undefined; seq: number }, start: number): string;
  /** Whatever is open ends with the run. */
  endAll(event: Event): void;
}

interface OpenStep {
  seq: number;
  start: number;
  instruction: number;
  lane: number;
  parent: string;
  events: SpanEvent[];
}

/** The run itself. */
const FIRST_LANE = 1;
/** A call may be made again for days. */
const EVENTS = 128;

export function createStepSpans({ runId, parent, add }: StepParts): StepSpans {
  const steps = new Map<string, OpenStep>();
  const keyOf = (instruction: number, lane = FIRST_LANE): string => `${lane}/${instruction}`;

  const open = (of: { instruction: number; lane?: number | undefined; seq: number }, start: number): OpenStep => {
    const { instruction, lane = FIRST_LANE, seq } = of;
    const key = keyOf(instruction, lane);
    const step = steps.get(key) ?? { seq, start, instruction, lane, parent: parent(), events: [] };
    steps.set(key, step);
    return step;
  };
  const note = (step: OpenStep, event: Event, attributes: Attributes = {}): void => {
    if (step.events.length < EVENTS)
      step.events.push({
        timeUnixNano: unixNano(Date.parse(event.at)),
        name: event.type,
        attributes: keyValues(attributes),
      });
  };
  const end = (of: { instruction: number; lane?: number | undefined }, event: Event, result: StepResult): void => {
    const key = keyOf(of.instruction, of.lane);
    const step = steps.get(key);
    if (!step) return;
    steps.delete(key);
    add(event.seq, stepSpan({ runId, step, event, result }));
  };
  const begin = (of: { instruction: number; lane?: number | undefined }, event: Event): void => {
    const step = open({ ...of, seq: event.seq }, Date.parse(event.at));
    if (step.seq !== event.seq) note(step, event);
  };

  return {
    stepOf: (of, start) => spanIdOf(runId, "step", open(of, start).seq),
    read(event) {
      if (event.type === "planning") return begin({ instruction: 0 }, event);
      if (event.type === "program") return end({ instruction: 0 }, event, planned(event));
      if (event.type === "instruction_started") return begin(event, event);
      // What another lane finished is judged and packed by the first one.
      if (event.type === "joined") return begin({ instruction: event.instruction }, event);
      // The run itself goes on: its step has an event of its own.
      if (event.type === "resumed" || !("instruction" in event)) return;
      const result = resultOf(event);
      if (result) return end(event, event, result);
      const noted = notedOf(event);
      if (!noted) return;
      const step = steps.get(keyOf(event.instruction, "lane" in event ? event.lane : undefined));
      if (step) note(step, event, noted);
    },
    endAll(event) {
      for (const step of [...steps.values()]) end(step, event, { outcome: "interrupted" });
    },
  };
}

interface StepResult {
  outcome: string;
  attributes?: Attributes;
  /** Why it counts as an error. */
  error?: string;
}

const planned = ({ instructions, requirements }: Extract<Event, { type: "program" }>): StepResult => ({
  outcome: "planned",
  attributes: { "l2mac.program.instructions": instructions, "l2mac.program.requirements": requirements },
});

/** Of the events that end a step. */
function resultOf(event: Event): StepResult | undefined {
  switch (event.type) {
    case "instruction_accepted":
      return {
        outcome: event.unchecked ? "unchecked" : "accepted",
        attributes: {
          "l2mac.tests.passed": event.tests.passed,
          "l2mac.tests.total": event.tests.total,
          "l2mac.turns": event.turns,
          "l2mac.cost.usd": event.microUsd / 1e6,
          "l2mac.files.written": event.filesWritten,
        },
      };
    case "trapped":
      return { outcome: "stuck", error: event.trap.kind };
    case "instruction_skipped":
    case "split":
    case "finished":
      return { outcome: OUTCOMES[event.type] };
    case "dropped":
    case "halted":
      return { outcome: event.type, error: event.type };
    default:
      return undefined;
  }
}

const OUTCOMES = { instruction_skipped: "skipped", split: "split", finished: "finished" } as const;

/** Of the events that happen to a step, without the texts of models and servers. */
function notedOf(event: Event): Attributes | undefined {
  if (event.type === "retry") return { "l2mac.tries": event.tries, "l2mac.wait_ms": event.milliseconds };
  if (event.type === "loop") return { "l2mac.turn": event.turn, "l2mac.loop.measure": event.measure };
  if (event.type === "restarted") return { "l2mac.turn": event.turn };
  if (event.type === "amended") return { "l2mac.turn": event.turn, "l2mac.amendments": event.amendments.length };
  if (event.type === "made") return { "l2mac.made": event.decision };
  return undefined;
}

function stepSpan(given: { runId: string; step: OpenStep; event: Event; result: StepResult }): Omit<Span, "traceId"> {
  const { runId, step, event, result } = given;
  const agent = step.instruction === 0 ? "planner" : `instruction ${step.instruction}`;
  return {
    spanId: spanIdOf(runId, "step", step.seq),
    parentSpanId: step.parent,
    name: `invoke_agent ${agent}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: unixNano(step.start),
    endTimeUnixNano: unixNano(Math.max(step.start, Date.parse(event.at))),
    attributes: keyValues({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent,
      "l2mac.run.id": runId,
      "l2mac.instruction": step.instruction,
      "l2mac.lane": step.lane,
      "l2mac.step.outcome": result.outcome,
      ...result.attributes,
      "error.type": result.error,
    }),
    events: step.events,
    ...(result.error === undefined ? {} : { status: { code: 2, message: result.error } }),
  };
}
