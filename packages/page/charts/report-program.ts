/** The program in the report: each instruction with what became of it. Pure. */
import type { InstructionState, RecordedInstruction } from "../../../lib/core/run/history.ts";
import { money, spanWords } from "../../../lib/core/text/format.ts";
import { isDropped, joinsAmong } from "../../../lib/core/turn/lane-turns.ts";
import { describeStuck } from "../../../lib/core/turn/stuck.ts";
import type { ChartData } from "./chart.ts";
import { section, type TableCell, table } from "./html.ts";
import { element, text } from "./svg.ts";

export function program(history: ChartData): string {
  const { instructions } = history.program;
  if (instructions.length === 0) {
    return section({ title: "Program" }, element("p", { class: "quiet" }, "There is no program yet."));
  }
  const own = Map.groupBy(history.turns, ({ instruction }) => instruction);
  const states = history.states;
  const planning = own.get(0) ?? [];
  const rows = instructions.map((instruction, index): TableCell[] => [
    String(index + 1),
    titled(instruction),
    outcome(instruction, states[index] ?? "pending"),
    ...sums(own.get(index + 1) ?? []),
    tookWords(instruction),
    instruction.requirements.join(", "),
  ]);
  const planned: TableCell[][] = planning.length > 0 ? [["plan", "Planning", "", ...sums(planning), "", ""]] : [];
  return section(
    { title: "Program" },
    table({ caption: "Each instruction, in the order of execution", columns: COLUMNS, rows: [...planned, ...rows] }),
  );
}

const COLUMNS = [
  { title: "No.", number: true as const },
  ...[{ title: "Instruction" }, { title: "Outcome" }],
  ...["Turns", "Cost", "Time"].map((title) => ({ title, number: true as const })),
  { title: "Serves" },
];

/** With what it handed to the next one. */
function titled({ title, summary }: RecordedInstruction): TableCell {
  if (!summary) return title;
  const handed = element("details", {}, element("summary", {}, "hand-over"), element("p", {}, text(summary)));
  return { html: text(title) + handed };
}

const MOODS: Record<InstructionState, [mood: string, sign: string]> = {
  accepted: ["good", "✔"],
  unchecked: ["open", "~"],
  started: ["", "▶"],
  stuck: ["bad", "✘"],
  skipped: ["open", "↷"],
  pending: ["quiet", "·"],
};

function outcome({ unchecked = [], trap }: RecordedInstruction, state: InstructionState): TableCell {
  const [mood, sign] = MOODS[state];
  const said = state === "unchecked" ? "accepted, unchecked" : state === "started" ? "started, not accepted" : state;
  const why = state === "unchecked" ? unchecked.join("; ") : trap && state !== "accepted" ? describeStuck(trap) : "";
  return {
    html:
      element("span", { class: `whole ${mood}`.trim() }, text(`${sign}\u00a0${said}`)) +
      (why === "" ? "" : text(`: ${why}`)),
  };
}

/** With what a lane took, dropped or not. To join it is no turn. */
function sums(turns: ChartData["turns"]): string[] {
  const dropped = turns.filter(isDropped);
  const inVain = dropped.length > 0 ? ` (${money(costOf(dropped))} dropped)` : "";
  const isJoin = joinsAmong(turns);
  const taken = turns.filter((turn) => !isJoin(turn)).length;
  return [String(taken), `${money(costOf(turns))}${inVain}`];
}

const costOf = (turns: ChartData["turns"]): number => turns.reduce((sum, { microUsd }) => sum + microUsd, 0);

/** Without the time for which it lay stopped. */
const tookWords = ({ acceptedAt, milliseconds }: RecordedInstruction): string =>
  acceptedAt && milliseconds !== undefined ? spanWords(milliseconds) : "";
