/** Tokens of each turn, with what came from the provider's cache and what fits the model's window. */
import type { TurnRecord } from "../core/turn/turn.ts";
import { type Chart, USUAL_WIDTH } from "./chart.ts";
import type { Column } from "./columns.ts";
import { bars, columnsFor, countWords, framed, overColumns, type Scales } from "./frame.ts";
import { LANE_COLUMNS, laneCells } from "./lane-cells.ts";
import type { Mark } from "./marks.ts";
import { element } from "./svg.ts";

export const tokens: Chart = {
  name: "tokens",
  title: "Tokens per turn",
  description:
    "Tokens that each call sent, how many of them the provider had cached, and how many it received, with the model's context window.",
  absent: "No call was answered.",
  svg({ run, turns }, width = USUAL_WIDTH) {
    const columns = columnsFor({ turns }, width);
    const highest = columns.map(highestIn);
    const most = Math.max(0, ...highest.map(sumOf));
    if (most === 0) return undefined;
    const { contextWindow } = run.profile;
    // A window that is far away would press everything else to the ground.
    const isNear = contextWindow <= most * FAR;
    const summary = `At most ${countWords(most)} tokens in a turn, of a window of ${countWords(contextWindow)}; cached: ${cachedShare(turns)}.`;
    return framed({
      title: tokens.title,
      summary,
      width,
      columns,
      unit: "tokens",
      several: "the largest of them",
      most: isNear ? Math.max(most, contextWindow) : most,
      format: countWords,
      marks: marksOf({ share: cachedShare(turns), window: countWords(contextWindow), isNear }),
      body: (scales) => [
        bars(
          "sky",
          highest.map(({ cachedTokens }) => [0, cachedTokens]),
          scales,
        ),
        bars(
          "blue",
          highest.map(({ cachedTokens, inputTokens }) => [cachedTokens, inputTokens]),
          scales,
        ),
        bars(
          "orange",
          highest.map(({ inputTokens: sent, outputTokens: got }) => [sent, sent + got]),
          scales,
        ),
        ...(isNear ? [windowLine(contextWindow, scales)] : []),
        ...overColumns(scales, (index) => wordsOf(highest[index] ?? NONE)),
      ],
    });
  },
  rows: ({ run, turns }) => [
    ["instruction", "turn", "sent", "cached", "received", "estimated", "context_window", ...LANE_COLUMNS],
    ...turns.map(({ instruction, turn, inputTokens, cachedTokens, outputTokens, contextTokens, ...of }) => [
      ...[instruction, turn, inputTokens, cachedTokens, outputTokens],
      ...[contextTokens ?? "", run.profile.contextWindow, ...laneCells(of)],
    ]),
  ],
};

/** A window so many times higher than the highest turn is said, and not drawn. */
const FAR = 8;

type Used = Pick<TurnRecord, "inputTokens" | "cachedTokens" | "outputTokens">;

const NONE: Used = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

const sumOf = ({ inputTokens, outputTokens }: Used): number => inputTokens + outputTokens;

const highestIn = ({ turns }: Column): Used =>
  turns.reduce<Used>((high, turn) => (sumOf(turn) > sumOf(high) ? turn : high), NONE);

const wordsOf = ({ inputTokens, cachedTokens, outputTokens }: Used): string =>
  `${inputTokens} sent, ${cachedTokens} of it cached, ${outputTokens} received`;

function cachedShare(turns: TurnRecord[]): string {
  const sent = turns.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  const cached = turns.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0);
  return `${sent === 0 ? 0 : Math.round((100 * cached) / sent)} % of all sent`;
}

const marksOf = ({ share, window, isNear }: { share: string; window: string; isNear: boolean }): Mark[] => [
  { as: { colour: "sky", shape: "full" }, label: `sent, cached (${share})` },
  { as: { colour: "blue", shape: "full" }, label: "sent, not cached" },
  { as: { colour: "orange", shape: "full" }, label: "received" },
  { as: "limit", label: `context window ${window}${isNear ? "" : ", far above"}` },
];

const windowLine = (holds: number, { left, right, y }: Scales): string =>
  element("path", { class: "limit", d: `M${left} ${y(holds).toFixed(1)}H${right}` });
