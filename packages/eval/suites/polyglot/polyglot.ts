/** Polyglot: exercises of the practice tracks of Exercism in six languages, with the tracks' own tests. */
import { existsSync } from "node:fs";
import { UserError } from "../../../../lib/core/errors.ts";
import { projectFile } from "../../../../lib/files/project-files.ts";
import type { EvalCase, Files, Suite } from "../../suite.ts";
import { forgeriesOf, hangingOf } from "./forged-solutions.ts";
import { type ExerciseLanguage, LANGUAGES } from "./languages.ts";
import { type Exercise, readTracks } from "./track.ts";

/** The first compilation of Go compiles its library. */
const COMPILE_SECONDS = 240;
const TEST_SECONDS = 30;
const FOLDER = "packages/eval/data/polyglot";

export const polyglot: Suite = {
  name: "polyglot",
  about: "exercises in Python, JavaScript, Go, Rust, C++ and Java",
  source: "of the practice tracks of Exercism, MIT licence",
  checker: { program: "node", script: "exercises.mjs" },
  domain: "codebase",
  isDistinct: true,
  isCheckedAtOnce: true,
  takesExercises: true,
  async load({ exercises }) {
    if (exercises !== undefined && !existsSync(exercises)) throw noTracks(exercises);
    const known = readTracks(exercises ?? projectFile(FOLDER)).filter(({ language }) => language in LANGUAGES);
    if (known.length === 0) throw noTracks(exercises ?? FOLDER);
    return inRounds(known).flatMap((each) => {
      const language = LANGUAGES[each.language];
      return language ? [caseOf(each, language)] : [];
    });
  },
};

const noTracks = (folder: string): UserError =>
  new UserError(`There are no exercises in ${folder}. Nothing was computed or paid.`, {
    exitCode: 2,
    remedy: "Give a checkout of a practice track, such as exercism/python, or a folder with several, with --exercises.",
  });

/** The first of each language, then the second: so the first few are of all languages. */
function inRounds(exercises: Exercise[]): Exercise[] {
  const groups = [...Map.groupBy(exercises, ({ language }) => language)];
  const order = Object.keys(LANGUAGES);
  groups.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const rounds = Math.max(...groups.map(([, { length }]) => length));
  return Array.from({ length: rounds }, (_, at) => groups.flatMap(([, all]) => all[at] ?? [])).flat();
}

function caseOf(exercise: Exercise, language: ExerciseLanguage): EvalCase {
  const { stub, tests, example } = exercise;
  const paths = [...new Set([...Object.keys(stub), ...Object.keys(example)])];
  const beside = Object.fromEntries(Object.entries(tests).filter(([path]) => !language.isTest.test(path)));
  const given: Files = { ...beside, ...stub };
  const needs = Object.keys(example).filter((path) => path in stub);
  return {
    id: `${exercise.language}/${exercise.name}`,
    task: taskOf(exercise, language),
    given,
    group: { name: language.title, programs: language.programs },
    spec: {
      ...language.plan(exercise),
      paths,
      needs,
      seconds: TEST_SECONDS,
      ...(language.all === undefined ? {} : { all: language.all }),
    },
    seconds: COMPILE_SECONDS + TEST_SECONDS,
    oracle: { ...beside, ...example },
    // The interface is what a run starts from.
    stub: given,
    forgeries: forgeriesOf(exercise, needs[0] ?? ""),
    hanging: hangingOf(exercise, needs[0] ?? ""),
  };
}

const taskOf = ({ instructions, stub }: Exercise, { title }: ExerciseLanguage): string => `${instructions}

Write the solution in ${title}, without packages, in these files, which are there as a start: ${Object.keys(stub).join(", ")}. Keep their names and the names that they define; put nothing that the solution needs into other files. Tests that you do not see are executed with it.
`;
