/** The pictures of the run until the chosen turn; each can be saved as SVG and as CSV. */
import { useMemo } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program.ts";
import type { ToldTurn } from "../../core/turn.ts";
import { csv } from "../../pictures/csv.ts";
import { alone } from "../../pictures/frame.ts";
import type { History, Picture } from "../../pictures/picture.ts";
import { pictures } from "../../pictures/pictures.ts";
import { Wide } from "./code.tsx";

export function PicturesView({ run, program, turns }: { run: RunView; program: Draft; turns: ToldTurn[] }) {
  const history = { run, program, turns };
  return (
    <>
      {pictures.map((picture) => (
        <PictureView key={picture.name} picture={picture} history={history} />
      ))}
    </>
  );
}

function PictureView({ picture, history }: { picture: Picture; history: History }) {
  const { run, program, turns } = history;
  const svg = useMemo(() => picture.svg(history), [picture, run, program, turns]);
  const name = `${run.name}-${picture.name}`;
  return (
    <section>
      <h2>{picture.title}</h2>
      <p class="quiet">{picture.says}</p>
      {svg ? <Wide label={picture.title} html={svg} /> : <p class="quiet">There is nothing to be drawn yet.</p>}
      <p>
        {svg && (
          <button type="button" onClick={() => save(`${name}.svg`, "image/svg+xml", alone(svg))}>
            SVG
          </button>
        )}{" "}
        <button type="button" onClick={() => save(`${name}.csv`, "text/csv", csv(picture.rows(history)))}>
          CSV
        </button>
      </p>
    </section>
  );
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
