/** Raw HTML in Markdown: comments and layout are dropped, the rest is text. No tag of it is ever passed on as written. */

/** What the text of raw HTML says, with a newline for each `<br>`. The result still has to be escaped. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(TAG, (tag, name: string) => (isLineBreak(name) ? "\n" : isHtml(name) ? "" : tag));

export const isLineBreakTag = (html: string): boolean => isLineBreak(nameOf(html));

/**
 * Which of a row's tags mark a stretch of text and can be kept, by their place in the row, each as plain `<name>` or
 * `</name>`: both ends are there, none crosses another.
 */
export function markupTags(row: (string | undefined)[]): Map<number, string> {
  const kept = new Map<number, string>();
  const open: { name: string; at: number }[] = [];
  for (const [at, html] of row.entries()) {
    const name = html && nameOf(html);
    if (!name || !MARKUP.has(name)) continue;
    if (!html.startsWith("</")) {
      if (open.length < NESTED_AT_MOST && !html.endsWith("/>")) open.push({ name, at });
      continue;
    }
    const from = open.findLastIndex((tag) => tag.name === name);
    const [opening] = from === -1 ? [] : open.splice(from);
    if (opening) kept.set(opening.at, `<${name}>`).set(at, `</${name}>`);
  }
  return kept;
}

const NESTED_AT_MOST = 8;

const TAG = /<\/?([a-z][\w-]*)(?:\s[^<>]*)?\/?>/gi;

const nameOf = (html: string): string => (/^<\/?([a-z]\w*)/i.exec(html)?.[1] ?? "").toLowerCase();

const isLineBreak = (name: string): boolean => name.toLowerCase() === "br";

/** A capital alone is a type parameter, such as the T of `Vec<T>`: people who write HTML by hand write it small. */
const isHtml = (name: string): boolean =>
  !/^[A-Z]$/.test(name) && (HTML.has(name.toLowerCase()) || MARKUP.has(name.toLowerCase()));

const MARKUP = new Set("b strong i em u s del ins mark small sub sup kbd code q cite abbr".split(" "));

const HTML = new Set(
  "a article aside audio blockquote body button caption center col colgroup dd details dfn div dl dt embed figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html iframe img input label legend li link main map meta nav object ol option p picture pre rp rt ruby samp script section select source span strike style summary svg table tbody td textarea tfoot th thead time title tr track tt ul var video wbr".split(
    " ",
  ),
);
