/** Moves through the turns of a run: the whole page shows the run at the chosen one. */
import { useMemo } from "preact/hooks";
import { money } from "../../../lib/core/text/format.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { failuresIn } from "../fold-turns.ts";
import { atTurn, type Navigate, type RunRoute, withoutTurn } from "../route.ts";
import { nameOf } from "../turn-summary.ts";
import { clock } from "../words.ts";

interface ScrubberProps {
  turns: TurnRecord[];
  chosen: number;
  route: RunRoute;
  navigate: Navigate;
  spent: number;
}

export function Scrubber({ turns, chosen, route, navigate, spent }: ScrubberProps) {
  const turn = turns[chosen];
  if (!turn) return <p class="scrubber quiet">There are no turns yet.</p>;
  const goTo = (index: number): void => {
    const to = turns[index];
    if (to) navigate(atTurn(route, to), { passing: true });
  };
  return (
    <div class="scrubber">
      <div class="slider">
        <Ticks turns={turns} />
        <input
          type="range"
          aria-label="Turn"
          aria-valuetext={nameOf(turn)}
          min={0}
          max={turns.length - 1}
          value={chosen}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
      </div>
      <FailureButtons turns={turns} chosen={chosen} goTo={goTo} />
      <output>
        {nameOf(turn)}
        <span class="quiet">
          {" "}
          · {money(spent)} so far<time dateTime={turn.at}> · {clock(Date.parse(turn.at), Date.now())}</time>
        </span>
      </output>
      <button type="button" disabled={route.instruction === undefined} onClick={() => navigate(withoutTurn(route))}>
        Latest
      </button>
    </div>
  );
}

/** Where instructions begin, and where something went wrong. */
function Ticks({ turns }: { turns: TurnRecord[] }) {
  const [starts, failures] = useMemo(() => [startsIn(turns), failuresIn(turns)], [turns]);
  const path = (indexes: number[]): string => indexes.map((index) => `M${index} 0V1`).join("");
  return (
    <svg class="ticks" viewBox={`0 0 ${Math.max(1, turns.length - 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path class="starts" d={path(starts)} />
      <path class="failures" d={path(failures)} />
    </svg>
  );
}

const startsIn = (turns: TurnRecord[]): number[] =>
  turns.flatMap(({ instruction }, index) =>
    index > 0 && turns[index - 1]?.instruction !== instruction ? [index] : [],
  );

interface FailureButtonsProps {
  turns: TurnRecord[];
  chosen: number;
  goTo: (index: number) => void;
}

function FailureButtons({ turns, chosen, goTo }: FailureButtonsProps) {
  const failures = useMemo(() => failuresIn(turns), [turns]);
  if (failures.length === 0) return null;
  const before = failures.findLast((index) => index < chosen);
  const after = failures.find((index) => index > chosen);
  return (
    <span class="jumps">
      <button type="button" disabled={before === undefined} onClick={() => before !== undefined && goTo(before)}>
        Previous failure
      </button>
      <button type="button" disabled={after === undefined} onClick={() => after !== undefined && goTo(after)}>
        Next failure
      </button>
    </span>
  );
}
