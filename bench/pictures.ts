/** The pictures of a large run: how long all of them take to be drawn, and how large they are as files. */
import { chartFile } from "../packages/page/charts/chart-file.ts";
import { charts as all } from "../packages/page/charts/charts.ts";
import { FILES, INSTRUCTIONS, largeHistory, TURNS } from "./large-run.ts";
import { median, milliseconds, type Row } from "./table.ts";

const TIMES = 5;
const DRAWN_AIM_MS = 1_000;
const BYTES_AIM = 1_000_000;
/** Of the pictures in the page, where it is 1,280 pixels wide. */
const WIDTH = 590;

export async function pictures(): Promise<Row[]> {
  const history = largeHistory();
  const what = `pictures of ${INSTRUCTIONS} instructions, ${TURNS} turns and ${FILES} files`;
  const times = Array.from({ length: TIMES }, () => {
    const before = performance.now();
    for (const { svg } of all) svg(history, WIDTH);
    return performance.now() - before;
  });
  const sizes = all.map((picture) => ({ name: picture.name, bytes: (chartFile(picture, history) ?? "").length }));
  const largest = sizes.reduce((high, size) => (size.bytes > high.bytes ? size : high));
  const shapes = all.reduce((sum, { svg }) => sum + ((svg(history, WIDTH) ?? "").match(/<[a-z]/g)?.length ?? 0), 0);
  return [
    {
      what: `${what}: all ${all.length} drawn`,
      figure: `${milliseconds(median(times))} (${shapes} elements)`,
      aim: `≤ ${DRAWN_AIM_MS} ms`,
      reached: median(times) <= DRAWN_AIM_MS,
    },
    {
      what: `${what}: the largest as a file`,
      figure: `${largest.name}, ${Math.round(largest.bytes / 1_000)} KB`,
      aim: `≤ ${BYTES_AIM / 1_000} KB`,
      reached: largest.bytes <= BYTES_AIM,
    },
  ];
}
