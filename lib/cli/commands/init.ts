/** `l2mac init`: writes the user's configuration file. Keys stay in the environment. */
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../../core/errors.ts";
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import { makeFolder } from "../../host/make-folder.ts";
import type { Command } from "../command.ts";
import { settingsInFlags, userConfigPath } from "../settings/settings.ts";

export const init: Command = async ({ flags }, shell) => {
  const path = userConfigPath(shell.env);
  const settings = settingsInFlags({ flags, cwd: shell.cwd });
  const text = `${JSON.stringify({ ...settings, budget: settings.budget ?? DEFAULT_BUDGET_USD }, null, 2)}\n`;
  await write(path, text);
  shell.say(`The key stays in the environment: OPENAI_API_KEY. Next: ${shell.command("doctor")}`);
  shell.out(`${path}\n`);
  return 0;
};

async function write(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new UserError(
      exists ? `${path} is there already; it is not overwritten.` : `${path} cannot be written: ${String(error)}.`,
      {
        exitCode: exists ? 2 : 3,
        remedy: {
          command: "doctor",
          args: [],
          ...(exists ? { note: "after an editor: shows whether it is valid" } : {}),
        },
        cause: error,
      },
    );
  }
}
