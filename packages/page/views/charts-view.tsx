/** The charts of a run up to the chosen turn. A mark opens what it shows; each chart can be saved as SVG and CSV. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../../lib/api/answers.ts";
import type { RunSnapshot } from "../../../lib/core/run/history.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { readTurnAddress } from "../../../lib/core/turn/turn-address.ts";
import { save } from "../browser/save.ts";
import { useDebounced } from "../browser/use-debounced.ts";
import { useWidth } from "../browser/use-width.ts";
import type { Chart, ChartData } from "../charts/chart.ts";
import { chartFile } from "../charts/chart-file.ts";
import { charts } from "../charts/charts.ts";
import { csv } from "../charts/csv.ts";
import { nearestCell } from "../nearest-cell.ts";
import { type Navigate, placeOf, type RunRoute } from "../route.ts";
import { Wide } from "./code.tsx";

interface PicturesViewProps {
  run: RunView;
  program: ProgramAnswer;
  turns: TurnRecord[];
  snapshot: RunSnapshot;
  route: RunRoute;
  navigate: Navigate;
}

/** Drawing is slower than scrubbing. */
const DRAWN_AFTER_MS = 200;

/** Charts are drawn one after the other, so that the page stays responsive. */
const APART_MS = 30;

export function PicturesView({ run, program, turns, snapshot, route, navigate }: PicturesViewProps) {
  const data = useMemo(() => ({ run, program, turns, states: snapshot.states() }), [run, program, turns, snapshot]);
  const { measured, width } = useWidth();
  const there = useOneByOne(charts.length);
  const open = (cell: SVGElement): void => navigate(routeIn(cell, route));
  return (
    <div ref={measured}>
      {width !== undefined &&
        charts
          .slice(0, there)
          .map((chart, index) => (
            <PictureView key={chart.name} {...{ chart, data, width, open }} after={index * APART_MS} />
          ))}
    </div>
  );
}

function useOneByOne(count: number): number {
  const [there, setThere] = useState(1);
  useEffect(() => {
    if (there >= count) return;
    const timer = setTimeout(() => setThere(there + 1));
    return () => clearTimeout(timer);
  }, [there, count]);
  return there;
}

/** For a file: its change there; otherwise the turn. */
function routeIn({ dataset: { at = "", file } }: SVGElement, { id }: RunRoute): RunRoute {
  const turn = readTurnAddress(at);
  const there = { view: "run", id, ...(turn ? placeOf(turn) : { instruction: Number(at) }) } as const;
  if (file === undefined) return { ...there, tab: "transcript" };
  return { ...there, tab: "file", file: decodeURIComponent(file), against: "last" };
}

interface PictureProps {
  chart: Chart;
  data: ChartData;
  width: number;
  /** In milliseconds, behind the first. */
  after: number;
  open: (cell: SVGElement) => void;
}

function PictureView({ chart, after, open, ...latest }: PictureProps) {
  const { data, width } = useDebounced(
    useMemo(() => latest, [latest.data, latest.width]),
    DRAWN_AFTER_MS + after,
  );
  const svg = useMemo(() => chart.svg(data, width), [chart, data, width]);
  const [hint, setHint] = useState("");
  const name = `${data.run.name}-${chart.name}`;
  return (
    <section class="chart">
      <h2>{chart.title}</h2>
      <p class="quiet">{chart.description}</p>
      {svg ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what happens in the chart, which can be focused
        <div
          onClick={({ target }) => {
            const cell = cellOf(target);
            if (cell) open(cell);
          }}
          onKeyDown={(event) => {
            const cell = event.key === "Enter" ? cellOf(event.target) : undefined;
            if (cell) open(cell);
            else moveIn(event);
          }}
          onFocusIn={({ target }) => setHint(cellOf(target)?.querySelector("title")?.textContent ?? "")}
        >
          <Wide label={`${chart.title}: arrow keys choose, Enter opens`} html={svg} />
        </div>
      ) : (
        <p class="quiet">{chart.absent}</p>
      )}
      <p>
        {svg && (
          <button type="button" onClick={() => save(`${name}.svg`, chartFile(chart, data) ?? "", "image/svg+xml")}>
            SVG
          </button>
        )}{" "}
        <button type="button" onClick={() => save(`${name}.csv`, csv(chart.rows(data)), "text/csv")}>
          CSV
        </button>{" "}
        <output class="quiet">{hint}</output>
      </p>
    </section>
  );
}

const cellOf = (target: EventTarget | null): SVGElement | undefined =>
  (target instanceof Element ? target.closest<SVGElement>("[data-at]") : undefined) ?? undefined;

function moveIn(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (!event.key.startsWith("Arrow")) return;
  const cells = [...event.currentTarget.querySelectorAll<SVGElement>("[data-at]")];
  const placed = cells.map((cell) => ({
    x: Number(cell.getAttribute("x")),
    y: Number(cell.getAttribute("y")),
    row: cell.dataset.row,
  }));
  const from = cells.indexOf(event.target as SVGElement);
  const next = cells[nearestCell(placed, from < 0 ? undefined : from, event.key) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.setAttribute("tabindex", "-1");
  next.focus();
}
