/** The colours of the pictures, by day and by night; told apart by whoever sees few colours, too. */

const DAY: Record<string, string> = {
  ...{ paper: "#ffffff", ink: "#1d2330", quiet: "#5c6577", line: "#d9dee7", blue: "#0067a3", sky: "#8fc7ea" },
  ...{ green: "#00785a", orange: "#c98500", red: "#c04600", pale: "#8a93a5", amber: "#875800" },
};

const NIGHT: Record<string, string> = {
  ...{ paper: "#14171d", ink: "#e3e7ee", quiet: "#9aa4b5", line: "#333b48", blue: "#58b4ee", sky: "#2f6e96" },
  ...{ green: "#34c79b", orange: "#f0b53c", red: "#f4834a", pale: "#737d8e", amber: "#f0b53c" },
};

const FILLED = ["blue", "sky", "green", "orange", "red", "quiet", "pale"];

export const PICTURE_STYLE = `
.l2mac-picture { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; background: var(--l2mac-paper); color: var(--l2mac-ink); }
.l2mac-picture .paper { fill: var(--l2mac-paper); }
.l2mac-picture text { fill: var(--l2mac-quiet); }
.l2mac-picture .path { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.l2mac-picture .head { fill: var(--l2mac-ink); font-size: 16px; font-weight: 600; }
.l2mac-picture .grid { stroke: var(--l2mac-line); stroke-width: 1; fill: none; }
.l2mac-picture .rule { stroke: var(--l2mac-line); stroke-width: 1; fill: none; }
.l2mac-picture .band { fill: var(--l2mac-line); fill-opacity: 0.35; }
${FILLED.map(
  (name) =>
    `.l2mac-picture .${name} { fill: var(--l2mac-${name}); } .l2mac-picture .${name}.hollow, .l2mac-picture .${name}.cross { fill: none; stroke: var(--l2mac-${name}); }`,
).join("\n")}
.l2mac-picture .hollow { stroke-width: 1; pointer-events: all; }
.l2mac-picture .cross { stroke-width: 1.75; pointer-events: none; }
.l2mac-picture .light { fill-opacity: 0.3; }
.l2mac-picture .over { fill: #000; fill-opacity: 0; }
.l2mac-picture .edge { fill: none; stroke: var(--l2mac-green); stroke-width: 1.5; }
.l2mac-picture .stroke { fill: none; stroke: var(--l2mac-blue); stroke-width: 2; }
.l2mac-picture .limit { fill: none; stroke: var(--l2mac-red); stroke-width: 1.5; stroke-dasharray: 6 4; }
.l2mac-picture .guess { fill: none; stroke: var(--l2mac-ink); stroke-width: 2; stroke-dasharray: 2 4; }
`;

const asVariables = (colours: Record<string, string>): string =>
  Object.entries(colours)
    .map(([name, value]) => `--l2mac-${name}: ${value};`)
    .join(" ");

/** Of a page, for it and for the pictures in it. Paper is white by night, too. */
export const PAGE_COLOURS = `:root { color-scheme: light dark; ${asVariables(DAY)} }
@media screen and (prefers-color-scheme: dark) { :root { ${asVariables(NIGHT)} } }
`;

/** Of a picture that stands alone. Programs that are no browsers know no variables. */
export const ALONE_STYLE = `${inColours(DAY)}@media screen and (prefers-color-scheme: dark) {${inColours(NIGHT)}}\n`;

function inColours(colours: Record<string, string>): string {
  return PICTURE_STYLE.replace(/var\(--l2mac-(\w+)\)/g, (_, name: string) => colours[name] ?? "");
}
