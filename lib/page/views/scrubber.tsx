/** Moves through the turns of a run: the whole page shows the run at the chosen one. */
import { money } from "../../core/text/format.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
import { atTurn, type Navigate, type RunRoute } from "../route.ts";
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
  const { instruction: _, turn: __, ...latest } = route;
  const goTo = (index: number): void => {
    const to = turns[index];
    if (to) navigate(atTurn(route, { instruction: to.instruction, turn: to.turn }), { passing: true });
  };
  return (
    <div class="scrubber">
      <input
        type="range"
        aria-label="Turn"
        aria-valuetext={nameOf(turn)}
        min={0}
        max={turns.length - 1}
        value={chosen}
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
      <output>
        {nameOf(turn)}
        <span class="quiet">
          {" "}
          · {money(spent)} so far<time dateTime={turn.at}> · {clock(Date.parse(turn.at), Date.now())}</time>
        </span>
      </output>
      <button type="button" disabled={route.instruction === undefined} onClick={() => navigate(latest)}>
        Latest
      </button>
    </div>
  );
}
