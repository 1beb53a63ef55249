/** The turns of an instruction, a line each; the chosen one is open. */
import { useState } from "preact/hooks";
import { pluralize } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { TurnRecord } from "../../../../lib/core/turn/turn.ts";
import { turnAddress } from "../../../../lib/core/turn/turn-address.ts";
import { foldTurns } from "../../fold-turns.ts";
import { type Navigate, placeOf, type RunRoute, withoutTurn } from "../../route.ts";
import { costOf, didOf, marksOf } from "../../turn-summary.ts";
import { TurnView } from "./turn-view.tsx";

interface TurnLinesProps {
  id: string;
  turns: TurnRecord[];
  chosen: TurnRecord | undefined;
  route: RunRoute;
  navigate: Navigate;
}

export function TurnLines({ id, turns, chosen, route, navigate }: TurnLinesProps) {
  const [unfolded, unfold] = useState<ReadonlySet<TurnRecord>>(new Set());
  const rows = foldTurns(turns, (turn) => turn === chosen || unfolded.has(turn));
  return (
    <ol class="transcript">
      {rows.map((row) =>
        "folded" in row ? (
          <li key={`after ${row.folded[0]?.lane ?? ""} ${row.folded[0]?.turn}`}>
            <button type="button" class="quiet" onClick={() => unfold(new Set([...unfolded, ...row.folded]))}>
              {pluralize(row.folded.length, "more turn")} refused in the same way
            </button>
          </li>
        ) : (
          <li key={turnAddress(row.turn)}>
            <TurnLine
              {...row}
              isOpen={row.turn === chosen}
              open={() => navigate({ ...withoutTurn(route), tab: "transcript", ...placeOf(row.turn) })}
            />
            {row.turn === chosen && <TurnView id={id} turn={row.turn} route={route} />}
          </li>
        ),
      )}
    </ol>
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
