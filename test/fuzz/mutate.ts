/** Changes texts by chance, mostly by repeating a piece: what is slow to read repeats itself. */

/** Answers whole numbers below the one given. */
export type Chance = (below: number) => number;

/** mulberry32: the same numbers for a seed everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const PIECES = [
  ..." \t\n\r\"'`\\/()[]{}<>#*-+=.,:;!?@$%^&|~_a0é\u2028\u0000\ufeff\ufffd",
  ...[
    "\r\n",
    "\n\n",
    "==",
    "--",
    "/*",
    "*/",
    "//",
    "<!--",
    "-->",
    "```",
    '"""',
    "'''",
    "${",
    "{{",
    "{%",
    "{#",
    "[[",
    "[^",
    "](",
  ],
  ...[
    "](a",
    "<a",
    "</a>",
    "<![CDATA[",
    "]]>",
    "<testcase",
    "<style>",
    "1e999",
    "-1",
    "null",
    "__proto__",
    '{"a":',
    "[[[",
    "a b ",
    "a: b\n",
  ],
  ...[
    "def a():\n",
    "class A:\n",
    "function a(",
    "=> {",
    "/[",
    "# ",
    "| a ",
    "> ",
    "  - ",
    "1. ",
    "---\n",
    "\ud800",
    "&#1;",
    "R1: ",
    ", ==1",
  ],
];

/** What the parent of a search sees at any time: a count of reads, the number of the reader, the length of the text, the text. */
export const HEAD = 3;

/** Longer texts are refused before they are read, or read in parts. */
export const MOST = 64 * 1024;

export function mutated(text: string, other: string, chance: Chance): string {
  const at = chance(text.length + 1);
  const end = Math.min(text.length, at + 1 + chance(chance(4) === 0 ? text.length + 1 : 12));
  const piece = PIECES[chance(PIECES.length)] ?? "";
  const most = 2 ** (1 + chance(14));
  const repeated = (part: string): string => part.repeat(Math.min(most, Math.ceil(MOST / Math.max(1, part.length))));
  const inserted = (middle: string): string => text.slice(0, at) + middle + text.slice(at);
  switch (chance(7)) {
    case 0:
      return inserted(piece);
    case 1:
      return inserted(repeated(piece));
    case 2:
      return inserted(repeated(text.slice(at, end)));
    case 3:
      return inserted(repeated(piece + (PIECES[chance(PIECES.length)] ?? "")));
    case 4:
      return text.slice(0, at) + text.slice(end);
    case 5:
      return text.slice(0, at) + other.slice(chance(other.length + 1));
    default:
      return text.slice(0, at) + String.fromCharCode(chance(256)) + text.slice(at + 1);
  }
}
