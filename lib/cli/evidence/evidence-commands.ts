/** The commands about evidence: one row each. */
import type { CommandSpec } from "../command.ts";
import { REASON } from "../settings/command-flags.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";

export const evidenceCommands: CommandSpec[] = [
  {
    name: "evidence",
    argument: "[run]",
    maxPositional: 1,
    description: "Show which requirements of a run are proven by executed checks, and which are not",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./evidence.ts")).evidence,
  },
  {
    name: "waive",
    argument: "[run] <requirement>",
    maxPositional: 2,
    description: "Take a requirement as it is, without evidence",
    flags: [REASON, REMOTE],
    load: async () => (await import("./waive.ts")).waive,
  },
];
