/** Which instruction serves which requirement, and how far it is. */
import type { Run } from "../core/run.ts";
import { drawing, legend, MARGIN, WIDTH } from "./frame.ts";
import type { Picture } from "./picture.ts";
import { element, hint, text } from "./svg.ts";

const ROW = 18;
const NAMES = 220;
const ROWS_MOST = 300;

type State = "accepted" | "running" | "waiting";

const stateOf = (number: number, { pc }: Pick<Run, "pc">): State =>
  number < pc ? "accepted" : number === pc ? "running" : "waiting";

const COLOUR: Record<State, string> = { accepted: "green", running: "orange", waiting: "none" };

export const requirements: Picture = {
  name: "requirements",
  title: "Requirements and instructions",
  says: "A mark where an instruction serves a requirement.",
  svg({ run, program }) {
    const rows = program.requirements.slice(0, ROWS_MOST);
    if (rows.length === 0 || program.instructions.length === 0) return undefined;
    const left = MARGIN.left + NAMES;
    const step = (WIDTH - MARGIN.right - left) / program.instructions.length;
    const labelled = Math.max(1, Math.ceil(24 / step));
    const height = MARGIN.top + rows.length * ROW + MARGIN.bottom;
    return drawing({ title: "Requirements and instructions", height }, [
      ...legend([
        { colour: "green", label: "accepted" },
        { colour: "orange", label: "in execution" },
        { colour: "none", label: "to come" },
      ]),
      ...rows.flatMap(({ id, text: says }, row) => {
        const y = MARGIN.top + row * ROW;
        const cells = program.instructions.flatMap(({ requirements: served, title }, index) =>
          served.includes(id)
            ? [
                element(
                  "rect",
                  {
                    class: COLOUR[stateOf(index + 1, run)],
                    x: left + index * step,
                    y: y + 2,
                    width: Math.max(1, step - 1),
                    height: ROW - 4,
                    "data-at": String(index + 1),
                  },
                  hint(`${id} in ${index + 1}: ${title}`),
                ),
              ]
            : [],
        );
        const name = `${id} ${says.replace(/\s+/g, " ")}`;
        return [
          element("text", { x: 8, y: y + 13 }, hint(name), text(name.length > 40 ? `${name.slice(0, 39)}…` : name)),
          ...cells,
        ];
      }),
      ...program.instructions.flatMap((_, index) =>
        index % labelled === 0 ? [element("text", { x: left + index * step, y: height - 14 }, String(index + 1))] : [],
      ),
    ]);
  },
  rows: ({ run, program }) => [
    ["requirement", "text", "instruction", "title", "state"],
    ...program.requirements.flatMap(({ id, text: says }) =>
      program.instructions.flatMap(({ requirements: served, title }, index) =>
        served.includes(id) ? [[id, says, index + 1, title, stateOf(index + 1, run)]] : [],
      ),
    ),
  ],
};
