/** What was said and done in the turns of one instruction: each folded to a line, and opened where it is chosen. */
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { AnswerBody, EffectsBody, ToldTurn } from "../../core/turn.ts";
import { ask } from "../browser/ask.ts";
import { money, span } from "../words.ts";
import type { Go, RunPlace } from "./run-page.tsx";
import { ToolCallView } from "./tool-call.tsx";

interface Given {
  run: RunView;
  turn: ToldTurn | undefined;
  seen: ToldTurn[];
  place: RunPlace;
  go: Go;
}

export function Transcript({ run, turn, seen, place, go }: Given) {
  if (!turn) return <p class="quiet">Nothing was said yet.</p>;
  const own = seen.filter(({ instruction }) => instruction === turn.instruction);
  return (
    <ol class="transcript">
      {own.map((each) => (
        <li key={each.turn}>
          <button
            type="button"
            aria-expanded={each === turn}
            onClick={() => go({ ...place, instruction: each.instruction, turn: each.turn })}
          >
            <span>Turn {each.turn}</span> <span class="quiet">{lineOf(each)}</span>
          </button>
          {each === turn && <TurnView id={run.id} turn={each} />}
        </li>
      ))}
    </ol>
  );
}

function lineOf({ outcome, inputTokens, outputTokens, microUsd, milliseconds, found }: ToldTurn): string {
  const tests = found?.passed === undefined ? "" : ` · ${found.passed} passed, ${found.failed ?? 0} failed`;
  const errors = found?.errors ? ` · ${found.errors} syntax errors` : "";
  return `${outcome ?? ""} · ${inputTokens} in, ${outputTokens} out · ${money(microUsd)} · ${span(milliseconds)}${errors}${tests}`;
}

interface Entry {
  answer?: AnswerBody;
  effects?: EffectsBody;
}

function TurnView({ id, turn }: { id: string; turn: ToldTurn }) {
  const [entry, setEntry] = useState<Entry | { problem: string }>();
  useEffect(() => {
    const ending = new AbortController();
    ask<Entry>(`/runs/${id}/turns/${turn.instruction}/${turn.turn}`, { signal: ending.signal })
      .then(setEntry)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setEntry({ problem: error instanceof Error ? error.message : String(error) });
      });
    return () => ending.abort();
  }, [id, turn.instruction, turn.turn]);
  if (!entry) return <p role="status">Opening…</p>;
  if ("problem" in entry) return <p class="lost">{entry.problem}</p>;
  const { answer, effects } = entry;
  const results = new Map(effects?.results.map((result) => [result.callId, result]));
  return (
    <div class="turn">
      {!answer && <p class="quiet">This call had no answer.</p>}
      {answer?.answer.text.trim() && <p class="said">{answer.answer.text}</p>}
      {answer?.answer.toolCalls.map((call) => (
        <ToolCallView key={call.id} call={call} result={results.get(call.id)} />
      ))}
      {effects?.correction && <p class="said">{effects.correction}</p>}
    </div>
  );
}
