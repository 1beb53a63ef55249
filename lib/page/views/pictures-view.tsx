/** The pictures of the run until the chosen turn: a cell leads to what it shows; each can be saved as SVG and as CSV. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../api/answers.ts";
import { csv } from "../../charts/csv.ts";
import type { ChartData, Picture } from "../../charts/picture.ts";
import { pictureFile } from "../../charts/picture-file.ts";
import { pictures } from "../../charts/pictures.ts";
import type { RunSnapshot } from "../../core/run/history.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import { save } from "../browser/save.ts";
import { useSettled } from "../browser/use-settled.ts";
import { useWidth } from "../browser/use-width.ts";
import { nearestCell } from "../nearest-cell.ts";
import type { Go, RunPlace } from "../place.ts";
import { Wide } from "./code.tsx";

interface Given {
  run: RunView;
  program: ProgramAnswer;
  turns: ToldTurn[];
  snapshot: RunSnapshot;
  place: RunPlace;
  go: Go;
}

/** Drawing takes longer than a scrubber stays at one turn. */
const DRAWN_AFTER_MS = 200;

/** One after the other, so that the page answers in between. */
const APART_MS = 30;

export function PicturesView({ run, program, turns, snapshot, place, go }: Given) {
  const data = useMemo(() => ({ run, program, turns, states: snapshot.states() }), [run, program, turns, snapshot]);
  const { measured, width } = useWidth();
  const there = useOneByOne(pictures.length);
  const open = (cell: SVGElement): void => go(placeIn(cell, place));
  return (
    <div ref={measured}>
      {width !== undefined &&
        pictures
          .slice(0, there)
          .map((picture, index) => (
            <PictureView key={picture.name} {...{ picture, data, width, open }} after={index * APART_MS} />
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

/** Of a file, what it became there; else the turn. */
function placeIn({ dataset: { at = "", file } }: SVGElement, { id }: RunPlace): RunPlace {
  const [instruction = 0, turn] = at.split(".").map(Number);
  const there = { view: "run", id, instruction, ...(turn === undefined ? {} : { turn }) } as const;
  if (file === undefined) return { ...there, tab: "transcript" };
  return { ...there, tab: "file", file: decodeURIComponent(file), against: "last" };
}

interface PictureGiven {
  picture: Picture;
  data: ChartData;
  width: number;
  /** In milliseconds, behind the first. */
  after: number;
  open: (cell: SVGElement) => void;
}

function PictureView({ picture, after, open, ...latest }: PictureGiven) {
  const { data, width } = useSettled(
    useMemo(() => latest, [latest.data, latest.width]),
    DRAWN_AFTER_MS + after,
  );
  const svg = useMemo(() => picture.svg(data, width), [picture, data, width]);
  const [told, setTold] = useState("");
  const name = `${data.run.name}-${picture.name}`;
  return (
    <section class="picture">
      <h2>{picture.title}</h2>
      <p class="quiet">{picture.says}</p>
      {svg ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what happens in the picture, which can be focused
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
          onFocusIn={({ target }) => setTold(cellOf(target)?.querySelector("title")?.textContent ?? "")}
        >
          <Wide label={`${picture.title}: arrow keys choose, Enter opens`} html={svg} />
        </div>
      ) : (
        <p class="quiet">{picture.absent}</p>
      )}
      <p>
        {svg && (
          <button type="button" onClick={() => save(`${name}.svg`, pictureFile(picture, data) ?? "", "image/svg+xml")}>
            SVG
          </button>
        )}{" "}
        <button type="button" onClick={() => save(`${name}.csv`, csv(picture.rows(data)), "text/csv")}>
          CSV
        </button>{" "}
        <output class="quiet">{told}</output>
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
