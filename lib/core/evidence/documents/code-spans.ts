/** Where code begins and ends in Markdown: fenced blocks, and spans within a paragraph. Pure. */

export function codeSpans(text: string): ReadonlyMap<number, number> {
  const spans = fencedBlocks(text);
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: mark }) => ({ at: index, end: index + mark.length, mark }));
  const blanks = [...text.matchAll(/\n[ \t>]*(?=\n)/g)].map(({ index }) => index);
  const blocks = [...spans];
  const bounds = [...blanks, ...blocks.flat()].sort((one, other) => one - other);
  const later = Map.groupBy(runs, ({ mark }) => mark);
  const next = new Map<string, number>();
  let from = 0;
  let bound = 0;
  let block = 0;
  for (const { at, end, mark } of runs) {
    while ((blocks[block]?.[1] ?? text.length + 1) <= at) block += 1;
    const isInBlock = (blocks[block]?.[0] ?? text.length) <= at;
    if (isInBlock || at < from || text[at - 1] === "\\") continue;
    while ((bounds[bound] ?? text.length) < end) bound += 1;
    const same = later.get(mark) ?? [];
    let place = next.get(mark) ?? 0;
    while ((same[place]?.at ?? text.length) < end) place += 1;
    next.set(mark, place);
    const close = same[place];
    if (!close || close.at > (bounds[bound] ?? text.length)) continue;
    from = close.end;
    spans.set(at, from);
  }
  return spans;
}

const FENCE = /^ {0,3}(>[ >]*)?(`{3,}|~{3,})/;

/** One that is not closed ends with the text, or with the quote that it is in. */
function fencedBlocks(text: string): Map<number, number> {
  const blocks = new Map<number, number>();
  let open: { at: number; mark: string; isQuoted: boolean } | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const [begin = "", quote = "", mark = ""] = FENCE.exec(line) ?? [];
    const rest = line.slice(begin.length);
    if (open?.isQuoted && !/^ {0,3}>/.test(line)) {
      blocks.set(open.at, at);
      open = undefined;
    }
    if (open && mark.startsWith(open.mark) && rest.trim() === "") {
      blocks.set(open.at, at + line.length);
      open = undefined;
    } else if (!open && mark !== "" && !(mark.startsWith("`") && rest.includes("`")))
      open = { at, mark, isQuoted: quote !== "" };
    at += line.length + 1;
  }
  if (open) blocks.set(open.at, text.length);
  return blocks;
}
