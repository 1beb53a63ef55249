/** Findings in the report: refusals of the gate, changed locked tests, and what is unchecked. Pure. */
import { pluralize } from "../../../lib/core/text/format.ts";
import { turnAddress } from "../../../lib/core/turn/turn-address.ts";
import { section, table } from "./html.ts";
import type { ReportInput } from "./report-page.ts";
import { element, text } from "./svg.ts";

const nothing = (title: string, message: string): string =>
  section({ title }, element("p", { class: "quiet" }, text(message)));

/** Each time the gate refused an instruction. */
export function refusals(input: ReportInput): string {
  const rows = refused(input).map(({ at, why }) => [at, why]);
  const title = "Refused by the gate";
  if (rows.length === 0) return nothing(title, "The gate refused nothing.");
  const caption = `${pluralize(rows.length, "time")}, by instruction and turn`;
  return section({ title }, table({ caption, columns: [{ title: "Turn" }, { title: "Why" }], rows }));
}

/** The event message where; where there is none, its turn message what. */
function refused({ turns, events }: ReportInput): { at: string; why: string }[] {
  const reasons = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "verdict" || event.gate !== "blocked") continue;
    reasons.set(turnAddress(event), (event.refusal ?? [event.detail]).join("; "));
  }
  return turns.flatMap(({ refused: brief, ...turn }) => {
    const at = turnAddress(turn);
    const why = reasons.get(at) || brief;
    return why === undefined ? [] : [{ at, why }];
  });
}

export function amendments({ program }: ReportInput): string {
  const rows = program.instructions.flatMap(({ amendments: own = [] }, index) =>
    own.map(({ path, reason }) => [path, String(index + 1), reason]),
  );
  const title = "Locked tests that were changed";
  if (rows.length === 0) return nothing(title, "No locked test was changed.");
  const columns = [{ title: "Test" }, { title: "Instruction", number: true as const }, { title: "Reason given" }];
  return section(
    { title },
    table({ caption: `${pluralize(rows.length, "amendment")}, each with its reason`, columns, rows }),
  );
}

export function unchecked({ run, program }: ReportInput): string {
  const title = "Not checked";
  const rows = program.instructions.flatMap(({ unchecked: own = [], title: name }, index) =>
    own.length > 0 ? [[String(index + 1), name, own.join("; ")]] : [],
  );
  const now = run.unchecked.map((why) => element("li", {}, text(why)));
  if (rows.length + now.length === 0) return nothing(title, "Nothing was left unchecked.");
  const columns = [{ title: "No.", number: true as const }, { title: "Instruction" }, { title: "What, and why" }];
  return section(
    { title },
    now.length > 0
      ? element("p", {}, "At the end of the run:") + element("ul", {}, ...now)
      : element("p", {}, "The run is checked at its end, but these instructions were not when they were accepted:"),
    ...(rows.length > 0 ? [table({ caption: "When each instruction was accepted", columns, rows })] : []),
  );
}
