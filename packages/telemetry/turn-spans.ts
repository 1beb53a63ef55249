/** Spans of turns and of their calls. A turn ends with its transaction, which holds its verdicts after it. */
import type { Event } from "../../lib/core/run/event.ts";
import type { ModelProfile } from "../../lib/core/turn/model-profile.ts";
import { type Attributes, keyValues, SPAN_KIND, type Span, spanIdOf, unixNano } from "./otlp.ts";
import type { TracedRun } from "./run-trace.ts";
import type { StepSpans } from "./step-spans.ts";

type TurnEvent = Extract<Event, { type: "turn" }>;
type VerdictEvent = Extract<Event, { type: "verdict" }>;

interface TurnParts extends Pick<StepSpans, "stepOf"> {
  runId: string;
  add(seq: number, span: Omit<Span, "traceId">): void;
}

export function createTurnSpans({ runId, stepOf, add }: TurnParts) {
  let held: { event: TurnEvent; run: TracedRun; verdicts: VerdictEvent[] } | undefined;
  return {
    add(event: TurnEvent, run: TracedRun): void {
      held = { event, run, verdicts: [] };
    },
    judge(event: VerdictEvent): void {
      held?.verdicts.push(event);
    },
    /** No more verdicts of the turn will come. */
    flush(): void {
      if (!held) return;
      const { event, run, verdicts } = held;
      held = undefined;
      const times = timesOf(event);
      const turnId = spanIdOf(runId, "turn", event.seq);
      add(event.seq, {
        spanId: turnId,
        parentSpanId: stepOf(event, times.start),
        ...turnSpan(event, { runId, times, verdicts }),
      });
      if (isAsked(event)) {
        const spanId = spanIdOf(runId, "call", event.seq);
        add(event.seq, { spanId, parentSpanId: turnId, ...callSpan(event, run, times) });
      }
    },
  };
}

/** Some turns are made without a model. */
const isAsked = ({ inputTokens, outputTokens }: TurnEvent): boolean => inputTokens + outputTokens > 0;

interface Times {
  start: number;
  answered: number;
  end: number;
}

/** Events of earlier versions do not say when the answer came. */
function timesOf({ at, answeredAt = at, milliseconds }: TurnEvent): Times {
  const end = Date.parse(at);
  const answered = Math.min(end, Date.parse(answeredAt));
  return { start: answered - milliseconds, answered, end };
}

interface JudgedTurn {
  runId: string;
  times: Times;
  verdicts: VerdictEvent[];
}

type Shown = Omit<Span, "traceId" | "spanId" | "parentSpanId">;

function turnSpan(event: TurnEvent, { runId, times, verdicts }: JudgedTurn): Shown {
  const last = verdicts.at(-1);
  return {
    name: "turn",
    kind: SPAN_KIND.internal,
    startTimeUnixNano: unixNano(times.start),
    endTimeUnixNano: unixNano(times.end),
    attributes: keyValues({
      "l2mac.run.id": runId,
      "l2mac.instruction": event.instruction,
      "l2mac.turn": event.turn,
      "l2mac.lane": event.lane,
      "l2mac.turn.outcome": event.outcome,
      "l2mac.context_tokens": event.contextTokens,
      ...(last && verdictAttributes(last)),
    }),
    events: event.tools.map(({ name, ok, files }) => ({
      timeUnixNano: unixNano(times.end),
      name: "tool",
      attributes: keyValues({ "gen_ai.tool.name": name, "l2mac.tool.ok": ok, "l2mac.tool.files": files }),
    })),
  };
}

const verdictAttributes = ({ syntax, tests, passed, failed, errors, gate }: VerdictEvent): Attributes => ({
  "l2mac.verdict.syntax": syntax,
  "l2mac.verdict.tests": tests,
  "l2mac.verdict.gate": gate,
  "l2mac.verdict.passed": passed,
  "l2mac.verdict.failed": failed,
  "l2mac.verdict.errors": errors,
});

function callSpan(event: TurnEvent, run: TracedRun, times: Times): Shown {
  const model = event.model ?? run.profile.model;
  const error = ERRORS[event.outcome];
  return {
    name: `chat ${model}`,
    kind: SPAN_KIND.client,
    startTimeUnixNano: unixNano(times.start),
    endTimeUnixNano: unixNano(times.answered),
    attributes: keyValues({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": providerOf(model, run),
      "gen_ai.request.model": model,
      "gen_ai.response.model": event.answeredBy ?? model,
      // Each instruction is a conversation.
      "gen_ai.conversation.id": `${run.id}/${event.instruction}`,
      "gen_ai.usage.input_tokens": event.inputTokens,
      "gen_ai.usage.output_tokens": event.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": event.cachedTokens,
      "l2mac.cost.usd": event.microUsd / 1e6,
      "l2mac.cost.reserved": event.reserved,
      "l2mac.run.id": run.id,
      "error.type": error,
    }),
    ...(error === undefined ? {} : { status: { code: 2, message: error } }),
  };
}

const ERRORS: Readonly<Record<string, string>> = { timed_out: "timeout", context_exceeded: "context_exceeded" };

const PROVIDERS: Readonly<Record<NonNullable<ModelProfile["api"]>, string>> = {
  responses: "openai",
  messages: "anthropic",
  converse: "aws.bedrock",
  "bedrock-chat": "aws.bedrock",
  gemini: "gcp.gemini",
  openrouter: "openrouter",
};

/** Servers that speak Chat Completions count as OpenAI's, as the convention says. */
function providerOf(model: string, run: TracedRun): string {
  if (model === "rehearsal") return "l2mac";
  const { api } = (run.models ?? []).find((each) => each.model === model) ?? run.profile;
  return api === undefined ? "openai" : PROVIDERS[api];
}
