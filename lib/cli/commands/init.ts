/** `l2mac init`: asks for model, folder and ceiling, writes them to a configuration file, and tries one call. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative } from "node:path";
import { UserError } from "../../core/errors.ts";
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { projectFile } from "../../files/project-files.ts";
import { makeFolder } from "../../host/make-folder.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal, type Terminal } from "../display/terminal.ts";
import { askSettings } from "../settings/ask-settings.ts";
import { YES } from "../settings/flags.ts";
import { projectConfigPath, settingsInFlags, trustProject, userConfigPath } from "../settings/settings.ts";

const DECLINED = 1;

export const init: Command = async ({ flags }, shell) => {
  const path = flags.has("--user") ? userConfigPath(shell.env) : projectConfigPath(shell.cwd);
  const given = settingsInFlags({ flags, cwd: shell.cwd });
  const terminal = terminalFor(flags, shell);
  if (!(await mayWrite(path, flags, terminal))) {
    shell.say("Nothing was written.");
    return DECLINED;
  }
  const chosen = await askSettings(given, { terminal, shell });
  if (chosen === undefined) {
    shell.say("Nothing was written.");
    return DECLINED;
  }
  const schema = schemaFrom(dirname(path), projectFile("docs/l2mac.config.schema.json"));
  const settings = { ...schema, ...chosen, budget: chosen.budget ?? DEFAULT_BUDGET_USD };
  await write(path, `${JSON.stringify(settings, null, 2)}\n`);
  if (!flags.has("--user")) trust(shell);
  shell.say("Keys stay in the environment; the file has none.");
  shell.out(`${path}\n`);
  if (flags.has("--no-call")) return 0;
  return (await import("../runs/try-call.ts")).tryCall(chosen, shell);
};

/** Undefined: nothing is asked. */
function terminalFor(flags: Arguments["flags"], shell: Shell): Terminal | undefined {
  if (flags.has(YES.name)) return undefined;
  const terminal = createTerminal({ input: process.stdin, output: shell.progress });
  if (terminal.isThere) return terminal;
  throw new UserError("init asks three questions, and there is no terminal to ask on. Nothing was written.", {
    exitCode: 2,
    remedy: { command: "init", args: ["--yes"], note: "with --model, --workspace, --budget as answers" },
  });
}

async function mayWrite(path: string, flags: Arguments["flags"], terminal: Terminal | undefined): Promise<boolean> {
  if (!existsSync(path) || flags.has("--overwrite")) return true;
  if (terminal) return /^y(es)?$/i.test((await terminal.line(`${path} is there already. Replace it? [y/N]`)).trim());
  throw new UserError(`${path} is there already; it is not overwritten.`, {
    exitCode: 2,
    remedy: { command: "init", args: ["--yes", "--overwrite"], note: "replaces it; doctor shows whether it is valid" },
  });
}

/** Only a schema inside the project: the file can be shared, and no other computer has this one's paths. */
export function schemaFrom(folder: string, schema: string): { $schema?: string } {
  const path = relative(folder, schema);
  return path.startsWith("..") || isAbsolute(path) ? {} : { $schema: `./${path.replaceAll("\\", "/")}` };
}

async function write(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, text, { mode: 0o600 });
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${String(error)}.`, { exitCode: 3, cause: error });
  }
}

/** The user has just said what it sets. */
function trust(shell: Shell): void {
  try {
    trustProject(shell);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    shell.say(sanitizeLine(`The file could not be marked as yours (${why}). Next: ${shell.command("trust")}`));
  }
}
