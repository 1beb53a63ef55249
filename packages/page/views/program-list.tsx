/** The program: each instruction with its state, cost, new tests and requirements. */
import type { ProgramAnswer, RunStatusView } from "../../../lib/api/answers.ts";
import type { InstructionSnapshot, RunSnapshot } from "../../../lib/core/run/history.ts";
import { money, pluralize, spanWords } from "../../../lib/core/text/format.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { statusAt, type View } from "../instruction-status.ts";
import { type LaneStatus, laneStatusOf } from "../lane-status.ts";
import type { Navigate, RunRoute } from "../route.ts";
import { LongList } from "./long-list.tsx";

interface ProgramListProps {
  run: RunStatusView;
  program: ProgramAnswer;
  snapshot: RunSnapshot;
  view: View;
  count: number;
  /** The instruction of the chosen turn. */
  chosen: number | undefined;
  route: RunRoute;
  navigate: Navigate;
}

export function ProgramList({ run, program, snapshot, view, count, chosen, route, navigate }: ProgramListProps) {
  if (count === 0) return <p class="quiet">There is no program yet.</p>;
  const { line: _, turn: __, lane: ___, ...here } = route;
  const open = (instruction: number): void =>
    navigate({ ...here, tab: "transcript", instruction, ...(instruction === 0 ? { turn: 1 } : {}) });
  return (
    <LongList
      label="Instructions"
      class="program-list"
      count={count + 1}
      height={2.9}
      {...(chosen === undefined ? {} : { current: chosen })}
      row={(number) =>
        number === 0 ? (
          <button type="button" aria-current={chosen === 0} onClick={() => open(0)}>
            <span class="sign">✎</span> <span class="clip">Planning</span>
          </button>
        ) : (
          <Row
            instruction={snapshot.instruction(number)}
            {...{ view, open }}
            isChosen={chosen === number}
            lane={
              view.isLatest ? laneStatusOf({ ...program.instructions[number - 1], number }, run, view.now) : undefined
            }
          />
        )
      }
    />
  );
}

interface RowProps {
  instruction: InstructionSnapshot;
  view: View;
  isChosen: boolean;
  lane: LaneStatus | undefined;
  open: (number: number) => void;
}

function Row({ instruction, view, isChosen, lane, open }: RowProps) {
  const { number, title, state, requirements } = instruction;
  const { label, sign } = { ...statusAt(instruction, view), ...lane };
  return (
    <button
      type="button"
      aria-current={isChosen}
      title={reveal(
        [requirements.length > 0 ? `${title} (${requirements.join(", ")})` : title, lane?.words]
          .filter(Boolean)
          .join(" · "),
      )}
      onClick={() => open(number)}
    >
      <span class={`sign ${state}`} role="img" aria-label={label}>
        {sign}
      </span>
      <span class="two">
        <span class="clip">
          {number} {reveal(title)}
        </span>
        <span class="clip quiet small">
          <Marks instruction={instruction} />
          {reveal([lane?.words, factsOf(instruction)].filter(Boolean).join(" · "))}
        </span>
      </span>
    </button>
  );
}

/** Refusals and amended tests. */
const Marks = ({ instruction: { refusals, amended } }: { instruction: InstructionSnapshot }) => (
  <>
    {refusals > 0 && <span class="lost">refused {refusals}× · </span>}
    {amended > 0 && <span class="odd">amended {pluralize(amended, "test")} · </span>}
  </>
);

const factsOf = ({ turns, microUsd, milliseconds, newTests, requirements }: InstructionSnapshot): string =>
  [
    ...(turns > 0
      ? [pluralize(turns, "turn"), ...(microUsd > 0 ? [money(microUsd)] : []), spanWords(milliseconds)]
      : []),
    ...(newTests > 0 ? [`+${pluralize(newTests, "test")}`] : []),
    ...(requirements.length > 0 ? [requirements.join(", ")] : []),
  ].join(" · ");
