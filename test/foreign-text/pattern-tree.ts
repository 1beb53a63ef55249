/** Reads the source of a regular expression into a tree. What looks around or back is taken to match nothing, always. */

export type Tree =
  /** Bits of SAMPLES that it matches. */
  | { kind: "set"; set: bigint }
  | { kind: "all"; parts: Tree[] }
  | { kind: "one of"; parts: Tree[] }
  | { kind: "repeated"; part: Tree; least: number; most: number };

/** Characters of every kind that expressions tell apart. */
export const SAMPLES = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ..."\u0085\u00a0éßñİ\u2028\u200b’–…、中\ufeff\ufffd",
];
const NOTHING: Tree = { kind: "all", parts: [] };

interface Reading {
  source: string;
  flags: string;
  at: number;
  /** What looks around is an expression of its own. */
  around: Tree[];
  known: Map<string, bigint>;
}

/** The expression, and those within it that look around. */
export function treesOf(source: string, flags: string): Tree[] {
  const reading: Reading = { source, flags: flags.replace(/[^imsuv]/g, ""), at: 0, around: [], known: new Map() };
  const tree = alternatives(reading);
  if (reading.at < source.length) throw new Error(`not understood at ${reading.at}: ${source}`);
  return [tree, ...reading.around];
}

function alternatives(reading: Reading): Tree {
  const parts = [sequence(reading)];
  while (reading.source[reading.at] === "|") {
    reading.at += 1;
    parts.push(sequence(reading));
  }
  return parts.length === 1 ? (parts[0] ?? NOTHING) : { kind: "one of", parts };
}

function sequence(reading: Reading): Tree {
  const parts: Tree[] = [];
  while (reading.at < reading.source.length && !/[|)]/.test(reading.source.charAt(reading.at)))
    parts.push(quantified(atom(reading), reading));
  return { kind: "all", parts };
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

function quantified(part: Tree, reading: Reading): Tree {
  QUANTIFIER.lastIndex = reading.at;
  const found = QUANTIFIER.exec(reading.source);
  if (!found) return part;
  reading.at += found[0].length;
  const [, sign, least = "0", comma, most = ""] = found;
  if (sign)
    return { kind: "repeated", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
  const upTo = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
  return { kind: "repeated", part, least: Number(least), most: upTo };
}

const GROUP = /\((?:\?(?:(:)|(<?[=!])|<\w+>|[a-z-]+:))?/y;
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<\w+>|[1-9]\d*|.)|[\s\S]/iy;

function atom(reading: Reading): Tree {
  GROUP.lastIndex = reading.at;
  const group = GROUP.exec(reading.source);
  if (group) {
    reading.at += group[0].length;
    const inner = alternatives(reading);
    reading.at += 1;
    if (!group[2]) return inner;
    reading.around.push(inner);
    return NOTHING;
  }
  ATOM.lastIndex = reading.at;
  const [text = ""] = ATOM.exec(reading.source) ?? [];
  reading.at += text.length;
  return /^(?:[$^]|\\[bB]|\\k<.*|\\[1-9].*)$/.test(text) ? NOTHING : { kind: "set", set: setOf(text, reading) };
}

function setOf(text: string, { flags, known }: Reading): bigint {
  const before = known.get(text);
  if (before !== undefined) return before;
  const pattern = new RegExp(`^(?:${text})$`, flags.replace("m", ""));
  let set = 0n;
  for (const [at, sample] of SAMPLES.entries()) if (pattern.test(sample)) set |= 1n << BigInt(at);
  known.set(text, set);
  return set;
}
