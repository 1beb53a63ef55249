/** The commands: one line each, and one file each. Nothing is loaded before it is asked for. */
import { deployFlags, destroyFlags, doctorFlags } from "./deploy/deployment-flags.ts";
import type { Shell } from "./display/shell.ts";
import {
  ceilingFlags,
  DAILY,
  type Flag,
  JSON_OUTPUT,
  modelFlags,
  programFlags,
  REMOTE,
  runFlags,
  UNSEALED,
  YES,
} from "./settings/flags.ts";
import type { Arguments } from "./settings/parse.ts";

/** Answers the exit code. */
export type Command = (given: Arguments, shell: Shell) => Promise<number>;

export interface CommandSpec {
  name: string;
  /** What stands after the name, as help shows it. */
  takes: string;
  /** How many words may stand there. */
  words: number;
  says: string;
  flags: Flag[];
  /** Why it cannot be about a deployed stack. */
  onlyHere?: string;
  load: () => Promise<Command>;
}

const OUT: Flag = { name: "--out", takes: "DIR", says: "where the files go" };
const PORT: Flag = { name: "--port", takes: "N", says: "where it listens (default 4600; 0 takes a free one)" };
const REPORT_OUT: Flag = { name: "--out", takes: "DIR", says: "where the page goes (default: ./<name>-report)" };
const AT: Flag = { name: "--at", takes: "N", says: "as instruction N left it (0: before the first)" };
const AFTER: Flag = { name: "--after", takes: "N", says: "only events after number N" };
const LIMIT: Flag = { name: "--limit", takes: "N", says: "the latest N runs (default 50; with --json: all)" };
const FOLLOW: Flag = { name: "--follow", says: "go on until the run ends or waits" };
const BASE_URL = modelFlags.filter(({ name }) => name === "--base-url");
const PLAN_OUT: Flag = { name: "--out", takes: "FILE", says: "write the program to this file" };
const OF_RUNS_ONLY = new Set(["--program", "--approve", "--out"]);
const INSTEAD: Flag = {
  name: "--program",
  takes: "FILE",
  says: "execute this program (.md, .yaml or .json) in the place of the one that waits",
};
const PROMPTS = programFlags.filter(({ name }) => name === "--prompts");

export const commands: CommandSpec[] = [
  {
    name: "run",
    takes: '"<task>"',
    words: 1,
    says: "compute a task to the end",
    flags: [...runFlags, REMOTE],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "plan",
    takes: '"<task>"',
    words: 1,
    says: "write the program, which then waits to be approved",
    flags: [...runFlags.filter(({ name }) => !OF_RUNS_ONLY.has(name)), PLAN_OUT, REMOTE],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "list",
    takes: "",
    words: 0,
    says: "show the runs, latest first",
    flags: [LIMIT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "status",
    takes: "[run]",
    words: 1,
    says: "say how a run stands (default: the latest)",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "watch",
    takes: "[run]",
    words: 1,
    says: "follow a run that another process computes",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "log",
    takes: "[run]",
    words: 1,
    says: "show what happened in a run",
    flags: [AFTER, FOLLOW, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/log.ts")).log,
  },
  {
    name: "tree",
    takes: "[run]",
    words: 1,
    says: "list the files of a run",
    flags: [AT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/tree.ts")).tree,
  },
  {
    name: "cat",
    takes: "[run] <path>",
    words: 2,
    says: "print one file of a run",
    flags: [AT, REMOTE],
    load: async () => (await import("./commands/cat.ts")).cat,
  },
  {
    name: "get",
    takes: "[run]",
    words: 1,
    says: "unpack the files of a run into a folder",
    flags: [OUT, AT, REMOTE],
    load: async () => (await import("./commands/get.ts")).get,
  },
  {
    name: "report",
    takes: "[run]",
    words: 1,
    says: "write what a run did as a page, with its pictures",
    flags: [REPORT_OUT, REMOTE],
    load: async () => (await import("./commands/report.ts")).report,
  },
  {
    name: "cancel",
    takes: "[run]",
    words: 1,
    says: "stop a run; what is accepted is kept, and resume would go on with it",
    flags: [REMOTE],
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  {
    name: "approve",
    takes: "[run]",
    words: 1,
    says: "execute the program that waits for approval",
    flags: [INSTEAD, ...BASE_URL, UNSEALED, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  {
    name: "reject",
    takes: "[run]",
    words: 1,
    says: "end a run whose program waits for approval, without executing it",
    flags: [REMOTE],
    load: async () => (await import("./commands/reject.ts")).reject,
  },
  {
    name: "resume",
    takes: "[run]",
    words: 1,
    says: "go on with a run that stopped",
    flags: [...ceilingFlags, ...BASE_URL, UNSEALED, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "delete",
    takes: "[run]",
    words: 1,
    says: "remove a run with all that it made; what was delivered stays",
    flags: [YES, REMOTE],
    load: async () => (await import("./commands/delete.ts")).deleteRun,
  },
  {
    name: "replay",
    takes: "[run]",
    words: 1,
    says: "compute a run again from its journal, and compare",
    flags: [...PROMPTS, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "open",
    takes: "[run]",
    words: 1,
    says: "show a run in the browser",
    flags: [PORT, ...BASE_URL, UNSEALED, REMOTE],
    load: async () => (await import("./commands/open-page.ts")).openPage,
  },
  {
    name: "serve",
    takes: "",
    words: 0,
    says: "serve the page and the HTTP API on this computer",
    flags: [PORT, ...BASE_URL, UNSEALED],
    onlyHere: "it serves the API of this computer.",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "doctor",
    takes: "",
    words: 0,
    says: "say whether a run could start here, and what is missing",
    flags: [...modelFlags, ...PROMPTS, REMOTE, ...doctorFlags, JSON_OUTPUT],
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  {
    name: "deploy",
    takes: "",
    words: 0,
    says: "deploy the stack to an AWS account, or update it",
    flags: deployFlags,
    onlyHere: "it makes the stack that --remote then speaks to.",
    load: async () => (await import("./deploy/deploy.ts")).deploy,
  },
  {
    name: "destroy",
    takes: "",
    words: 0,
    says: "delete the stack; runs are kept unless configured otherwise",
    flags: destroyFlags,
    onlyHere: "it deletes the stack that l2mac.cloud.json names.",
    load: async () => (await import("./deploy/destroy.ts")).destroy,
  },
  {
    name: "init",
    takes: "",
    words: 0,
    says: "write a configuration file for this user",
    flags: [...modelFlags, ...ceilingFlags, DAILY, UNSEALED],
    onlyHere: "it writes a file of this computer.",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "help",
    takes: "[command]",
    words: 1,
    says: "say how a command is used",
    flags: [],
    load: async () => (await import("./commands/help.ts")).createHelp(commands),
  },
];

export const commandNamed = (name: string): CommandSpec | undefined => commands.find((each) => each.name === name);
