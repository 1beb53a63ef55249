/** The command that evaluates models: its row. */
import type { CommandSpec, Flag } from "../command.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";

export const LIMIT: Flag = {
  name: "--limit",
  argument: "N",
  description: "Only the first N cases of the suite",
};
export const SEEDS: Flag = { name: "--seeds", argument: "N", description: "Compute each case N times (default 1)" };
export const TOTAL: Flag = {
  name: "--budget",
  argument: "USD",
  description: "The most that all cases together may cost (default 5)",
};
export const EVAL_OUT: Flag = {
  name: "--out",
  argument: "DIR",
  description: "Folder of the results (default ./evaluation/<suite>-<model>)",
};
export const EXERCISES: Flag = {
  name: "--exercises",
  argument: "DIR",
  description: "For polyglot: practice tracks; for quixbugs: a checkout of QuixBugs",
};

export const evalCommands: CommandSpec[] = [
  {
    name: "eval",
    argument: "<suite>|doctor [suite…]",
    maxPositional: 9,
    description: "Compute the tasks of a suite with a model and check what they deliver; doctor checks the checks",
    options: ["model", "prompts", "evidence", "examinerModel", "maxTurns", "maxMinutes", "unsealed"],
    flags: [LIMIT, SEEDS, TOTAL, EVAL_OUT, EXERCISES, JSON_OUTPUT],
    onlyHere: "it checks what models write in the sandbox of this computer.",
    load: async () => (await import("./eval.ts")).evaluate,
  },
];
