/** `l2mac eval`: computes a suite with a model, or checks the suites' own checks. */

import { type Suite, suiteNamed, suites } from "../../../packages/eval/index.ts";
import { UserError } from "../../core/errors.ts";
import type { Arguments, Command } from "../command.ts";
import { usage } from "../settings/parse.ts";
import { EXERCISES } from "./eval-commands.ts";
import { evaluateModel } from "./evaluate-model.ts";
import { examineSuites } from "./examine-suites.ts";

export const evaluate: Command = async (given, shell) => {
  const [word, ...others] = given.words;
  if (word === "doctor") {
    const examined = others.length === 0 ? suites : others.map(wanted);
    refuseExercises(examined, given);
    return examineSuites(examined, { given, shell });
  }
  if (word === undefined) throw usage({ name: "eval" }, `eval takes the name of a suite: ${names()}; or doctor.`);
  if (others.length > 0) throw usage({ name: "eval" }, "eval takes one suite at a time.");
  const suite = wanted(word);
  refuseExercises([suite], given);
  return evaluateModel(suite, { given, shell });
};

function refuseExercises(chosen: Suite[], { flags }: Arguments): void {
  if (!flags.has(EXERCISES.name) || chosen.some(({ takesExercises }) => takesExercises)) return;
  const taking = suites.filter(({ takesExercises }) => takesExercises).map(({ name }) => name);
  throw usage({ name: "eval" }, `${EXERCISES.name} is for the suites ${taking.join(" and ")} only.`);
}

const names = (): string => suites.map(({ name }) => name).join(", ");

function wanted(name: string) {
  const suite = suiteNamed(name);
  if (suite) return suite;
  throw new UserError(`There is no suite ${name}. There are ${names()}.`, {
    exitCode: 2,
    remedy: { command: "help", args: ["eval"] },
  });
}
