/** The report of a run as one HTML page that needs nothing else: no script, no address, no file beside it. Pure. */
import { MICRO } from "../core/budget.ts";
import { counted } from "../core/counted.ts";
import { acceptedOf, type Run } from "../core/run.ts";
import type { History, Picture } from "./picture.ts";
import { pictures } from "./pictures.ts";
import { PAGE_COLOURS, PICTURE_STYLE } from "./style.ts";
import { element, text } from "./svg.ts";

export function reportPage(history: History): string {
  const { run } = history;
  const body = [
    element("h1", {}, text(run.title)),
    element("p", { class: "lead" }, text(standing(run))),
    facts(run),
    ...pictures.map((picture) => section(picture, history)),
    program(history),
    element("footer", {}, text("Written by l2mac. Everything in this page is in this file.")),
  ];
  return `<!doctype html>\n${element("html", { lang: "en" }, head(run), element("body", {}, element("main", {}, ...body)))}\n`;
}

const standing = ({ status, reason, detail }: Run): string =>
  `${status}${reason && reason !== status ? ` (${reason.replaceAll("_", " ")})` : ""}${detail ? `: ${detail}` : ""}`;

const head = (run: Run): string =>
  element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    // Whatever got in, nothing of it runs and nothing leaves.
    element("meta", {
      "http-equiv": "Content-Security-Policy",
      content: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    }),
    element("title", {}, text(`${run.name} · report`)),
    element("style", {}, STYLE),
  );

const STYLE = `
${PAGE_COLOURS}body { margin: 0; background: var(--l2mac-paper); color: var(--l2mac-ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin: 2.5rem 0 0.25rem; }
p { margin: 0 0 0.75rem; } .lead { font-size: 1.05rem; } .quiet, footer { color: var(--l2mac-quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 1rem 0; }
dt { color: var(--l2mac-quiet); } dd { margin: 0; }
.wide { overflow-x: auto; } svg { display: block; width: 100%; min-width: 36rem; height: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--l2mac-line); }
th { color: var(--l2mac-quiet); font-weight: normal; } .number { text-align: right; white-space: nowrap; }
footer { margin-top: 3rem; font-size: 0.9rem; }
${PICTURE_STYLE}`;

function facts(run: Run): string {
  const rows: [string, string][] = [
    ["run", `${run.id} (${run.name})`],
    ["model", (run.models ?? [run.profile]).map(({ model }) => model).join(", ")],
    ["done", `${acceptedOf(run)} of ${counted(run.instructions, "instruction")}, ${counted(run.files, "file")}`],
    ["tests", run.testsTotal > 0 ? `${run.testsPassed} of ${run.testsTotal} passed` : "none"],
    ["cost", `${dollars(run.microUsd)}, ${counted(run.turns, "turn")}`],
    ["tokens", `${run.inputTokens} sent (${run.cachedTokens} of them cached), ${run.outputTokens} received`],
    ["began", run.createdAt],
    ...(run.endedAt ? ([["ended", run.endedAt]] as [string, string][]) : []),
    ...(run.unchecked.length > 0 ? ([["unchecked", run.unchecked.join("; ")]] as [string, string][]) : []),
  ];
  return element(
    "dl",
    {},
    ...rows.map(([name, value]) => element("dt", {}, text(name)) + element("dd", {}, text(value))),
  );
}

const dollars = (microUsd: number): string => `$${(microUsd / MICRO).toFixed(4)}`;

function section({ title, says, svg }: Picture, history: History): string {
  const drawn = svg(history);
  const shown = drawn ? wide(title, drawn) : element("p", { class: "quiet" }, "There is nothing to be drawn.");
  return element("section", {}, element("h2", {}, text(title)), element("p", { class: "quiet" }, text(says)), shown);
}

function program({ run, program, turns }: History): string {
  const rows = program.instructions.map(({ title, requirements }, index) => {
    const number = index + 1;
    const own = turns.filter(({ instruction }) => instruction === number);
    const cost = own.reduce((sum, { microUsd }) => sum + microUsd, 0);
    const state = number < run.pc ? "done" : number === run.pc && own.length > 0 ? "begun" : "to come";
    const cells: [string, boolean][] = [
      [String(number), true],
      [title, false],
      [requirements.join(", "), false],
      [state, false],
      [String(own.length), true],
      [dollars(cost), true],
    ];
    return element("tr", {}, ...cells.map(([value, isNumber]) => cell("td", value, isNumber)));
  });
  const titles: [string, boolean][] = [
    ["", true],
    ["instruction", false],
    ["requirements", false],
    ["state", false],
    ["turns", true],
    ["cost", true],
  ];
  const headRow = element("tr", {}, ...titles.map(([value, isNumber]) => cell("th", value, isNumber)));
  const table = element("table", {}, element("thead", {}, headRow), element("tbody", {}, ...rows));
  return element("section", {}, element("h2", {}, "Program"), wide("Program", table));
}

/** What is wider than the window scrolls in itself, also without a mouse. */
const wide = (label: string, content: string): string =>
  element("div", { class: "wide", role: "region", "aria-label": label, tabindex: 0 }, content);

const cell = (name: string, value: string, isNumber: boolean): string =>
  element(name, isNumber ? { class: "number" } : {}, text(value));
