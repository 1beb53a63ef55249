/** The trace of a run, made from its events: run → step → turn → call. The same events give the same spans. Pure. */
import type { Event } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { keyValues, SPAN_KIND, type Span, spanIdOf, traceIdOf, unixNano } from "./otlp.ts";
import { createStepSpans } from "./step-spans.ts";
import { createTurnSpans } from "./turn-spans.ts";

/** What spans say of a run beside its events. */
export type TracedRun = Pick<Run, "id" | "name" | "options" | "profile" | "models" | "proven">;

/** A span that has ended, and the event that ended it. */
export interface EndedSpan {
  seq: number;
  span: Span;
}

export interface RunTrace {
  /** Takes the next event. */
  read(event: Event, run: TracedRun): void;
  /** The spans that ended since the last call. `isLast`: there is no further event now. */
  take(isLast: boolean): EndedSpan[];
  /** Whether the run has not ended. */
  isOpen(): boolean;
}

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** A run, or what a resumed run does until it ends again. */
interface OpenRun {
  seq: number;
  start: number;
  microUsd: number;
  inputTokens: number;
  outputTokens: number;
  turns: number;
  events: [at: number, ...Noted][];
  fork?: string;
}

export function createRunTrace(runId: string): RunTrace {
  const traceId = traceIdOf(runId);
  const ended: EndedSpan[] = [];
  const add = (seq: number, span: Omit<Span, "traceId">): void => {
    ended.push({ seq, span: { traceId, ...span } });
  };
  let open: OpenRun | undefined;
  const parent = (): string => spanIdOf(runId, "run", open?.seq ?? FIRST);
  const steps = createStepSpans({ runId, parent, add });
  const turns = createTurnSpans({ runId, stepOf: steps.stepOf, add });

  const end = (event: Of<"ended">, run: TracedRun): void => {
    steps.endAll(event);
    if (open) add(event.seq, runSpan({ open, event, run }));
    open = undefined;
  };

  return {
    read(event, run) {
      const at = Date.parse(event.at);
      if (event.type !== "verdict") turns.flush();
      if (event.type === "created" || event.type === "resumed") open ??= openedBy(event, at);
      // After the end come notices only.
      if (!open) return;
      record(open, event, at);
      if (event.type === "turn") turns.add(event, run);
      else if (event.type === "verdict") turns.judge(event);
      else if (event.type === "ended") end(event, run);
      else steps.read(event);
    },
    take(isLast) {
      if (isLast) turns.flush();
      return ended.splice(0);
    },
    isOpen: () => open !== undefined,
  };
}

/** Every run begins with this event, so forks can name its span. */
const FIRST = 1;

const openedBy = ({ seq }: Event, start: number): OpenRun => ({
  seq,
  start,
  microUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  turns: 0,
  events: [],
});

type Noted = [name: string, attributes?: Record<string, string | number>];

function record(open: OpenRun, event: Event, at: number): void {
  if (event.type === "forked") open.fork = event.run;
  if (event.type === "turn" || event.type === "written_off") open.microUsd += event.microUsd;
  if (event.type === "turn") {
    open.turns += 1;
    open.inputTokens += event.inputTokens;
    open.outputTokens += event.outputTokens;
  }
  const noted = event.seq === open.seq ? undefined : notedOf(event);
  if (noted && open.events.length < EVENTS) open.events.push([at, ...noted]);
}

/** What happens to the run as a whole. No text of a person, a model or a server is among it. */
function notedOf(event: Event): Noted | undefined {
  switch (event.type) {
    case "written_off":
      return ["written_off", { "l2mac.cost.usd": event.microUsd / 1e6, "l2mac.tokens": event.tokens }];
    case "waiting":
      return ["waiting", { "l2mac.waits_for": event.until === undefined ? "person" : "server" }];
    case "resumed":
      return ["resumed", { "l2mac.epoch": event.epoch }];
    case "approved":
      return ["approved"];
    case "model_changed":
      return ["model_changed", { "gen_ai.request.model": event.to }];
    case "smoke":
      return ["clean_room_check", { "l2mac.check.status": event.status }];
    default:
      return undefined;
  }
}

/** A run may wait for a server for days. */
const EVENTS = 128;

interface EndedRun {
  open: OpenRun;
  event: Of<"ended">;
  run: TracedRun;
}

function runSpan({ open, event, run }: EndedRun): Omit<Span, "traceId"> {
  const { id, name, options, proven } = run;
  const isFirst = open.seq === FIRST;
  const hasFailed = event.status === "failed" || event.status === "partial";
  const reason = event.reason ?? event.status;
  return {
    spanId: spanIdOf(id, "run", open.seq),
    ...(isFirst ? {} : { parentSpanId: spanIdOf(id, "run", FIRST) }),
    name: `invoke_workflow ${options.domain}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: unixNano(open.start),
    endTimeUnixNano: unixNano(Math.max(open.start, Date.parse(event.at))),
    attributes: keyValues({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": options.domain,
      "l2mac.run.id": id,
      "l2mac.run.name": name,
      "l2mac.run.continued": isFirst ? undefined : true,
      "l2mac.run.status": event.status,
      "l2mac.run.reason": event.reason,
      "l2mac.turns": open.turns,
      "gen_ai.usage.input_tokens": open.inputTokens,
      "gen_ai.usage.output_tokens": open.outputTokens,
      "l2mac.cost.usd": open.microUsd / 1e6,
      ...(proven && {
        "l2mac.requirements.proven": proven.proven,
        "l2mac.requirements.unproven": proven.unproven.length,
      }),
      "error.type": hasFailed ? reason : undefined,
    }),
    events: open.events.map(([at, noted, attributes = {}]) => ({
      timeUnixNano: unixNano(at),
      name: noted,
      attributes: keyValues(attributes),
    })),
    ...(open.fork === undefined
      ? {}
      : { links: [{ traceId: traceIdOf(open.fork), spanId: spanIdOf(open.fork, "run", FIRST) }] }),
    ...(hasFailed ? { status: { code: 2, message: reason } } : {}),
  };
}
