/** Chooses what a file is compared with: what its last change found, or how it was at any other turn. */

import type { RunHistory } from "../../core/run/history.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import type { Go, RunPlace } from "../place.ts";
import { atOf, nameOf } from "../turn-words.ts";

interface Given {
  history: RunHistory;
  path: string;
  last: ToldTurn | undefined;
  place: RunPlace;
  go: Go;
}

export function ComparedWith({ history, path, last, place, go }: Given) {
  const { against, line: _, ...here } = place;
  const own = history.changesOf(path);
  const ends = history.ends();
  const known = new Set([...own, ...ends].map(atOf));
  const choose = (value: string): void => go(value === "" ? here : { ...here, against: value });
  return (
    <label class="compared">
      Compared with{" "}
      <select value={against ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">nothing</option>
        {last && <option value="last">what it was before that change</option>}
        <option value="0">the start</option>
        <option value="end">the end</option>
        {against !== undefined && !["last", "0", "end"].includes(against) && !known.has(against) && (
          <option value={against}>turn {against}</option>
        )}
        <Turns label="Its own changes" turns={own} says={nameOf} />
        <Turns
          label="Instructions, as they left it"
          turns={ends.filter((turn) => !own.includes(turn))}
          says={({ instruction }) => (instruction === 0 ? "planning" : `instruction ${instruction}`)}
        />
      </select>
    </label>
  );
}

const Turns = ({ label, turns, says }: { label: string; turns: ToldTurn[]; says: (turn: ToldTurn) => string }) =>
  turns.length === 0 ? null : (
    <optgroup label={label}>
      {turns.map((turn) => (
        <option key={atOf(turn)} value={atOf(turn)}>
          {says(turn)}
        </option>
      ))}
    </optgroup>
  );
