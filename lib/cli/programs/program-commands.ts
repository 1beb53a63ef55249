/** The commands about programs alone. */
import type { CommandSpec } from "../command.ts";
import { FEEDBACK, LINT, PLAN_OUT, REPLACE } from "../settings/command-flags.ts";
import { JSON_OUTPUT, REMOTE, taskFlags } from "../settings/flags.ts";
import { RUN_OPTIONS, STARTS } from "../settings/new-run-flags.ts";

export const programCommands: CommandSpec[] = [
  {
    name: "plan",
    argument: '"<task>"|<run>',
    maxPositional: 1,
    description: "Write the program, which then waits for approval",
    options: RUN_OPTIONS,
    omitted: ["approve"],
    flags: [...taskFlags, ...STARTS, FEEDBACK, LINT, PLAN_OUT, REMOTE],
    load: async () => (await import("../commands/plan.ts")).plan,
  },
  {
    name: "program",
    argument: "put NAME FILE|list|get NAME|remove NAME",
    maxPositional: 3,
    description: "Keep programs under names by which other programs call them",
    flags: [REPLACE, PLAN_OUT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./named-program.ts")).namedProgram,
  },
];
