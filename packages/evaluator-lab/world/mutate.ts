/** Breaks one line of a project's source, seeded, to see whether the tests' verdict turns red. Pure. */

export interface Mutant {
  path: string;
  line: number;
  content: string;
  /** In words: `src/a.py:12 "==" became "!="`. */
  what: string;
}

const SOURCE = /\.(py|[cm]?[jt]sx?|go|rs)$/;
const NOT_SOURCE =
  /(^|\/)(\.|tests?|testing|__tests__|spec|specs|docs?|examples?|bench(es|marks?|marking)?|scripts?|tools?|tasks|node_modules|vendor|fixtures|build|types)(\/|$)|(^|\/)(test_|conftest|setup\.py|noxfile|build\.rs|[Gg]untfile|gulpfile|rollup|eslint)|([._-](test|spec|bench|config)\.\w+$)|_test\.(go|py)$|\.(d|min)\.[cm]?ts$|\.min\.js$|(^|\/)(test|tests|spec|example|bench|benchmark)\.\w+$/;

/** What the authors' own tests may notice. */
const CHANGES: [RegExp, string, RegExp?][] = [
  [/^(\s+)return (?!None\b|undefined\b|null\b|;)[^{([]+;?$/, "$1return None", /\.py$/],
  [/^(\s+)return (?!None\b|undefined\b|null\b|;)[^{([]+;$/, "$1return undefined;", /\.[cm]?jsx?$/],
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ == /, " != "],
  [/ != /, " == "],
  [/ <= /, " > "],
  [/ >= /, " < "],
  [/ < (?=\w)/, " >= "],
  [/ > (?=\w)/, " <= "],
  [/ && /, " || "],
  [/ \+ 1\b/, " + 2"],
  [/ - 1\b/, " - 2"],
  [/ is not None\b/, " is None", /\.py$/],
  [/\bif not /, "if ", /\.py$/],
  [/\bif \(!/, "if (!!", /\.[cm]?[jt]s$/],
  [/\bTrue\b/, "False", /\.py$/],
  [/\btrue\b/, "false"],
];

/** The same for the same tree and seed; in an order that a test suite is likely to notice early. */
export function mutantsOf(files: ReadonlyMap<string, string>, seed: number, count: number): Mutant[] {
  const random = randomFrom(seed);
  const all = [...files].filter(([path]) => SOURCE.test(path) && !NOT_SOURCE.test(path)).flatMap(mutantsOfFile);
  const chosen: Mutant[] = [];
  while (chosen.length < count && all.length > 0) chosen.push(...all.splice(Math.floor(random() * all.length), 1));
  return chosen;
}

function mutantsOfFile([path, text]: [string, string]): Mutant[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (/^\s*(#|\/\/|\*|\/\*|"|'|import |from |use |package |>>>)/.test(line)) return [];
    const change = CHANGES.find(([pattern, , only]) => pattern.test(line) && (only?.test(path) ?? true));
    if (!change) return [];
    const [pattern, by] = change;
    const broken = line.replace(pattern, by);
    const content = lines.with(at, broken).join("\n");
    return [{ path, line: at + 1, content, what: `${path}:${at + 1} ${line.trim()} → ${broken.trim()}` }];
  });
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
