/** The program with its counter: each instruction, how far it is, what it cost. */
import type { ToldTurn } from "../../core/turn.ts";
import type { InstructionState, Then } from "../timeline.ts";
import { money, span } from "../words.ts";
import type { Go, RunPlace } from "./run-page.tsx";

const SIGN: Record<InstructionState, string> = { "to come": "·", begun: "▶", done: "✔", skipped: "↷" };

export function ProgramList({
  then,
  turn,
  place,
  go,
}: {
  then: Then;
  turn: ToldTurn | undefined;
  place: RunPlace;
  go: Go;
}) {
  if (then.instructions.length === 0) return <p class="quiet">There is no program yet.</p>;
  return (
    <ol class="program-list">
      <li>
        <button
          type="button"
          aria-current={turn?.instruction === 0}
          onClick={() => go({ ...place, tab: "transcript", instruction: 0, turn: 1 })}
        >
          <span class="sign">✎</span> <span class="clip">Planning</span>
        </button>
      </li>
      {then.instructions.map(({ number, title, state, turns, microUsd, milliseconds, requirements }) => (
        <li key={number}>
          <button
            type="button"
            aria-current={turn?.instruction === number}
            disabled={turns === 0}
            title={requirements.length > 0 ? `${title} (${requirements.join(", ")})` : title}
            onClick={() => go({ ...place, tab: "transcript", instruction: number })}
          >
            <span class={`sign ${state.replace(" ", "-")}`} role="img" aria-label={state}>
              {SIGN[state]}
            </span>
            <span class="clip">
              {number} {title}
            </span>
            {turns > 0 && (
              <span class="quiet number">
                {turns} · {money(microUsd)} · {span(milliseconds)}
              </span>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}
