/** One turn: what the system, the machine, the model and its tools said. */
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { categoryOf } from "../../../../lib/core/turn/tools.ts";
import type { AnswerBody, EffectsBody, ToolResult, TurnRecord } from "../../../../lib/core/turn/turn.ts";
import type { Verdict } from "../../../../lib/core/verdict/verdict.ts";
import { ask } from "../../browser/ask.ts";
import { useAnswer } from "../../browser/use-answer.ts";
import { type RunRoute, turnPath } from "../../route.ts";
import type { TurnLink } from "../file-link.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Loading } from "../waiting.tsx";
import { Speech } from "./speech.tsx";
import { ToolCallView } from "./tool-call.tsx";
import { Folded, VerdictView } from "./verdict-view.tsx";

interface Entry {
  answer?: AnswerBody;
  effects?: EffectsBody;
  tried?: { verdicts: Verdict[] };
}

interface TurnViewProps {
  id: string;
  turn: TurnRecord;
  route: RunRoute;
}

export function TurnView({ id, turn, route }: TurnViewProps) {
  const path = turnPath(id, turn);
  const entry = useAnswer(path, (signal) => ask<Entry>(path, { signal }));
  if (!entry) return <Loading what="Loading" />;
  if ("problem" in entry) return <p class="lost">{entry.problem}</p>;
  const { answer, effects, tried } = entry.value;
  const results = new Map(effects?.results.map((result) => [result.callId, result]));
  const linking: TurnLink = { route, turn };
  return (
    <div class="turn">
      <Opening opening={(effects ?? answer)?.inputs.opening} />
      {!answer && !turn.copied && !WITHOUT_MODEL.has(turn.outcome ?? "") && (
        <p class="quiet">The model did not answer this call.</p>
      )}
      {turn.copied && <p class="quiet">No model was asked: {originOf(turn.copied, id)}.</p>}
      {effects?.saved && (
        <Speech who="You" text={effects.saved.text}>
          <Markdown text={effects.saved.text} />
        </Speech>
      )}
      {turn.outcome === "discarded" && (
        <p>The instruction is skipped. Its changes were reverted ({turn.changes.length} paths).</p>
      )}
      {answer?.answer.text.trim() && (
        <Speech who="Model" text={answer.answer.text}>
          <Markdown text={answer.answer.text} />
        </Speech>
      )}
      {answer && answer.answer.toolCalls.length > 0 && (
        <Speech who="Tool">
          {answer.answer.toolCalls.map((call) => (
            <ToolCallView key={call.id} call={call} result={results.get(call.id)} linking={linking} />
          ))}
        </Speech>
      )}
      {effects?.verdicts.map((verdict, index) => (
        <VerdictView key={index} verdict={verdict} linking={linking} />
      ))}
      <Gate results={effects?.results ?? []} />
      {tried && <p>Where it was to join, the gate refused it:</p>}
      {tried?.verdicts.map((verdict, index) => (
        <VerdictView key={index} verdict={verdict} linking={linking} />
      ))}
      {effects?.correction && (
        <Speech who="Machine">
          <Markdown text={effects.correction} />
        </Speech>
      )}
    </div>
  );
}

/** What a lane of the run itself did is joined by such a turn. */
const originOf = ({ run, instruction }: NonNullable<TurnRecord["copied"]>, id: string): string =>
  run === id ? "a lane had executed it, and it was joined" : `taken over from instruction ${instruction} of ${run}`;

const WITHOUT_MODEL: ReadonlySet<string> = new Set(["discarded", "answer"]);

/** What the prompt states of its place, and why a conversation begins in the middle of an instruction. */
function Opening({ opening }: { opening: AnswerBody["inputs"]["opening"] }) {
  if (!opening) return null;
  const { environment = "", why, note } = opening;
  return (
    <>
      {environment !== "" && (
        <Speech who="System">
          <Folded title="What the system prompt states of the place where the code runs" text={environment} />
        </Speech>
      )}
      {why && note !== "" && (
        <Speech who="Machine">
          <p>A new conversation starts here: {reveal(why)}.</p>
          <Folded title="Its notes on the work so far" text={note} />
        </Speech>
      )}
    </>
  );
}

/** The decision about the instruction. */
function Gate({ results }: { results: ToolResult[] }) {
  const decided = results.findLast(({ tool }) => categoryOf(tool) === "end");
  if (!decided) return null;
  return (
    <p class={decided.ok ? "" : "lost"}>
      <strong>Gate:</strong> {reveal(decided.note)}
    </p>
  );
}
