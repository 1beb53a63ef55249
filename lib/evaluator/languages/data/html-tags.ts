/** Whether the tags of an HTML text fit together. Pure. Lenient where browsers put things right as everybody means them. */
import { type ParserError, type Token, Tokenizer, TokenizerMode } from "parse5";
import type { Problem } from "./data-language.ts";

interface OpenTag {
  name: string;
  line: number;
  column: number;
}

interface TagState {
  problems: Problem[];
  open: OpenTag[];
  /** How many elements of each name are open. */
  counts: Map<string, number>;
  /** Closed by an outer end tag, and reported: their own end tags are not reported again. */
  cutOff: Map<string, number>;
}

/** Of one file at most. */
const PROBLEMS = 50;

export function tagProblems(text: string): Problem[] {
  const state: TagState = { problems: [], open: [], counts: new Map(), cutOff: new Map() };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED,
      onStartTag: (token) => startTag(state, token, tokenizer),
      onEndTag: (token) => endTag(state, token, tokenizer),
      onEof: () => endOfFile(state),
      onParseError: (error) => parseError(state, error),
    },
  );
  tokenizer.write(text, true);
  return state.problems.sort((one, other) => one.line - other.line || one.column - other.column).slice(0, PROBLEMS);
}

const nothing = (): void => {};
const IGNORED = {
  onComment: nothing,
  onDoctype: nothing,
  onCharacter: nothing,
  onNullCharacter: nothing,
  onWhitespaceCharacter: nothing,
};

const names = (list: string): Set<string> => new Set(list.split(" "));
const VOID = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
const OPTIONAL = names(
  "html head body li dt dd p rt rp rb rtc optgroup option colgroup caption thead tbody tfoot tr td th",
);
const FOREIGN = names("svg math");
/** Their contents are text, up to their own end tag. */
const TEXT_ONLY = new Map<string, Tokenizer["state"]>([
  ["script", TokenizerMode.SCRIPT_DATA],
  ["style", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
]);

function startTag(state: TagState, token: Token.TagToken, tokenizer: Tokenizer): void {
  const name = token.tagName;
  const foreign = isForeign(state);
  const textOnly = foreign ? undefined : TEXT_ONLY.get(name);
  if (textOnly !== undefined) {
    tokenizer.state = textOnly;
    tokenizer.lastStartTagName = name;
  }
  // A browser passes over the stroke of `<div/>`, which is harmless, unless the rest of the page became its text.
  if (VOID.has(name) || (token.selfClosing && textOnly === undefined)) return;
  state.open.push({ name, line: token.location?.startLine ?? 1, column: token.location?.startCol ?? 1 });
  state.counts.set(name, (state.counts.get(name) ?? 0) + 1);
  tokenizer.inForeignNode = isForeign(state);
}

const isForeign = ({ counts }: TagState): boolean =>
  [...FOREIGN].some((name) => (counts.get(name) ?? 0) > 0) && (counts.get("foreignobject") ?? 0) === 0;

function endTag(state: TagState, token: Token.TagToken, tokenizer: Tokenizer): void {
  const { open, counts, cutOff } = state;
  const name = token.tagName;
  const at = { line: token.location?.startLine ?? 1, column: token.location?.startCol ?? 1 };
  if ((counts.get(name) ?? 0) > 0) {
    for (;;) {
      const last = open.pop();
      if (last === undefined) break;
      counts.set(last.name, (counts.get(last.name) ?? 1) - 1);
      if (last.name === name) break;
      if (OPTIONAL.has(last.name)) continue;
      tell(state, last, `<${last.name}> is still open where </${name}> closes what is around it (line ${at.line})`);
      cutOff.set(last.name, (cutOff.get(last.name) ?? 0) + 1);
    }
    tokenizer.inForeignNode = isForeign(state);
    return;
  }
  const left = cutOff.get(name) ?? 0;
  if (left > 0) cutOff.set(name, left - 1);
  // Browsers pass over it.
  else if (!OPTIONAL.has(name) && !VOID.has(name))
    state.problems.push({ ...at, message: `</${name}> closes nothing that is open`, mild: true });
}

function endOfFile(state: TagState): void {
  for (const open of state.open) if (!OPTIONAL.has(open.name)) tell(state, open, `<${open.name}> is never closed`);
}

/** Errors that browsers recover from, but no author intends. */
const SERIOUS = new Map([
  ["eof-in-comment", "a comment is never closed"],
  ["eof-in-tag", "a tag is never closed"],
  ["eof-in-cdata", "a CDATA section is never closed"],
  ["duplicate-attribute", "an attribute is repeated in this tag"],
  ["missing-attribute-value", "the value of an attribute is missing"],
  ["unexpected-character-in-attribute-name", "a quotation mark or < is in the name of an attribute"],
  [
    "unexpected-character-in-unquoted-attribute-value",
    "a quotation mark, < or = is in a value without quotation marks",
  ],
  ["unexpected-equals-sign-before-attribute-name", "an attribute begins with ="],
]);

function parseError(state: TagState, error: ParserError): void {
  const message = SERIOUS.get(error.code);
  if (message) tell(state, { line: error.startLine, column: error.startCol }, message);
}

function tell({ problems }: TagState, { line, column }: { line: number; column: number }, message: string): void {
  problems.push({ line, column, message });
}
