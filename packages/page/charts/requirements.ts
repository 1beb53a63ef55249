/** Which instruction serves which requirement, and how far it is. */
import { scaleLinear } from "d3-scale";
import { INSTRUCTION_STATES, type InstructionState } from "../../../lib/core/run/history.ts";
import { pluralize } from "../../../lib/core/text/format.ts";
import { type Chart, type ChartData, USUAL_WIDTH } from "./chart.ts";
import { endLeftOut } from "./fit.ts";
import { drawing, RIGHT } from "./frame.ts";
import { AXIS_HEIGHT, instructionAxis } from "./instruction-axis.ts";
import { type Box, classOf, filledOf, type Kind, legend, strokes, strokesOf } from "./marks.ts";
import { coverageOf, type RequirementUse } from "./requirement-coverage.ts";
import { namesRoom, ROW, rowNames, rowRules } from "./row-names.ts";
import { element, hint, text } from "./svg.ts";

const KINDS: Record<InstructionState, Kind> = {
  accepted: { colour: "green", shape: "full" },
  unchecked: { colour: "orange", shape: "half" },
  started: { colour: "blue", shape: "thin" },
  stuck: { colour: "red", shape: "crossed" },
  skipped: { colour: "quiet", shape: "struck" },
  pending: { colour: "pale", shape: "hollow" },
};

/** Thinner ones are not seen. */
const COLUMN = 6;

export const requirements: Chart = {
  name: "requirements",
  title: "Requirements and instructions",
  description:
    "A mark where an instruction covers a requirement, with the state of the instruction. If several share a cell, it shows the least advanced one.",
  absent: "There is no program with requirements.",
  svg(history, width = USUAL_WIDTH) {
    const { program } = history;
    if (program.requirements.length === 0 || program.instructions.length === 0) return undefined;
    const { rows, columns, each, servings } = coverageOf(history, (width * 0.6) / COLUMN);
    const names = rows.map(({ name }) => name);
    const left = namesRoom(names, width);
    const key = legend(
      seenOf(history.states).map((state) => ({ label: state, as: KINDS[state] })),
      width,
    );
    const twice = rows.length > FAR;
    const top = key.height + (twice ? 24 : 8);
    const bottom = top + rows.length * ROW;
    const x = scaleLinear([0, columns], [left, width - RIGHT]);
    const begins = program.instructions.map((_, index) => ({ at: index / each, instruction: index + 1 }));
    const title = each === 1 ? "instruction" : `instruction; a column is ${each} of them`;
    const placed = servings.map((serving) => ({ ...serving, box: boxOf(serving, { x, top }) }));
    return drawing({ ...requirements, summary: summaryOf(history), width, height: bottom + AXIS_HEIGHT }, [
      ...key.drawn,
      ...rowNames(names, { left, top, shortened: endLeftOut }),
      rowRules(rows.length, { left, right: width - RIGHT, top }),
      ...instructionAxis({ begins, columns, x, top, bottom, title, twice }),
      ...rows.flatMap(({ isServed }, row) => (isServed ? [] : [unserved(row, { left, top })])),
      ...placed.map(drawn),
      ...(["red", "quiet"] as const).map((colour) => strokes(colour, crossesOf(placed, colour))),
    ]);
  },
  rows: (history) => {
    const states = history.states;
    return [
      ["requirement", "text", "instruction", "title", "state"],
      ...history.program.requirements.flatMap(({ id, text: description }) => {
        const served = history.program.instructions.flatMap(({ requirements: own, title }, index) =>
          own.includes(id) ? [[id, description, index + 1, title, states[index] ?? "pending"]] : [],
        );
        return served.length > 0 ? served : [[id, description, "", "", "no instruction"]];
      }),
    ];
  },
};

/** With more rows, the axis is repeated at the top. */
const FAR = 30;

/** A legend description what is there. */
const seenOf = (states: InstructionState[]): InstructionState[] =>
  INSTRUCTION_STATES.filter((state) => states.includes(state));

const summaryOf = ({ program, states }: ChartData): string => {
  const done = states.filter((state) => state === "accepted").length;
  return `${pluralize(program.requirements.length, "requirement")}, ${done} of ${pluralize(program.instructions.length, "instruction")} accepted.`;
};

type Placed = RequirementUse & { box: Box };

function boxOf(
  { row, column }: Pick<RequirementUse, "row" | "column">,
  { x, top }: { x: (column: number) => number; top: number },
): Box {
  const wide = x(1) - x(0);
  // A mark is a mark, however wide its column is.
  const own = Math.min(wide > 8 ? wide - 2 : wide, WIDE);
  return { x: x(column) + (wide - own) / 2, y: top + row * ROW + 3, width: own, height: ROW - 6 };
}

const WIDE = 48;

const drawn = ({ box, row, state, at, description }: Placed): string =>
  element(
    "rect",
    { class: classOf(KINDS[state]), ...filledOf(KINDS[state].shape, box), "data-at": at, "data-row": row },
    hint(description),
  );

const crossesOf = (placed: Placed[], colour: Kind["colour"]): string =>
  placed.map(({ state, box }) => (KINDS[state].colour === colour ? strokesOf(KINDS[state].shape, box) : "")).join("");

const unserved = (row: number, { left, top }: { left: number; top: number }): string =>
  element("text", { class: "red", x: left + 6, y: top + row * ROW + 12.5 }, text("no instruction serves it"));
