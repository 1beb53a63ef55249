/** The program with its counter: each instruction, how far it is, what it cost, tested and serves. */
import { counted } from "../../core/text/counted.ts";
import { type Looking, standingAt } from "../instruction-words.ts";
import type { Go, RunPlace } from "../place.ts";
import type { InstructionThen, Then } from "../timeline.ts";
import { visible } from "../visible.ts";
import { money, span } from "../words.ts";
import { LongList } from "./long-list.tsx";

interface Given {
  then: Then;
  looking: Looking;
  count: number;
  /** The instruction of the chosen turn. */
  chosen: number | undefined;
  place: RunPlace;
  go: Go;
}

export function ProgramList({ then, looking, count, chosen, place, go }: Given) {
  if (count === 0) return <p class="quiet">There is no program yet.</p>;
  const { line: _, turn: __, ...here } = place;
  const open = (instruction: number): void =>
    go({ ...here, tab: "transcript", instruction, ...(instruction === 0 ? { turn: 1 } : {}) });
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
          <Row instruction={then.instruction(number)} looking={looking} isChosen={chosen === number} open={open} />
        )
      }
    />
  );
}

interface RowGiven {
  instruction: InstructionThen;
  looking: Looking;
  isChosen: boolean;
  open: (number: number) => void;
}

function Row({ instruction, looking, isChosen, open }: RowGiven) {
  const { number, title, state, requirements } = instruction;
  const { says, sign } = standingAt(instruction, looking);
  return (
    <button
      type="button"
      aria-current={isChosen}
      title={visible(requirements.length > 0 ? `${title} (${requirements.join(", ")})` : title)}
      onClick={() => open(number)}
    >
      <span class={`sign ${state.replace(" ", "-")}`} role="img" aria-label={says}>
        {sign}
      </span>
      <span class="two">
        <span class="clip">
          {number} {visible(title)}
        </span>
        <span class="clip quiet small">
          <Marks instruction={instruction} />
          {factsOf(instruction)}
        </span>
      </span>
    </button>
  );
}

/** What nobody should overlook. */
const Marks = ({ instruction: { refusals, amended } }: { instruction: InstructionThen }) => (
  <>
    {refusals > 0 && <span class="lost">refused {refusals}× · </span>}
    {amended > 0 && <span class="odd">amended {counted(amended, "test")} · </span>}
  </>
);

const factsOf = ({ turns, microUsd, milliseconds, newTests, requirements }: InstructionThen): string =>
  [
    ...(turns > 0 ? [counted(turns, "turn"), money(microUsd), span(milliseconds)] : []),
    ...(newTests > 0 ? [`+${counted(newTests, "test")}`] : []),
    ...(requirements.length > 0 ? [requirements.join(", ")] : []),
  ].join(" · ");
