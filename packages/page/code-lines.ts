/** Coloured code as its lines: each is whole HTML by itself. Pure. */

/** A span that reaches over the end of a line is closed there and opened again. */
export function linesOf(html: string): string[] {
  const open: string[] = [];
  return html.split("\n").map((line) => {
    const before = open.join("");
    for (const [tag] of line.matchAll(TAG))
      if (tag === CLOSING) open.pop();
      else open.push(tag);
    return before + line + CLOSING.repeat(open.length);
  });
}

/** Nothing else is in what the colouring makes: the text itself is escaped. */
const TAG = /<span class="[^"]*">|<\/span>/g;
const CLOSING = "</span>";

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
