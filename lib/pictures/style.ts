/** The colours of the pictures, by day and by night; told apart by whoever sees few colours, too. */

const COLOURS = `
  --l2mac-paper: #ffffff; --l2mac-ink: #1d2330; --l2mac-quiet: #5c6577; --l2mac-line: #d9dee7;
  --l2mac-blue: #0067a3; --l2mac-sky: #8fc7ea; --l2mac-green: #00785a; --l2mac-orange: #c98500; --l2mac-red: #c04600;`;

const NIGHT = `
  --l2mac-paper: #14171d; --l2mac-ink: #e3e7ee; --l2mac-quiet: #9aa4b5; --l2mac-line: #333b48;
  --l2mac-blue: #58b4ee; --l2mac-sky: #2f6e96; --l2mac-green: #34c79b; --l2mac-orange: #f0b53c; --l2mac-red: #f4834a;`;

export const PICTURE_STYLE = `
.l2mac-picture { font: 12px system-ui, sans-serif; background: var(--l2mac-paper); color: var(--l2mac-ink); }
.l2mac-picture text { fill: var(--l2mac-quiet); }
.l2mac-picture .grid { stroke: var(--l2mac-line); stroke-width: 1; fill: none; }
.l2mac-picture .blue { fill: var(--l2mac-blue); } .l2mac-picture .sky { fill: var(--l2mac-sky); }
.l2mac-picture .green { fill: var(--l2mac-green); } .l2mac-picture .orange { fill: var(--l2mac-orange); }
.l2mac-picture .red { fill: var(--l2mac-red); } .l2mac-picture .none { fill: var(--l2mac-line); }
.l2mac-picture .over { fill: transparent; }
.l2mac-picture .stroke { fill: none; stroke: var(--l2mac-blue); stroke-width: 2; }
.l2mac-picture .limit { fill: none; stroke: var(--l2mac-red); stroke-width: 1.5; stroke-dasharray: 6 4; }
.l2mac-picture .guess { fill: none; stroke: var(--l2mac-quiet); stroke-width: 1.5; stroke-dasharray: 2 4; }
`;

/** Of a page, for it and for the pictures in it. */
export const PAGE_COLOURS = `:root { color-scheme: light dark;${COLOURS}\n}\n@media (prefers-color-scheme: dark) { :root {${NIGHT}\n} }\n`;

/** A picture that stands alone brings its colours with it. */
export const aloneStyle = (): string =>
  `svg {${COLOURS}\n}\n@media (prefers-color-scheme: dark) { svg {${NIGHT}\n} }\n${PICTURE_STYLE}`;
