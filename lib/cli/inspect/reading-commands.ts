/** The commands that only read runs. */
import type { CommandSpec } from "../command.ts";
import { AFTER, ALL, AT, BETWEEN, FOLLOW, LIMIT, OUT, REPORT_OUT, STAT, TEXT } from "../settings/command-flags.ts";
import { JSON_OUTPUT, QUIET, REMOTE } from "../settings/flags.ts";

export const readingCommands: CommandSpec[] = [
  {
    name: "list",
    argument: "",
    maxPositional: 0,
    description: "List the runs, latest first",
    flags: [LIMIT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/list.ts")).list,
  },
  {
    name: "status",
    argument: "[run]",
    maxPositional: 1,
    description: "Show the status of a run (default: the latest)",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/status.ts")).status,
  },
  {
    name: "watch",
    argument: "[run]",
    maxPositional: 1,
    description: "Follow a run that another process computes",
    flags: [JSON_OUTPUT, QUIET, REMOTE],
    load: async () => (await import("../commands/watch.ts")).watch,
  },
  {
    name: "log",
    argument: "[run]",
    maxPositional: 1,
    description: "Show the events of a run",
    flags: [AFTER, FOLLOW, TEXT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/log.ts")).log,
  },
  {
    name: "show",
    argument: "[run] [turn]",
    maxPositional: 2,
    description: "Show what the model was shown in a turn (4.2, or all of 4), its answer, and what that did",
    flags: [ALL, JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/show.ts")).show,
  },
  {
    name: "tree",
    argument: "[run]",
    maxPositional: 1,
    description: "List the files of a run",
    flags: [AT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/tree.ts")).tree,
  },
  {
    name: "cat",
    argument: "[run] <path>",
    maxPositional: 2,
    description: "Print one file of a run",
    flags: [AT, REMOTE],
    load: async () => (await import("../commands/cat.ts")).cat,
  },
  {
    name: "diff",
    argument: "[run]",
    maxPositional: 1,
    description: "Show what a run changed in its files (default: from the start to now)",
    flags: [BETWEEN, STAT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("../commands/diff.ts")).diff,
  },
  {
    name: "get",
    argument: "[run]",
    maxPositional: 1,
    description: "Unpack the files of a run into a folder",
    flags: [OUT, AT, REMOTE],
    load: async () => (await import("../commands/get.ts")).get,
  },
  {
    name: "report",
    argument: "[run]",
    maxPositional: 1,
    description: "Write a report of a run as a page with charts",
    flags: [REPORT_OUT, REMOTE],
    load: async () => (await import("../commands/report.ts")).report,
  },
];
