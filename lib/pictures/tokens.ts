/** Tokens of each turn, with what came from the provider's cache and what fits the model's window. */
import type { ToldTurn } from "../core/turn.ts";
import { type Column, columnsOf, leadsTo, NO_COLUMN, placeOf } from "./columns.ts";
import { framed, MARGIN, type Scales, WIDTH } from "./frame.ts";
import type { Picture } from "./picture.ts";
import { element, hint } from "./svg.ts";

export const tokens: Picture = {
  name: "tokens",
  title: "Tokens per turn",
  says: "What each call sent, how much of it the provider had in its cache, and what came back.",
  svg({ run, turns }) {
    const columns = columnsOf(turns);
    const highest = columns.map(highestIn);
    const most = Math.max(0, ...highest.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
    if (most === 0) return undefined;
    const { contextWindow } = run.profile;
    // A window that is far away would press everything else to the ground.
    const shown = contextWindow <= most * FAR ? contextWindow : most;
    return framed({
      title: "Tokens per turn",
      columns,
      most: Math.max(most, shown),
      marks: [
        { colour: "sky", label: "sent, cached" },
        { colour: "blue", label: "sent" },
        { colour: "orange", label: "received" },
        ...(shown === contextWindow ? [{ colour: "red", label: `window of ${contextWindow}` }] : []),
      ],
      body: (scales) => [
        ...highest.flatMap((turn, index) => bars(turn, columns[index] ?? NO_COLUMN, { ...scales, index })),
        ...(shown === contextWindow ? [limit(scales.y(contextWindow))] : []),
      ],
    });
  },
  rows: ({ turns }) => [
    ["instruction", "turn", "sent", "of it cached", "received", "reckoned before the call"],
    ...turns.map(({ instruction, turn, inputTokens, cachedTokens, outputTokens, contextTokens }) => [
      instruction,
      turn,
      inputTokens,
      cachedTokens,
      outputTokens,
      contextTokens ?? "",
    ]),
  ],
};

const FAR = 8;

type Used = Pick<ToldTurn, "inputTokens" | "cachedTokens" | "outputTokens">;

const highestIn = ({ turns }: Column): Used =>
  turns.reduce<Used>((high, turn) => (turn.inputTokens > high.inputTokens ? turn : high), {
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
  });

function bars(
  { inputTokens, cachedTokens, outputTokens }: Used,
  column: Column,
  { x, y, index }: Scales & { index: number },
): string[] {
  const words = `${placeOf(column)}: ${inputTokens} sent, ${cachedTokens} of it cached, ${outputTokens} received`;
  const bar = (colour: string, from: number, to: number): string =>
    to <= from
      ? ""
      : element(
          "rect",
          {
            ...{ class: colour, x: x(index), y: y(to), width: Math.max(0.5, (x(1) - x(0)) * 0.9) },
            ...{ height: y(from) - y(to), ...leadsTo(column) },
          },
          hint(words),
        );
  return [
    bar("sky", 0, cachedTokens),
    bar("blue", cachedTokens, inputTokens),
    bar("orange", inputTokens, inputTokens + outputTokens),
  ];
}

const limit = (at: number): string =>
  element("path", { class: "limit", d: `M${MARGIN.left} ${at.toFixed(1)}H${WIDTH - MARGIN.right}` });
