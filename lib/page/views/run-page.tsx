/** One run: its program, what was said, its files, its pictures; all as it stood at the turn that is chosen. */

import { useMemo } from "preact/hooks";
import { historyOf, indexOfTurn, type RunSnapshot } from "../../core/run/history.ts";
import { pluralize } from "../../core/text/format.ts";
import { reveal } from "../../core/text/sanitize.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import { type RunData, useRun } from "../browser/run-data.ts";
import type { Go, RunPlace } from "../place.ts";
import { AwayState } from "./away-state.tsx";
import { FileView } from "./file-view.tsx";
import { FilesList } from "./files-list.tsx";
import { Fold } from "./fold.tsx";
import { Late } from "./late.tsx";
import { PicturesView } from "./pictures-view.tsx";
import { ProgramList } from "./program-list.tsx";
import { RunHead } from "./run-head.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Tabs } from "./tabs.tsx";
import { Transcript } from "./transcript.tsx";

interface Given {
  place: RunPlace;
  go: Go;
  hasArrived: boolean;
}

export function RunPage({ place, go, hasArrived }: Given) {
  const data = useRun(place.id);
  const { run, turns, program, start } = data;
  const chosen = chosenTurn(turns, place);
  const history = useMemo(() => historyOf({ turns, program, start }), [turns, program, start]);
  const seen = useMemo(() => turns.slice(0, chosen + 1), [turns, chosen]);
  const snapshot = useMemo(() => history.at(chosen), [history, chosen]);
  if (!run || data.gone) return <Opening data={data} />;
  const turn = turns[chosen];
  const number = place.instruction ?? turn?.instruction;
  const view = { run, isLatest: chosen === turns.length - 1, now: Date.now() };
  const shown = { run, program, turn, snapshot, view, place, go };
  return (
    <main class="run">
      <RunHead run={run} data={data} program={program} go={go} hasArrived={hasArrived} />
      <Scrubber turns={turns} chosen={chosen} place={place} go={go} spent={snapshot.microUsd} />
      <Fold name="program" label="Program" says={programWords(snapshot, number, history.instructions)} until={place}>
        <ProgramList {...{ snapshot, view, place, go }} count={history.instructions} chosen={number} />
      </Fold>
      <section class="centre">
        <Tabs place={place} go={go} />
        {place.tab === "pictures" ? (
          <PicturesView {...{ run, program, snapshot, place, go }} turns={seen} />
        ) : place.tab === "file" && place.file !== undefined ? (
          <FileView {...{ run, turns, chosen, snapshot, place, go }} history={history} path={place.file} />
        ) : (
          <Transcript {...shown} />
        )}
      </section>
      <Fold name="files" label="Files" says={pluralize(snapshot.files().length, "file")} until={place}>
        <FilesList snapshot={snapshot} turn={turn} place={place} go={go} />
      </Fold>
    </main>
  );
}

/** What a folded program says: where its counter is. */
function programWords(snapshot: RunSnapshot, number: number | undefined, count: number): string {
  if (number === undefined || count === 0) return "Program";
  return number === 0 ? "Planning" : `${number}/${count} ${reveal(snapshot.instruction(number).title)}`;
}

/** Without a choice the latest. */
function chosenTurn(turns: ToldTurn[], { instruction, turn }: RunPlace): number {
  if (instruction === undefined) return turns.length - 1;
  const found = indexOfTurn(turns, { instruction, ...(turn === undefined ? {} : { turn }) });
  return found < 0 ? turns.length - 1 : found;
}

const Opening = ({ data: { away, gone } }: { data: RunData }) => (
  <main class="narrow">
    <p>
      <a href="#runs">All runs</a>
    </p>
    {gone ? (
      <p role="status">There is no run with this id here. It was deleted, or it is kept elsewhere.</p>
    ) : away ? (
      <AwayState away={away} />
    ) : (
      <Late what="Opening the run" />
    )}
  </main>
);
