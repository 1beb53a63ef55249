/** Context: what is found, and what is still known, when files have 1, 10 and 100 times a context window; in three arms. */
import { ARM_NAMES } from "../../arms/arm.ts";
import { WINDOW_TOKENS } from "../../arms/window.ts";
import type { EvalCase, Files, Suite } from "../../suite.ts";
import { createChance } from "./chance.ts";
import { retentionCase } from "./requirements.ts";

/** At about four characters a token. */
const WINDOW_CHARS = WINDOW_TOKENS * 4;
const TIMES = [1, 10, 100];
const FILE_CHARS = 24_000;
const ASKED = 5;
const KINDS = { pairs: 1, hops: 3 } as const;
type Kind = keyof typeof KINDS;

export const context: Suite = {
  name: "context",
  about: "facts to find and requirements to keep beyond 1, 10 and 100 context windows",
  source: "of this project, made by a generator with a fixed seed",
  checker: { program: "node", script: "answers.mjs" },
  domain: "codebase",
  isDistinct: true,
  arms: ARM_NAMES,
  load: async () => TIMES.flatMap(casesOf),
};

const casesOf = (times: number): EvalCase[] => [
  ...(Object.keys(KINDS) as Kind[]).map((kind) => caseOf(kind, times)),
  retentionCase(times, WINDOW_CHARS * times),
];

function caseOf(kind: Kind, times: number): EvalCase {
  const chance = createChance(`${kind} ${times}`);
  const lines = Array.from({ length: Math.ceil((WINDOW_CHARS * times) / LINE_CHARS) }, () => pairOf(chance.word));
  const keys = lines.map(([key]) => key);
  const chains = Array.from({ length: ASKED }, () => chance.take(keys, KINDS[kind]));
  const values = new Map(lines);
  // Each hop leads to the next key.
  for (const chain of chains)
    for (const [at, key] of chain.entries()) values.set(key, chain[at + 1] ?? values.get(key) ?? "");
  const answers = Object.fromEntries(chains.map((chain) => [chain[0] ?? "", values.get(chain.at(-1) ?? "") ?? ""]));
  const given = filesOf([...values].map(([key, value]) => `The entry ${key} is ${value}.`));
  return {
    id: `${kind}-${times}x`,
    task: taskOf(kind, Object.keys(answers)),
    given,
    spec: { answers },
    seconds: 30,
    oracle: { "answers.json": JSON.stringify(answers) },
    stub: { "answers.json": JSON.stringify(Object.fromEntries(Object.keys(answers).map((key) => [key, ""]))) },
    forgeries: forgeriesFor(Object.keys(answers), [...values.values()]),
    // Nothing of the tree is executed; this is as close as a file comes.
    hanging: { "answers.json": `${"[".repeat(400_000)}` },
  };
}

const LINE_CHARS = 42;

const pairOf = (word: () => string): [string, string] => [word(), word()];

function filesOf(lines: string[]): Files {
  const perFile = Math.ceil(FILE_CHARS / LINE_CHARS);
  const count = Math.ceil(lines.length / perFile);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `notes/${String(at + 1).padStart(4, "0")}.txt`,
      `${lines.slice(at * perFile, (at + 1) * perFile).join("\n")}\n`,
    ]),
  );
}

const taskOf = (
  kind: Kind,
  keys: string[],
): string => `The folder notes has entries, one a line: "The entry KEY is VALUE."
${kind === "hops" ? `A VALUE may itself be the KEY of an entry, also in another file. Follow each key until its value is no key any more: that is its answer.` : `The answer of a key is its value.`}
Write the file answers.json: an object with the answer of each of these keys, and nothing else: ${keys.join(", ")}. Do not change the notes.
`;

/** All values for each key, texts that equal much, and answers elsewhere. */
function forgeriesFor(keys: string[], values: string[]): Files[] {
  const each = (value: unknown): Files => ({
    "answers.json": JSON.stringify(Object.fromEntries(keys.map((key) => [key, value]))),
  });
  return [
    each(values.slice(0, 500)),
    each(true),
    each(null),
    { "answers.json": JSON.stringify({ __proto__: null, toString: "ok", answers: "passed" }) },
    { "answers.json": '"passed"', "notes/answers.json": "{}" },
  ];
}
