/** The colours of the charts in light and dark mode, safe for colour-blind readers. */

const DAY: Record<string, string> = {
  paper: "#ffffff",
  ink: "#1d2330",
  quiet: "#5c6577",
  line: "#d9dee7",
  blue: "#0067a3",
  green: "#00785a",
  orange: "#c98500",
  red: "#c04600",
  pale: "#8a93a5",
  amber: "#875800",
};

const NIGHT: Record<string, string> = {
  paper: "#14171d",
  ink: "#e3e7ee",
  quiet: "#9aa4b5",
  line: "#333b48",
  blue: "#58b4ee",
  green: "#34c79b",
  orange: "#f0b53c",
  red: "#f4834a",
  pale: "#737d8e",
  amber: "#f0b53c",
};

const FILLED = ["blue", "green", "orange", "red", "quiet", "pale"];

export const CHART_STYLE = `
.l2mac-chart { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; background: var(--l2mac-paper); color: var(--l2mac-ink); }
.l2mac-chart .paper { fill: var(--l2mac-paper); }
.l2mac-chart text { fill: var(--l2mac-quiet); }
.l2mac-chart .path { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.l2mac-chart .head { fill: var(--l2mac-ink); font-size: 16px; font-weight: 600; }
.l2mac-chart .grid { stroke: var(--l2mac-line); stroke-width: 1; fill: none; }
.l2mac-chart .rule { stroke: var(--l2mac-line); stroke-width: 1; fill: none; }
${FILLED.map(
  (name) =>
    `.l2mac-chart .${name} { fill: var(--l2mac-${name}); } .l2mac-chart .${name}.hollow, .l2mac-chart .${name}.cross { fill: none; stroke: var(--l2mac-${name}); }`,
).join("\n")}
.l2mac-chart .hollow { stroke-width: 1; pointer-events: all; }
.l2mac-chart .cross { stroke-width: 1.75; pointer-events: none; }
.l2mac-chart .light { fill-opacity: 0.3; }
.l2mac-chart .over { fill: #000; fill-opacity: 0; }
.l2mac-chart .edge { fill: none; stroke: var(--l2mac-green); stroke-width: 1.5; }
`;

const asVariables = (colours: Record<string, string>): string =>
  Object.entries(colours)
    .map(([name, value]) => `--l2mac-${name}: ${value};`)
    .join(" ");

/** Of a page, for it and for the charts in it. Paper is white by night, too. */
export const PAGE_COLOURS = `:root { color-scheme: light dark; ${asVariables(DAY)} }
@media screen and (prefers-color-scheme: dark) { :root { ${asVariables(NIGHT)} } }
`;

/** For a chart in a file of its own: image viewers do not know CSS variables. */
export const ALONE_STYLE = `${inColours(DAY)}@media screen and (prefers-color-scheme: dark) {${inColours(NIGHT)}}\n`;

function inColours(colours: Record<string, string>): string {
  return CHART_STYLE.replace(/var\(--l2mac-(\w+)\)/g, (_, name: string) => colours[name] ?? "");
}
