/** The entry of the command line: finds the command, runs it, and turns errors into a message and an exit code. */
import { UserError } from "../core/errors.ts";
import { remedyText } from "../core/text/command-line.ts";
import { sanitizeLine } from "../core/text/sanitize.ts";
import { projectVersion } from "../files/project-files.ts";
import { boundHeap } from "../host/bound-heap.ts";
import type { CommandSpec } from "./command.ts";
import { helpOn, unknownCommand } from "./commands/help.ts";
import { commandNamed, commands, withAllFlags } from "./commands.ts";
import { COMPLETE } from "./completion/scripts.ts";
import { createShell, type Shell } from "./display/shell.ts";
import { sayWrapped } from "./display/wrap.ts";
import { HELP } from "./settings/flags.ts";
import { parseArguments } from "./settings/parse.ts";

const INTERNAL = 6;

export async function main(argv: string[], options: { launched: boolean }): Promise<void> {
  boundHeap();
  const shell = createShell(options);
  const fail = (error: unknown): void => void leave(explain(error, shell));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  await leave(await dispatch(argv, shell).catch((error: unknown) => explain(error, shell)));
}

async function dispatch(argv: string[], shell: Shell): Promise<number> {
  const [first = "--help"] = argv;
  if (first === "--version" || first === "-V") {
    shell.out(`${projectVersion()}\n`);
    return 0;
  }
  if (first === COMPLETE) {
    const { candidatesFor } = await import("./completion/candidates.ts");
    for (const line of await candidatesFor(argv.slice(1), { commands, withAllFlags })) shell.out(`${line}\n`);
    return 0;
  }
  const asksHelp = first === "--help" || first === "-h";
  const { spec: found, rest } = asksHelp ? { spec: named("help"), rest: [] } : meant(first, argv);
  const spec = await withAllFlags(found);
  const given = parseArguments(spec, rest);
  if (given.flags.has(HELP.name)) {
    shell.out(helpOn(spec, shell.launcher));
    return 0;
  }
  for (const { name, formerly } of given.renamed ?? []) shell.say(`${formerly} is now called ${name}.`);
  return (await spec.load())(given, shell);
}

/** A word is a command; a text with white space in it, or flags alone, is a run. */
function meant(first: string, argv: string[]): { spec: CommandSpec; rest: string[] } {
  const spec = commandNamed(first);
  if (spec) return { spec, rest: argv.slice(1) };
  if (first === "" || /\s/.test(first) || first.startsWith("-")) return { spec: named("run"), rest: argv };
  throw unknownCommand(first, commands);
}

function named(name: string): CommandSpec {
  const spec = commandNamed(name);
  if (!spec) throw new Error(`There is no command ${name}.`);
  return spec;
}

function explain(error: unknown, shell: Shell): number {
  if (shell.env.L2MAC_DEBUG) shell.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  if (error instanceof UserError) {
    sayWrapped(shell, `l2mac: ${sanitizeLine(error.message)}`);
    if (error.remedy) shell.say(`Next: ${sanitizeLine(remedyText(error.remedy, shell.launcher))}`);
    for (const other of error.alternatives) shell.say(`  or: ${sanitizeLine(remedyText(other, shell.launcher))}`);
    return error.exitCode;
  }
  const [message = ""] = String(error instanceof Error ? error.message : error).split("\n");
  shell.say(`l2mac: something went wrong that should not: ${sanitizeLine(message)}`);
  shell.say(
    `Next: ${shell.command("list")}   (shows what is kept; with L2MAC_DEBUG=1 a command shows where it failed)`,
  );
  return INTERNAL;
}

/** Flushes the output, then ends the process without waiting for anything else. */
async function leave(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
