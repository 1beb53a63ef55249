/** Selects what a file is compared with: its previous content, or its content at another turn. */
import type { RunHistory } from "../../../lib/core/run/history.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import type { Navigate, RunRoute } from "../route.ts";
import { atOf, nameOf } from "../turn-summary.ts";

interface ComparedWithProps {
  history: RunHistory;
  path: string;
  last: TurnRecord | undefined;
  route: RunRoute;
  navigate: Navigate;
}

export function ComparedWith({ history, path, last, route, navigate }: ComparedWithProps) {
  const { against, line: _, ...here } = route;
  const own = history.changesOf(path);
  const ends = history.ends();
  const known = new Set([...own, ...ends].map(atOf));
  const choose = (value: string): void => navigate(value === "" ? here : { ...here, against: value });
  return (
    <label class="compared">
      Compared with{" "}
      <select value={against ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">nothing</option>
        {last && <option value="last">before that change</option>}
        <option value="0">the start</option>
        <option value="end">the end</option>
        {against !== undefined && !["last", "0", "end"].includes(against) && !known.has(against) && (
          <option value={against}>turn {against}</option>
        )}
        <Turns label="Its own changes" turns={own} labelOf={nameOf} />
        <Turns
          label="After each instruction"
          turns={ends.filter((turn) => !own.includes(turn))}
          labelOf={({ instruction }) => (instruction === 0 ? "planning" : `instruction ${instruction}`)}
        />
      </select>
    </label>
  );
}

const Turns = ({
  label,
  turns,
  labelOf,
}: {
  label: string;
  turns: TurnRecord[];
  labelOf: (turn: TurnRecord) => string;
}) =>
  turns.length === 0 ? null : (
    <optgroup label={label}>
      {turns.map((turn) => (
        <option key={atOf(turn)} value={atOf(turn)}>
          {labelOf(turn)}
        </option>
      ))}
    </optgroup>
  );
