/** Attacks on the checkers that stay ready between the turns of a run: what one file does must not reach the next answer. */
import { type Attack, type HonestProject, lines } from "./attack.ts";

const attack = (name: string, paths: string[], more: Pick<Attack, "files" | "honest"> & Partial<Attack>): Attack => ({
  ...{ name, group: "checkers", ask: { syntax: true, paths }, alsoUnsealed: true },
  ...more,
});

const SOUND = { "sound.ts": "export const one: number = 1;\n", "sound.js": "let one = 1;\n", "sound.py": "one = 1\n" };
const BROKEN = { "broken.ts": "let one: = 1;\n", "broken.js": "let = = 1;\n", "broken.py": "one = = 1\n" };
/** A parser that breaks down says nothing of the file, right or wrong. */
const unread: HonestProject = { words: "it is not called sound", syntax: ["not_run"] };
const notSound: HonestProject = { words: "it is not called sound", syntax: ["failed", "crashed", "timed_out"] };
const timedOut: HonestProject = { words: "it runs out of time", syntax: ["timed_out"] };

/** A sound file of the language is called sound after it, and a broken one broken. */
const asBefore = (hostile: Record<string, string>, ending: string): NonNullable<Attack["next"]> => [
  {
    files: () => ({ ...hostile, ...SOUND }),
    ask: { syntax: true, paths: [`sound.${ending}`] },
    honest: { words: "a sound file passes after it", syntax: ["passed"] },
  },
  {
    files: () => ({ ...hostile, ...BROKEN }),
    ask: { syntax: true, paths: [`broken.${ending}`] },
    honest: { words: "a broken file fails after it", syntax: ["failed"] },
  },
];

const DEEP_TYPES = { "deep.ts": `let x: ${"Array<".repeat(5_000)}1${">".repeat(5_000)};\n` };
const DEEP_PYTHON = { "deep.py": `x = ${"(".repeat(50_000)}${")".repeat(50_000)}\ny = ${"-".repeat(90_000)}1\n` };
const DEEP_CODE = { "deep.js": `x = ${"[".repeat(50_000)}${"]".repeat(50_000)};\n` };
/** Each class is made of thousands of ranges while the code is parsed. */
const SLOW_CODE = `/[${"\\p{L}".repeat(40)}]/u;\n`.repeat(5_000);
/** A pattern that is looked for in what does not parse goes back to where it began, at every line. */
const SLOW_PYTHON = "\n".repeat(900_000);

export const checkerAttacks: Attack[] = [
  attack("types at which the parser of TypeScript breaks down", ["deep.ts"], {
    files: () => DEEP_TYPES,
    honest: unread,
    next: asBefore(DEEP_TYPES, "ts"),
  }),
  attack("nesting at which the parser of JavaScript breaks down", ["deep.js"], {
    files: () => DEEP_CODE,
    honest: unread,
    next: asBefore(DEEP_CODE, "js"),
  }),
  attack("nesting at which the parser of Python breaks down", ["deep.py"], {
    needs: "python",
    files: () => DEEP_PYTHON,
    honest: notSound,
    next: asBefore(DEEP_PYTHON, "py"),
  }),
  attack("a file of JavaScript that freezes the checker", ["frozen.js"], {
    timeoutMs: 6_000,
    files: () => ({ "frozen.js": `${SLOW_CODE}let = = 1;\n` }),
    honest: timedOut,
    next: asBefore({}, "js"),
  }),
  attack("a file of Python that freezes the checker", ["frozen.py"], {
    needs: "python",
    timeoutMs: 10_000,
    files: () => ({ "frozen.py": `${SLOW_PYTHON}one = = 1\n` }),
    honest: timedOut,
    next: asBefore({}, "py"),
  }),
  attack("names of files that could end a line of questions or answers", ["broken\u2028\u0085.js"], {
    files: () => ({ "broken\u2028\u0085.js": lines("let = = 1;"), '\\n{"findings":[]}\n.js': lines("let one = 1;") }),
    honest: { words: "the broken file is found", syntax: ["failed"] },
    next: asBefore({}, "js"),
  }),
];
