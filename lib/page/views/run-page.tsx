/** One run: its program, what was said, its files, its pictures; all as it stood at the turn that is chosen. */
import { useMemo } from "preact/hooks";
import type { ToldTurn } from "../../core/turn.ts";
import { type RunData, useRun } from "../browser/run-data.ts";
import type { Place } from "../place.ts";
import { nameOf, placeOf, standingAt } from "../timeline.ts";
import { money } from "../words.ts";
import { Actions } from "./actions.tsx";
import { FileView } from "./file-view.tsx";
import { FilesList } from "./files-list.tsx";
import { PicturesView } from "./pictures-view.tsx";
import { ProgramList } from "./program-list.tsx";
import { RunState } from "./run-state.tsx";
import { Transcript } from "./transcript.tsx";

export type RunPlace = Extract<Place, { view: "run" }>;
export type Go = (place: Place) => void;

export function RunPage({ place, go }: { place: RunPlace; go: Go }) {
  const data = useRun(place.id);
  const { run, turns, program, start } = data;
  const chosen = chosenTurn(turns, place);
  const isLatest = place.instruction === undefined;
  const seen = useMemo(() => turns.slice(0, chosen + 1), [turns, chosen]);
  const then = useMemo(() => standingAt(seen, program, start), [seen, program, start]);
  if (!run) return <Opening data={data} />;
  const turn = turns[chosen];
  const shown = { run, turn, seen, then, place, go };
  return (
    <main class="run">
      <header>
        <p>
          <a href="#runs">All runs</a>
        </p>
        <h1 class="clip">{run.title}</h1>
        <RunState data={data} />
        <Actions run={run} program={program} go={go} />
      </header>
      <Scrubber turns={turns} chosen={chosen} isLatest={isLatest} place={place} go={go} spent={then.microUsd} />
      <nav class="program" aria-label="Program">
        <ProgramList then={then} turn={turn} place={place} go={go} />
      </nav>
      <section class="centre">
        <Tabs place={place} go={go} />
        {place.tab === "pictures" ? (
          <PicturesView run={run} program={program} turns={seen} />
        ) : place.tab === "file" && place.file !== undefined ? (
          <FileView {...shown} path={place.file} />
        ) : (
          <Transcript run={run} turn={turn} seen={seen} place={place} go={go} />
        )}
      </section>
      <nav class="files" aria-label="Files">
        <FilesList then={then} turn={turn} place={place} go={go} />
      </nav>
    </main>
  );
}

/** Without a choice the latest. */
function chosenTurn(turns: ToldTurn[], { instruction, turn }: RunPlace): number {
  if (instruction === undefined) return turns.length - 1;
  const found = placeOf(turns, { instruction, ...(turn === undefined ? {} : { turn }) });
  return found < 0 ? turns.length - 1 : found;
}

const Opening = ({ data: { problem, lost } }: { data: RunData }) => (
  <main class="narrow">
    <p>
      <a href="#runs">All runs</a>
    </p>
    <p role="status">{problem ?? (lost ? "The server does not answer. Trying again." : "Opening the run…")}</p>
  </main>
);

const TABS = [
  ["transcript", "What was said"],
  ["file", "File"],
  ["pictures", "Pictures"],
] as const;

const Tabs = ({ place, go }: { place: RunPlace; go: Go }) => (
  <nav class="tabs" aria-label="What is shown">
    {TABS.map(([tab, label]) => (
      <button
        key={tab}
        type="button"
        aria-pressed={place.tab === tab}
        disabled={tab === "file" && place.file === undefined}
        onClick={() => go({ ...place, tab })}
      >
        {label}
      </button>
    ))}
  </nav>
);

interface Scrubbing {
  turns: ToldTurn[];
  chosen: number;
  isLatest: boolean;
  place: RunPlace;
  go: Go;
  spent: number;
}

function Scrubber({ turns, chosen, isLatest, place, go, spent }: Scrubbing) {
  const turn = turns[chosen];
  if (!turn) return <p class="scrubber quiet">No turn is made yet.</p>;
  const { instruction: _, turn: __, ...latest } = place;
  const goTo = (index: number): void => {
    const to = turns[index];
    if (to) go({ ...place, instruction: to.instruction, turn: to.turn });
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
        {nameOf(turn)} · {money(spent)} so far
      </output>
      <button type="button" disabled={isLatest} onClick={() => go(latest)}>
        Latest
      </button>
    </div>
  );
}
