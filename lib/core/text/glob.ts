/** Path patterns: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Matching costs at most length × length, whatever the pattern. Pure. */

export interface Glob {
  matches(path: string): boolean;
  /** All paths that can match begin with this. */
  prefix: string;
}

/** `*.py` matches in every folder; a pattern with a slash is matched from the top; a folder's name, all in it. */
export function compileGlob(pattern: string): Glob | { problem: string } {
  if (pattern.length > PATTERN_CHARS) return { problem: `a glob has at most ${PATTERN_CHARS} characters` };
  if (pattern.includes("\\")) return { problem: "a glob has / between folders, and no backslashes" };
  const alternatives = expandBraces(pattern.normalize("NFC").replace(/^(?:\.?\/)+/, ""));
  if (!alternatives) return { problem: `a glob's braces stand for at most ${ALTERNATIVES} patterns` };

  const compiled = alternatives.flatMap(withFolders).map((alternative) => alternative.split("/").map(compileSegment));
  return {
    prefix: alternatives.length === 1 ? literalFolder(alternatives[0] ?? "") : "",
    matches(path) {
      const segments = path.split("/").map((name) => Array.from(name));
      return compiled.some((glob) => matchRow(glob, segments, matchSegment));
    },
  };
}

const PATTERN_CHARS = 500;
/** Each is matched on its own, so their number multiplies the cost. */
const ALTERNATIVES = 100;

/** In a row of tokens, one that matches any number of items (none too). */
const STAR = Symbol("*");
type Row<Token> = (Token | typeof STAR)[];
/** What one character of a name may be. */
type OneCharacter = (character: string) => boolean;
type Segment = Row<OneCharacter> | typeof STAR;

/** Since every other token takes exactly one item, going back to the last star is enough. */
function matchRow<Token, Item>(row: Row<Token>, items: Item[], one: (token: Token, item: Item) => boolean): boolean {
  let [at, star, starAt] = [0, -1, 0];
  for (let item = 0; item < items.length; ) {
    const token = row[at];
    const current = items[item];
    if (token === STAR) {
      [star, starAt] = [at++, item];
    } else if (token !== undefined && current !== undefined && one(token as Token, current)) {
      at++;
      item++;
    } else if (star !== -1) {
      [at, item] = [star + 1, ++starAt];
    } else {
      return false;
    }
  }
  return row.slice(at).every((token) => token === STAR);
}

const matchSegment = (segment: Row<OneCharacter>, name: string[]): boolean =>
  matchRow(segment, name, (accepts, character) => accepts(character));

function compileSegment(segment: string): Segment {
  if (segment === "**") return STAR;
  const tokens = segment.match(/\*+|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  return tokens.map((token) => {
    if (token.startsWith("*")) return STAR;
    if (token === "?") return () => true;
    return token.length > 2 && token.startsWith("[") ? characterClass(token) : (character) => character === token;
  });
}

function characterClass(token: string): OneCharacter {
  const negated = /^\[[!^]/.test(token);
  const members = token.slice(negated ? 2 : 1, -1).match(/.-.|./gsu) ?? [];
  return (character) => members.some((member) => isMember(member, character)) !== negated;
}

function isMember(member: string, character: string): boolean {
  const [first = "", dash, last = ""] = Array.from(member);
  return dash === undefined ? first === character : first <= character && character <= last;
}

/** What a pattern without a slash, or with a folder's name, means as patterns from the top. */
function withFolders(pattern: string): string[] {
  if (pattern === "") return ["**"];
  // What ends like this means what is in the folder, not a file of its name.
  const inside = /\/(?:\*\*)?$/.exec(pattern);
  if (inside) return [`${pattern.slice(0, inside.index)}/**/*`];
  const fromTop = pattern.includes("/") ? pattern : `**/${pattern}`;
  return /[*?[]/.test(pattern) ? [fromTop] : [fromTop, `${fromTop}/**`];
}

function literalFolder(pattern: string): string {
  const literal = pattern.slice(0, pattern.search(/[*?[]|$/));
  return literal.slice(0, literal.lastIndexOf("/") + 1);
}

/** `a{b,c}` → `ab`, `ac`; undefined where that becomes too many. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = firstBrace(next);
    if (brace) open.push(...brace.toReversed());
    else done.push(next);
    if (done.length + open.length > ALTERNATIVES) return undefined;
  }
  return done;
}

/** The pattern once for each alternative of its first pair of braces that holds a comma. */
function firstBrace(pattern: string): string[] | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    const cuts = commasOf(pattern, start);
    if (!cuts || cuts.length < 3) continue;
    const head = pattern.slice(0, start);
    const tail = pattern.slice((cuts.at(-1) ?? start) + 1);
    return cuts.slice(1).map((cut, index) => `${head}${pattern.slice((cuts[index] ?? start) + 1, cut)}${tail}`);
  }
  return undefined;
}

/** Where the brace opens, its commas, and where it closes; undefined where it stays open. */
function commasOf(pattern: string, start: number): number[] | undefined {
  const cuts = [start];
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (depth === 0) return [...cuts, at];
    if (character === "," && depth === 1) cuts.push(at);
  }
  return undefined;
}
