/** A Markdown file as prose: its lines, what each is, and the words that its author wrote. Pure. */

export interface ProseFile {
  path: string;
  lines: ProseLine[];
}

export interface ProseLine {
  /** From 1. */
  number: number;
  text: string;
  /** `quote`: what somebody else said, or a verse; it may stand twice. `list`: an item, or a table's row: works of reference say much twice. */
  kind: "text" | "heading" | "quote" | "list" | "code";
}

export interface Word {
  /** In lower case, without marks. */
  word: string;
  line: number;
}

export function proseFile(path: string, text: string): ProseFile {
  const lines = text.split(/\r?\n/).map((line, at): ProseLine => ({ number: at + 1, text: line, kind: "text" }));
  markCode(lines);
  for (const line of lines) if (line.kind === "text") line.kind = plainKind(line.text);
  markItems(lines);
  markVerse(lines);
  return { path, lines };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function markCode(lines: ProseLine[]): void {
  const front = lines[0]?.text === "---" ? lines.findIndex(({ text }, at) => at > 0 && text === "---") : -1;
  let fence = "";
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line.text)?.[1] ?? "";
    const ends = fence !== "" && mark.startsWith(fence);
    if (at <= front || fence !== "" || mark !== "") line.kind = "code";
    if (fence === "") fence = mark;
    else if (ends) fence = "";
  }
}

function plainKind(text: string): ProseLine["kind"] {
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(text)) return "heading";
  if (/^\s*>/.test(text)) return "quote";
  return /^\s*(?:[-*+|]|\d{1,3}[.)])(?:\s|$)|^\s*\|/.test(text) ? "list" : "text";
}

/** What is indented under an item, or runs on from it, is the item's. */
function markItems(lines: ProseLine[]): void {
  let inItem = false;
  let afterBlank = false;
  for (const line of lines) {
    const blank = line.text.trim() === "";
    if (line.kind === "list") inItem = true;
    else if (!blank) inItem &&= line.kind === "text" && (!afterBlank || /^\s{2}/.test(line.text));
    if (inItem && line.kind === "text" && !blank) line.kind = "list";
    afterBlank = blank;
  }
}

/** Lines that are broken on purpose, several after another, are a poem or a song. */
const BROKEN = /(?: {2}|\\|<br ?\/?>)$/;
const VERSE_LINES = 2;

function markVerse(lines: ProseLine[]): void {
  for (let from = 0; from < lines.length; from += 1) {
    let to = from;
    while (lines[to]?.kind === "text" && BROKEN.test(lines[to]?.text ?? "")) to += 1;
    if (to - from < VERSE_LINES) continue;
    for (const line of lines.slice(from, to + 1)) if (line.kind === "text") line.kind = "quote";
    from = to;
  }
}

/** Without the addresses of links and without comments. */
const plain = (text: string): string => text.replace(/\]\([^()\s]*\)/g, "]").replace(/<[^<>]*>/g, " ");

/** A letter and the marks on it: vowel signs of Indic scripts are marks. */
const LETTER = String.raw`[\p{L}\p{N}]\p{M}*`;
const WORD = new RegExp(`(?:${LETTER})+(?:['’-](?:${LETTER})+)*`, "gu");
/** Written without spaces between words: each sign is counted. */
const SIGN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const OTHER = `(?!${SIGN.source})${LETTER}`;
const SIGNS = new RegExp(`${SIGN.source}|(?:${OTHER})+(?:['’-](?:${LETTER})+)*`, "gu");
/** Written without spaces, with words of several signs: where they end is in a dictionary. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

export const wordsOfText = (text: string): string[] =>
  (plain(text).match(SIGN.test(text) ? SIGNS : WORD) ?? []).flatMap((word) =>
    UNSPACED.test(word) ? [...segmenter.segment(word)].filter((it) => it.isWordLike).map((it) => it.segment) : [word],
  );

export const wordsOf = ({ lines }: ProseFile, kinds: ProseLine["kind"][]): Word[] =>
  lines.flatMap(({ text, number, kind }) =>
    kinds.includes(kind) ? wordsOfText(text).map((word) => ({ word: word.toLowerCase(), line: number })) : [],
  );
