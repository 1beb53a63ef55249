/** The report of a run as one HTML page that needs nothing else: no script, no address. Its pictures lie beside it, too. Pure. */
import type { RunPlace } from "../core/run/ending-words.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { section } from "./html.ts";
import type { History, Picture } from "./picture.ts";
import { pictures } from "./pictures.ts";
import { amendments, refusals, unchecked } from "./report-findings.ts";
import { program } from "./report-program.ts";
import { standing } from "./report-standing.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { element, text } from "./svg.ts";

export interface Told extends History {
  events: Event[];
  place: RunPlace;
  /** What its reader types to start this program. */
  launcher: string;
}

/** Where the report has its pictures as files. */
export const PICTURES_FOLDER = "pictures";

/** `digest`: SHA-256 in base 64, by which the page's policy knows its own style. */
export function reportPage(told: Told, digest: (text: string) => string): string {
  const { run } = told;
  const body = element(
    "main",
    {},
    element("h1", {}, text(run.title)),
    standing(told),
    program(told),
    refusals(told),
    amendments(told),
    unchecked(told),
    ...pictures.map((picture) => pictured(picture, told)),
    element("footer", {}, text("Written by l2mac. The page loads nothing, and no script is in it.")),
  );
  return `<!doctype html>\n${element("html", { lang: "en" }, head(run, digest(REPORT_STYLE)), element("body", {}, body))}\n`;
}

const head = (run: Run, styleDigest: string): string =>
  element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    // Whatever got in, nothing of it runs, looks otherwise or leaves.
    element("meta", {
      "http-equiv": "Content-Security-Policy",
      content: `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'`,
    }),
    element("meta", { name: "referrer", content: "no-referrer" }),
    element("title", {}, text(`${run.name} · report`)),
    element("style", {}, REPORT_STYLE),
  );

/** As wide as the page's text, and as a telephone. */
const [WIDE, NARROW] = [928, 358];

function pictured({ name, title, says, absent, svg }: Picture, history: History): string {
  const [wide, narrow] = [WIDE, NARROW].map((width) => svg(history, width));
  const file = (ending: string): string =>
    element("a", { href: `${PICTURES_FOLDER}/${name}.${ending}` }, `${ending.toUpperCase()} of it`);
  const files = wide === undefined ? [file("csv")] : [file("svg"), file("csv")];
  return section(
    { title, class: "picture" },
    element("p", { class: "quiet" }, text(says)),
    ...(wide === undefined || narrow === undefined
      ? [element("p", { class: "quiet" }, text(`There is nothing to be drawn. ${absent}`))]
      : [element("div", { class: "for-wide" }, wide), element("div", { class: "for-narrow" }, narrow)]),
    element("p", { class: "files" }, files.join(" · ")),
  );
}
