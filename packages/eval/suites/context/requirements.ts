/** Retention: runs whose files grow to 1, 10 and 100 windows, each instruction with a requirement of its own. */
import type { EvalCase, Files } from "../../suite.ts";
import { type Chance, createChance } from "./chance.ts";

const REQUIREMENTS = 20;
/** About 2,000 tokens. */
const TURN_CHARS = 6_000;

/** `chars`: of all files together. */
export function retentionCase(times: number, chars: number): EvalCase {
  const chance = createChance(`requirements ${times}`);
  const requirements = Array.from({ length: REQUIREMENTS }, (_, at) => ({
    id: `R${at + 1}`,
    text: `The part on ${chance.word()} names ${chance.word()} as its keeper and gives its value as ${chance.word()}.`,
  }));
  const parts = requirements.map((_, at) => partOf(Math.ceil(chars / REQUIREMENTS), `${times} ${at}`));
  const listed = requirements.map(({ id, text }) => `${id}: ${text}`).join("\n");
  const task = `Write a manual of ${REQUIREMENTS} parts, one after the other.\n\nRequirements:\n\n${listed}\n`;
  const answers = Object.fromEntries(requirements.map(({ id, text }) => [id, text]));
  const each = (value: unknown): Files => ({
    "answers.json": JSON.stringify(Object.fromEntries(requirements.map(({ id }) => [id, value]))),
  });
  return {
    id: `requirements-${times}x`,
    task,
    spec: { answers },
    seconds: 30,
    retention: { task, requirements, parts },
    oracle: { "answers.json": JSON.stringify(answers) },
    stub: each(""),
    forgeries: [each(true), each(Object.values(answers)), each(listed), { "answers.json": JSON.stringify(listed) }],
    hanging: { "answers.json": "[".repeat(400_000) },
  };
}

/** Lines that hold no requirement, in pieces that one turn can write. */
function partOf(chars: number, seed: string): string[] {
  const { word } = createChance(seed);
  const turns = Math.ceil(chars / TURN_CHARS);
  return Array.from({ length: turns }, () => linesOf(word, chars / turns));
}

function linesOf(word: Chance["word"], chars: number): string {
  const lines = Array.from({ length: Math.ceil(chars / LINE_CHARS) }, () => `${word()} is kept beside ${word()}.`);
  return `${lines.join("\n")}\n`;
}

const LINE_CHARS = 34;
