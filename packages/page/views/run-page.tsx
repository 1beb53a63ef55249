/** One run: its program, what was said, its files, its charts; all as it stood at the turn that is chosen. */
import { useMemo, useState } from "preact/hooks";
import { historyOf, indexOfTurn, type RunSnapshot } from "../../../lib/core/run/history.ts";
import { pluralize } from "../../../lib/core/text/format.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { type RunData, useRun } from "../browser/run-data.ts";
import { useColumns } from "../browser/use-columns.ts";
import { type EditedProgram, startEdit } from "../program-edit.ts";
import { type Navigate, type RunRoute, tabOf } from "../route.ts";
import { ProgramEditor } from "./approval/program-editor.tsx";
import { PicturesView } from "./charts-view.tsx";
import { Divider } from "./divider.tsx";
import { FileView } from "./file-view.tsx";
import { FilesList } from "./files-list.tsx";
import { Fold } from "./fold.tsx";
import { ProgramList } from "./program-list.tsx";
import { ResultView } from "./result/result-view.tsx";
import { RunHead } from "./run-head.tsx";
import { Scrubber } from "./scrubber.tsx";
import { SearchView } from "./search/search-view.tsx";
import { Tabs } from "./tabs.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import { Loading, OutageNotice } from "./waiting.tsx";

export function RunPage({ route, navigate, hasArrived }: { route: RunRoute; navigate: Navigate; hasArrived: boolean }) {
  const data = useRun(route.id);
  const { run, turns, program, start } = data;
  // Changes survive a look at another tab.
  const [edited, edit] = useState<EditedProgram>();
  const [columns, resize] = useColumns();
  const chosen = chosenTurn(turns, route);
  const history = useMemo(() => historyOf({ turns, program, start }), [turns, program, start]);
  const seen = useMemo(() => turns.slice(0, chosen + 1), [turns, chosen]);
  const snapshot = useMemo(() => history.at(chosen), [history, chosen]);
  if (!run || data.gone) return <Opening data={data} />;
  const turn = turns[chosen];
  const number = route.instruction ?? turn?.instruction;
  const view = { run, isLatest: chosen === turns.length - 1, now: Date.now() };
  const shown = { run, program, turn, snapshot, view, route, navigate };
  const tab = tabOf(route, run);
  return (
    <main class="run" style={columns.style}>
      <RunHead run={run} data={data} program={program} edited={edited} navigate={navigate} hasArrived={hasArrived} />
      <Scrubber turns={turns} chosen={chosen} route={route} navigate={navigate} spent={snapshot.microUsd} />
      <Fold name="program" label="Program" summary={programWords(snapshot, number, history.instructions)} until={route}>
        <ProgramList
          {...{ run, program, snapshot, view, route, navigate }}
          count={history.instructions}
          chosen={number}
        />
      </Fold>
      <Divider column="program" width={columns.program} resize={resize} />
      <section class="centre">
        <Tabs run={run} route={route} navigate={navigate} />
        {tab === "result" ? (
          <ResultView run={run} snapshot={history.at(turns.length - 1)} />
        ) : tab === "program" ? (
          <ProgramEditor edited={edited ?? startEdit(program)} change={edit} />
        ) : tab === "search" ? (
          <SearchView turns={turns} paths={pathsOf(history.at(turns.length - 1))} route={route} navigate={navigate} />
        ) : tab === "charts" ? (
          <PicturesView {...{ run, program, snapshot, route, navigate }} turns={seen} />
        ) : tab === "file" && route.file !== undefined ? (
          <FileView {...{ run, turns, chosen, snapshot, route, navigate }} history={history} path={route.file} />
        ) : (
          <Transcript {...shown} />
        )}
      </section>
      <Divider column="files" width={columns.files} resize={resize} />
      <Fold name="files" label="Files" summary={pluralize(snapshot.files().length, "file")} until={route}>
        <FilesList snapshot={snapshot} turn={turn} route={route} navigate={navigate} />
      </Fold>
    </main>
  );
}

const pathsOf = (snapshot: RunSnapshot): string[] => snapshot.files().map(({ path }) => path);

/** Shown while the program is folded: the chosen instruction. */
function programWords(snapshot: RunSnapshot, number: number | undefined, count: number): string {
  if (number === undefined || count === 0) return "Program";
  return number === 0 ? "Planning" : `${number}/${count} ${reveal(snapshot.instruction(number).title)}`;
}

/** The latest, if none is chosen. */
function chosenTurn(turns: TurnRecord[], { instruction, turn, lane }: RunRoute): number {
  if (instruction === undefined) return turns.length - 1;
  const found = indexOfTurn(turns, { instruction, ...(turn === undefined ? {} : { turn, lane }) });
  return found < 0 ? turns.length - 1 : found;
}

const Opening = ({ data: { outage, gone } }: { data: RunData }) => (
  <main class="narrow">
    <p>
      <a href="#runs">All runs</a>
    </p>
    {gone ? (
      <p role="status">There is no run with this id on this server. It was deleted, or it belongs to another server.</p>
    ) : outage ? (
      <OutageNotice outage={outage} />
    ) : (
      <Loading what="Loading the run" />
    )}
  </main>
);
