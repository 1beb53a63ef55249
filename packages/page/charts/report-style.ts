/** How the report looks: by day, by night, on a telephone and on paper. */
import { CHART_STYLE, PAGE_COLOURS } from "./style.ts";

export const REPORT_STYLE = `
${PAGE_COLOURS}body { margin: 0; background: var(--l2mac-paper); color: var(--l2mac-ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 58rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.5rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 0.25rem; }
p { margin: 0 0 0.75rem; } .lead { font-size: 1.05rem; } .quiet, footer { color: var(--l2mac-quiet); }
a { color: var(--l2mac-blue); } code { font: 0.92em ui-monospace, Menlo, Consolas, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 1rem 0; }
dt { color: var(--l2mac-quiet); } dd { margin: 0; min-width: 0; }
.good { color: var(--l2mac-green); } .open { color: var(--l2mac-amber); } .bad { color: var(--l2mac-red); }
.state { font-weight: 600; } .whole { overflow-wrap: normal; }
.wide { overflow-x: auto; } .chart svg { display: block; width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.94rem; font-variant-numeric: tabular-nums; }
table.many { min-width: 40rem; }
caption { text-align: left; color: var(--l2mac-quiet); padding: 0 0 0.4rem; }
th, td { text-align: left; vertical-align: top; font-weight: normal; padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--l2mac-line); }
thead th { color: var(--l2mac-quiet); white-space: nowrap; } .number { text-align: right; white-space: nowrap; }
details { color: var(--l2mac-quiet); font-size: 0.94em; } summary { cursor: pointer; } details p { white-space: pre-wrap; margin: 0.25rem 0; }
ul { margin: 0.25rem 0; padding-left: 1.25rem; }
.files, footer { font-size: 0.92rem; } footer { margin-top: 3rem; }
.for-narrow { display: none; }
@media screen and (max-width: 44rem) {
  .for-wide { display: none; } .for-narrow { display: block; max-width: 32rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.5rem; }
}
@media print {
  main { max-width: none; padding: 0; } .chart, tr { break-inside: avoid; } h2 { break-after: avoid; }
  .wide { overflow: visible; } table.many { min-width: 0; }
}
${CHART_STYLE}`;
