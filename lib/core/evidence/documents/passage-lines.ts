/** Where a text says given words, whatever its line ends, spaces and kinds of quotation marks are. Pure. */

export interface LineRange {
  from: number;
  to: number;
}

/** From 1. What readers do not see, a comment, is not looked at. */
export function linesOfPassage(text: string, words: string): LineRange | undefined {
  const wanted = plainOf(words).plain.trim();
  const { plain, lines } = plainOf(withoutComments(text));
  const at = wanted === "" ? -1 : plain.indexOf(wanted);
  if (at < 0) return undefined;
  return { from: lines[at] ?? 1, to: lines[at + wanted.length - 1] ?? 1 };
}

interface PlainText {
  /** With one space in place of several, and of a line's end with the mark of a quote behind it. */
  plain: string;
  /** Of each character of it, the number of its line. */
  lines: number[];
}

function plainOf(text: string): PlainText {
  let plain = "";
  const lines: number[] = [];
  for (const [index, line] of text.normalize("NFC").split(/\r?\n/).entries()) {
    const said = line
      .replace(/^[\s>]+/, "")
      .replace(/\s+/gu, " ")
      .trim();
    if (said === "") continue;
    const part = `${plain === "" ? "" : " "}${said.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'")}`;
    plain += part;
    for (let at = 0; at < part.length; at += 1) lines.push(index + 1);
  }
  return { plain, lines };
}

/** Lines stay lines. One that is not closed hides the rest. */
function withoutComments(text: string): string {
  const [first = "", ...rest] = text.split("<!--");
  return rest.reduce((shown, part) => {
    const end = part.indexOf("-->");
    const hidden = end < 0 ? part : part.slice(0, end);
    return `${shown}${hidden.replace(/[^\n]/g, "")}${end < 0 ? "" : part.slice(end + 3)}`;
  }, first);
}
