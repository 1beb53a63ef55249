/** Goes through the history of a run, turn by turn: all of the page shows how it stood there. */
import { money } from "../../core/text/format.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import type { Go, RunPlace } from "../place.ts";
import { nameOf } from "../turn-words.ts";
import { clock } from "../words.ts";

interface Scrubbing {
  turns: ToldTurn[];
  chosen: number;
  place: RunPlace;
  go: Go;
  spent: number;
}

export function Scrubber({ turns, chosen, place, go, spent }: Scrubbing) {
  const turn = turns[chosen];
  if (!turn) return <p class="scrubber quiet">No turn is made yet.</p>;
  const { instruction: _, turn: __, ...latest } = place;
  const goTo = (index: number): void => {
    const to = turns[index];
    if (to) go({ ...place, instruction: to.instruction, turn: to.turn }, { passing: true });
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
      <button type="button" disabled={place.instruction === undefined} onClick={() => go(latest)}>
        Latest
      </button>
    </div>
  );
}
