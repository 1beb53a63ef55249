/** One run: its program, what was said, its files, its pictures; all as it stood at the turn that is chosen. */
import { useMemo } from "preact/hooks";
import type { ToldTurn } from "../../core/turn.ts";
import { type RunData, useRun } from "../browser/run-data.ts";
import type { Go, RunPlace } from "../place.ts";
import { nameOf, placeOf, timelineOf } from "../timeline.ts";
import { money } from "../words.ts";
import { Actions } from "./actions.tsx";
import { FileView } from "./file-view.tsx";
import { FilesList } from "./files-list.tsx";
import { Late } from "./late.tsx";
import { PicturesView } from "./pictures-view.tsx";
import { ProgramList } from "./program-list.tsx";
import { RunState } from "./run-state.tsx";
import { Transcript } from "./transcript.tsx";

export function RunPage({ place, go }: { place: RunPlace; go: Go }) {
  const data = useRun(place.id);
  const { run, turns, program, start } = data;
  const chosen = chosenTurn(turns, place);
  const timeline = useMemo(() => timelineOf({ turns, program, start }), [turns, program, start]);
  const seen = useMemo(() => turns.slice(0, chosen + 1), [turns, chosen]);
  const then = useMemo(() => timeline.at(chosen), [timeline, chosen]);
  if (!run || data.gone) return <Opening data={data} />;
  const turn = turns[chosen];
  const shown = { run, program, turn, then, place, go };
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
      <Scrubber turns={turns} chosen={chosen} place={place} go={go} spent={then.microUsd} />
      <nav class="program" aria-label="Program">
        <ProgramList
          then={then}
          count={timeline.instructions}
          chosen={place.instruction ?? turn?.instruction}
          place={place}
          go={go}
        />
      </nav>
      <section class="centre">
        <Tabs place={place} go={go} />
        {place.tab === "pictures" ? (
          <PicturesView run={run} program={program} turns={seen} place={place} go={go} />
        ) : place.tab === "file" && place.file !== undefined ? (
          <FileView {...shown} timeline={timeline} path={place.file} />
        ) : (
          <Transcript {...shown} />
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

const Opening = ({ data: { problem, lost, gone } }: { data: RunData }) => (
  <main class="narrow">
    <p>
      <a href="#runs">All runs</a>
    </p>
    {gone ? (
      <p role="status">There is no run with this id here. It was deleted, or it is kept elsewhere.</p>
    ) : problem ? (
      <p class="lost" role="alert">
        {problem}
      </p>
    ) : lost ? (
      <p role="status">The server does not answer. Trying again.</p>
    ) : (
      <Late what="Opening the run" />
    )}
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
  place: RunPlace;
  go: Go;
  spent: number;
}

function Scrubber({ turns, chosen, place, go, spent }: Scrubbing) {
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
        {nameOf(turn)} · {money(spent)} so far
      </output>
      <button type="button" disabled={place.instruction === undefined} onClick={() => go(latest)}>
        Latest
      </button>
    </div>
  );
}
