/** The commands that make the stack, and delete it. */
import type { CommandSpec } from "../command.ts";
import { deployFlags, destroyFlags } from "./deployment-flags.ts";

export const stackCommands: CommandSpec[] = [
  {
    name: "deploy",
    argument: "",
    maxPositional: 0,
    description: "Deploy the stack to an AWS account, or update it",
    flags: deployFlags,
    onlyHere: "it makes the stack that --remote then speaks to.",
    load: async () => (await import("./deploy.ts")).deploy,
  },
  {
    name: "destroy",
    argument: "",
    maxPositional: 0,
    description: "Delete the stack; runs are kept unless configured otherwise",
    flags: destroyFlags,
    onlyHere: "it deletes the stack that l2mac.cloud.json names.",
    load: async () => (await import("./destroy.ts")).destroy,
  },
];
