/** Finds a text in the turns and files of a run. Pure. */
import type { AnswerBody, EffectsBody } from "../../lib/core/turn/turn.ts";

export interface Passage {
  before: string;
  match: string;
  after: string;
  /** From 1. */
  line: number;
}

const AROUND = 60;

/** At most so many passages, each with what is around it in its line. */
export function findPassages(text: string, wanted: string, most: number): Passage[] {
  const found: Passage[] = [];
  const needle = wanted.toLowerCase();
  for (const [index, line] of text.split("\n").entries()) {
    if (found.length >= most) break;
    const at = line.toLowerCase().indexOf(needle);
    // The lower case of some letters is longer than they are.
    if (at < 0 || at + wanted.length > line.length) continue;
    const [from, to] = [Math.max(0, at - AROUND), at + wanted.length];
    found.push({
      before: (from > 0 ? "…" : "") + line.slice(from, at),
      match: line.slice(at, to),
      after: line.slice(to, to + AROUND) + (line.length > to + AROUND ? "…" : ""),
      line: index + 1,
    });
  }
  return found;
}

export interface TurnBodies {
  answer?: AnswerBody;
  effects?: EffectsBody;
}

/** Everything that was said in a turn. */
export const textOfTurn = ({ answer, effects }: TurnBodies): string =>
  [
    answer?.answer.text ?? "",
    ...(answer?.answer.toolCalls ?? []).flatMap(({ name, arguments: given }) => [name, readable(given)]),
    ...(effects?.results ?? []).flatMap(({ note, text }) => [note, text]),
    ...(effects?.verdicts ?? []).flatMap(({ syntax, tests }) => [
      ...syntax.errors.map(({ path, message }) => `${path}: ${message}`),
      ...tests.cases.flatMap(({ name, message = "" }) => [name, message]),
      tests.output,
    ]),
    effects?.correction ?? "",
  ].join("\n");

/** Arguments are JSON: their line ends are lines here. */
const readable = (json: string): string => json.replaceAll("\\n", "\n");
