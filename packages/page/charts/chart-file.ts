/** A chart as a file that speaks for itself: with its title, the run that it is of, what it shows, and its own colours. Pure. */
import { type Chart, type ChartData, USUAL_WIDTH } from "./chart.ts";
import { endLeftOut, inLines } from "./fit.ts";
import { ALONE_STYLE } from "./style.ts";
import { element, text } from "./svg.ts";

const MARGIN = 16;
const LINE = 17;

export function chartFile(chart: Chart, history: ChartData): string | undefined {
  const drawn = chart.svg(history, USUAL_WIDTH);
  const [whole, before, width, height] = drawn?.match(OPENING) ?? [];
  if (drawn === undefined || whole === undefined) return undefined;
  const head = headOf(chart, history.run);
  const above = MARGIN + head.length * LINE + 8;
  const [wide, high] = [Number(width) + 2 * MARGIN, Number(height) + above + MARGIN];
  const [tag, content] = parted(drawn.slice(whole.length));
  const sized = `${before} width="${wide}" height="${high}" viewBox="${-MARGIN} ${-above} ${wide} ${high}"${tag}`;
  const paper = element("rect", { class: "paper", x: -MARGIN, y: -above, width: wide, height: high });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${sized}<style>${ALONE_STYLE}</style>${paper}${head.join("")}${unled(content)}\n`;
}

const OPENING = /^(<svg[^>]*?) viewBox="0 0 (\d+) (\d+)"/;

/** The rest of the opening tag, and the content. */
const parted = (rest: string): [string, string] => {
  const end = rest.indexOf(">") + 1;
  return [rest.slice(0, end), rest.slice(end)];
};

/** Nothing leads anywhere from a file. */
const unled = (content: string): string => content.replace(/ data-(at|file|row)="[^"]*"/g, "");

function headOf(
  { title, description }: Chart,
  { title: task, name, id, profile, createdAt }: ChartData["run"],
): string[] {
  const letters = Math.floor(USUAL_WIDTH / 7);
  const run = `${endLeftOut(name, 40)} (${id}), ${endLeftOut(profile.model, 40)}, ${createdAt.slice(0, 10)}`;
  const lines = [
    title,
    ...inLines(`${endLeftOut(task, letters)} · ${run}`, USUAL_WIDTH),
    ...inLines(description, USUAL_WIDTH),
  ];
  return lines.map((line, index) =>
    element(
      "text",
      { ...(index === 0 ? { class: "head" } : {}), x: 0, y: (index + 1 - lines.length) * LINE - 14 },
      text(line),
    ),
  );
}
