/** One instruction, or the task, with its turns. */
import type { ProgramAnswer, RunView } from "../../../../lib/api/answers.ts";
import type { RunSnapshot } from "../../../../lib/core/run/history.ts";
import { isOfRun } from "../../../../lib/core/turn/lane-turns.ts";
import type { TurnRecord } from "../../../../lib/core/turn/turn.ts";
import { statusAt, type View } from "../../instruction-status.ts";
import type { Navigate, RunRoute } from "../../route.ts";
import { InstructionView, TaskView } from "./instruction-view.tsx";
import { TurnLines } from "./turn-lines.tsx";

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
          linking={{ route, turn: own.findLast(isOfRun) ?? own.at(-1) ?? { instruction: instruction.number, turn: 1 } }}
        />
      )}
      {!instruction && <TaskView id={run.id} />}
      {own.length === 0 && (
        <p class="quiet">{turn ? "This instruction has no turns yet." : "There are no turns yet."}</p>
      )}
      <TurnLines id={run.id} turns={own} chosen={turn} route={route} navigate={navigate} />
    </>
  );
}
