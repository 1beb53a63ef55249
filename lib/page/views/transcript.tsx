/** The turns of one instruction: each is one line, and the chosen one is open. */
import type { ProgramAnswer, RunView } from "../../api/answers.ts";
import type { RunSnapshot } from "../../core/run/history.ts";
import { reveal } from "../../core/text/sanitize.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import type { AnswerBody, EffectsBody, ToolResult, TurnRecord } from "../../core/turn/turn.ts";
import { ask } from "../browser/ask.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { statusAt, type View } from "../instruction-status.ts";
import type { Navigate, RunRoute } from "../route.ts";
import { costOf, didOf, marksOf } from "../turn-summary.ts";
import type { TurnLink } from "./file-link.tsx";
import { InstructionView, TaskView } from "./instruction-view.tsx";
import { ToolCallView } from "./tool-call.tsx";
import { Folded, VerdictView } from "./verdict-view.tsx";
import { Loading } from "./waiting.tsx";

interface TranscriptProps {
  run: RunView;
  program: ProgramAnswer;
  turn: TurnRecord | undefined;
  snapshot: RunSnapshot;
  view: View;
  route: RunRoute;
  navigate: Navigate;
}

export function Transcript({ run, program, turn, snapshot, view, route, navigate }: TranscriptProps) {
  const number = turn && route.instruction !== undefined ? route.instruction : turn?.instruction;
  const instruction = program.instructions.find((each) => each.number === number);
  const own = number === undefined ? [] : snapshot.turnsOf(number);
  return (
    <>
      {instruction && (
        <InstructionView
          instruction={instruction}
          program={program}
          status={statusAt(snapshot.instruction(instruction.number), view).label}
          linking={{ route, turn: own.at(-1) ?? { instruction: instruction.number, turn: 1 } }}
        />
      )}
      {!instruction && <TaskView id={run.id} />}
      {own.length === 0 && (
        <p class="quiet">{turn ? "This instruction has no turns yet." : "There are no turns yet."}</p>
      )}
      <ol class="transcript">
        {own.map((each, index) => (
          <li key={each.turn}>
            <TurnLine
              turn={each}
              before={own[index - 1]}
              isOpen={each === turn}
              open={() => navigate({ ...route, tab: "transcript", instruction: each.instruction, turn: each.turn })}
            />
            {each === turn && <TurnView id={run.id} turn={each} route={route} />}
          </li>
        ))}
      </ol>
    </>
  );
}

interface LineProps {
  turn: TurnRecord;
  before: TurnRecord | undefined;
  isOpen: boolean;
  open: () => void;
}

const TurnLine = ({ turn, before, isOpen, open }: LineProps) => (
  <button type="button" aria-expanded={isOpen} onClick={open}>
    <span class="turn-name">Turn {turn.turn}</span>
    <span class="did">{reveal(didOf(turn))}</span>
    {marksOf(turn, before).map(({ text, kind }) => (
      <span key={text} class={`mark ${kind}`}>
        {reveal(text)}
      </span>
    ))}
    <span class="quiet small costs">{costOf(turn)}</span>
  </button>
);

interface Entry {
  answer?: AnswerBody;
  effects?: EffectsBody;
}

function TurnView({ id, turn, route }: { id: string; turn: TurnRecord; route: RunRoute }) {
  const path = `/runs/${id}/turns/${turn.instruction}/${turn.turn}`;
  const entry = useAnswer(path, (signal) => ask<Entry>(path, { signal }));
  if (!entry) return <Loading what="Loading" />;
  if ("problem" in entry) return <p class="lost">{entry.problem}</p>;
  const { answer, effects } = entry.value;
  const results = new Map(effects?.results.map((result) => [result.callId, result]));
  const linking: TurnLink = { route, turn };
  return (
    <div class="turn">
      <NewConversation opening={(effects ?? answer)?.inputs.opening} />
      {!answer && turn.outcome !== "discarded" && <p class="quiet">The model did not answer this call.</p>}
      {turn.outcome === "discarded" && (
        <p>The instruction is skipped. Its changes were reverted ({turn.changes.length} paths).</p>
      )}
      {answer?.answer.text.trim() && <p class="said">{reveal(answer.answer.text)}</p>}
      {answer?.answer.toolCalls.map((call) => (
        <ToolCallView key={call.id} call={call} result={results.get(call.id)} linking={linking} />
      ))}
      {effects?.verdicts.map((verdict, index) => (
        <VerdictView key={index} verdict={verdict} linking={linking} />
      ))}
      <Gate results={effects?.results ?? []} />
      {effects?.correction && <p class="said">{reveal(effects.correction)}</p>}
    </div>
  );
}

/** Shown only for conversations that begin in the middle of an instruction. */
function NewConversation({ opening }: { opening: AnswerBody["inputs"]["opening"] }) {
  if (!opening?.why || opening.note === "") return null;
  return (
    <div class="evidence" role="note">
      <p>A new conversation starts here: {reveal(opening.why)}.</p>
      <Folded title="Its notes on the work so far" text={opening.note} />
    </div>
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
