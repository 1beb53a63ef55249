/** The mutants of a tree for one check, in the order in which they are tried: the same for the same tree and check. Pure. */
import { replaceAll } from "../stubs/replace.ts";
import { isPython, isTyped } from "../stubs/stub-file.ts";
import { javascriptFunctions } from "./javascript.ts";
import type { MutableFunction, MutablePlace } from "./place.ts";
import { pythonFunctions } from "./python.ts";

export interface Mutant {
  path: string;
  /** Names its function in the tree. */
  within: string;
  /** `src/a.js:12: < became <=` */
  name: string;
  /** All of the file. */
  text: string;
  /** The file with what ends the process in the same place. */
  probe: string;
}

interface SourceFile {
  path: string;
  text: string;
}

interface Seed {
  /** Requirement and check. */
  check: string;
  /** Texts of the files that the check is made of: what they name is tried first. */
  texts: readonly string[];
  hashOf: (text: string) => string;
}

interface Candidate {
  file: SourceFile;
  within: string;
  place: MutablePlace;
  order: number;
  hash: string;
}

/** A mutant is made when its turn comes: a large tree has many. */
export function mutantsOf(files: readonly SourceFile[], { check, texts, hashOf }: Seed): (() => Mutant)[] {
  const all = files.flatMap((file) =>
    functionsIn(file).map((each, at) => ({ file, within: `${file.path}#${at}`, each })),
  );
  const ranks = reachOf(
    all.map(({ each }) => each),
    texts,
  );
  const candidates = all.flatMap(({ file, within, each }, index): Candidate[] => {
    const seed = `${file.path}\n${hashOf(file.text)}\n${check}`;
    return each.places
      .filter(({ start, end, text }) => file.text.slice(start, end) !== text)
      .map((place) => ({ place, hash: hashOf(`${seed}\n${place.start}\n${place.change}`) }))
      .toSorted(byHash)
      .map((made, round) => ({ ...made, file, within, order: round + (ranks[index] ?? UNNAMED) }));
  });
  return candidates
    .toSorted((one, other) => one.order - other.order || byHash(one, other))
    .map((each) => () => made(each));
}

const byHash = (one: { hash: string }, other: { hash: string }): number => (one.hash < other.hash ? -1 : 1);

function made({ file: { path, text }, within, place }: Candidate): Mutant {
  return {
    path,
    within,
    name: `${path}:${place.line}: ${place.change}`,
    text: replaceAll(text, [place]),
    probe: replaceAll(text, [{ ...place, text: place.probe }]),
  };
}

const functionsIn = ({ path, text }: SourceFile): MutableFunction[] =>
  isPython(path) ? pythonFunctions(text) : javascriptFunctions(text, isTyped(path));

/** What nothing names comes after some changes of what is named. */
const UNNAMED = 6;
const FARTHEST = 3;

/** How far each function is from the check by the names that are used: a guess, which only decides on the order. */
function reachOf(functions: readonly MutableFunction[], texts: readonly string[]): (number | undefined)[] {
  const ranks: (number | undefined)[] = functions.map(() => undefined);
  let words = new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  for (let rank = 0; rank <= FARTHEST && words.size > 0; rank += 1) {
    const next = new Set<string>();
    for (const [at, { names, words: used }] of functions.entries()) {
      if (ranks[at] !== undefined || ![...names].some((name) => words.has(name) && !KEYWORD.test(name))) continue;
      ranks[at] = rank;
      for (const word of used) next.add(word);
    }
    words = next;
  }
  return ranks;
}

const KEYWORD =
  /^(?:export|default|const|let|var|function|async|static|get|set|return|new|class|public|private|readonly)$/;
