/** The width of text on a terminal, and text cut or filled to a width. Pure. */

/** How many columns a text takes: wide characters take two, combining ones none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmentsOf(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** Cut to that many columns, with an ellipsis where something is missing. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = "";
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
    used += columnsOfGrapheme(segment);
    if (used > columns - 1) break;
    shown += segment;
  }
  return columns > 0 ? `${shown}…` : "";
}

/** Cut or filled up to exactly that many columns. */
export function padded(text: string, columns: number): string {
  const shown = fitted(text, columns);
  return shown + " ".repeat(Math.max(0, columns - columnsOf(shown)));
}

let graphemes: Intl.Segmenter | undefined;

/** Late: a segmenter takes as long to make as a hundred modules to load, and most lines are ASCII. */
function segmentsOf(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes.segment(text);
}

/** East Asian wide and fullwidth blocks, and what is shown as an emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const columnsOfGrapheme = (grapheme: string): number => (INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);
