/** What was said and done in the turns of one instruction: each folded to a line, and opened where it is chosen. */

import type { ProgramAnswer, RunView } from "../../api/answers.ts";
import type { RunSnapshot } from "../../core/run/history.ts";
import { reveal } from "../../core/text/sanitize.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import type { AnswerBody, EffectsBody, ToldTurn, ToolResult } from "../../core/turn/turn.ts";
import { ask } from "../browser/ask.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { statusAt, type View } from "../instruction-words.ts";
import type { Go, RunPlace } from "../place.ts";
import { costOf, didOf, marksOf } from "../turn-words.ts";
import type { Linking } from "./file-link.tsx";
import { InstructionView } from "./instruction-view.tsx";
import { Late } from "./late.tsx";
import { TaskView } from "./task-view.tsx";
import { ToolCallView } from "./tool-call.tsx";
import { Folded, VerdictView } from "./verdict-view.tsx";

interface Given {
  run: RunView;
  program: ProgramAnswer;
  turn: ToldTurn | undefined;
  snapshot: RunSnapshot;
  view: View;
  place: RunPlace;
  go: Go;
}

export function Transcript({ run, program, turn, snapshot, view, place, go }: Given) {
  const number = turn && place.instruction !== undefined ? place.instruction : turn?.instruction;
  const instruction = program.instructions.find((each) => each.number === number);
  const own = number === undefined ? [] : snapshot.turnsOf(number);
  return (
    <>
      {instruction && (
        <InstructionView
          instruction={instruction}
          program={program}
          says={statusAt(snapshot.instruction(instruction.number), view).label}
          linking={{ place, turn: own.at(-1) ?? { instruction: instruction.number, turn: 1 } }}
        />
      )}
      {!instruction && <TaskView id={run.id} />}
      {own.length === 0 && <p class="quiet">{turn ? "None of its turns is made yet." : "Nothing was said yet."}</p>}
      <ol class="transcript">
        {own.map((each, index) => (
          <li key={each.turn}>
            <TurnLine
              turn={each}
              before={own[index - 1]}
              isOpen={each === turn}
              open={() => go({ ...place, instruction: each.instruction, turn: each.turn })}
            />
            {each === turn && <TurnView id={run.id} turn={each} place={place} />}
          </li>
        ))}
      </ol>
    </>
  );
}

interface LineGiven {
  turn: ToldTurn;
  before: ToldTurn | undefined;
  isOpen: boolean;
  open: () => void;
}

const TurnLine = ({ turn, before, isOpen, open }: LineGiven) => (
  <button type="button" aria-expanded={isOpen} onClick={open}>
    <span class="turn-name">Turn {turn.turn}</span>
    <span class="did">{reveal(didOf(turn))}</span>
    {marksOf(turn, before).map(({ says, is }) => (
      <span key={says} class={`mark ${is}`}>
        {reveal(says)}
      </span>
    ))}
    <span class="quiet small costs">{costOf(turn)}</span>
  </button>
);

interface Entry {
  answer?: AnswerBody;
  effects?: EffectsBody;
}

function TurnView({ id, turn, place }: { id: string; turn: ToldTurn; place: RunPlace }) {
  const path = `/runs/${id}/turns/${turn.instruction}/${turn.turn}`;
  const entry = useAnswer(path, (signal) => ask<Entry>(path, { signal }));
  if (!entry) return <Late what="Opening" />;
  if ("problem" in entry) return <p class="lost">{entry.problem}</p>;
  const { answer, effects } = entry.value;
  const results = new Map(effects?.results.map((result) => [result.callId, result]));
  const linking: Linking = { place, turn };
  return (
    <div class="turn">
      <Anew opening={(effects ?? answer)?.inputs.opening} />
      {!answer && turn.outcome !== "discarded" && <p class="quiet">This call had no answer.</p>}
      {turn.outcome === "discarded" && (
        <p>The instruction is skipped: what it had changed was taken back ({turn.changes.length} paths).</p>
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

/** Only a conversation that begins in the middle of an instruction says why it does. */
function Anew({ opening }: { opening: AnswerBody["inputs"]["opening"] }) {
  if (!opening?.why || opening.note === "") return null;
  return (
    <div class="evidence" role="note">
      <p>The conversation begins anew here: {reveal(opening.why)}.</p>
      <Folded title="What it was told of what came before" text={opening.note} />
    </div>
  );
}

/** What was decided about the instruction. */
function Gate({ results }: { results: ToolResult[] }) {
  const decided = results.findLast(({ tool }) => categoryOf(tool) === "end");
  if (!decided) return null;
  return (
    <p class={decided.ok ? "" : "lost"}>
      <strong>The gate:</strong> {reveal(decided.note)}
    </p>
  );
}
