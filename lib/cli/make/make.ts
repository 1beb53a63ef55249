/** `l2mac make RUN`: a new run of a changed program or task, which takes over the steps that depend on nothing changed. */

import { resolve } from "node:path";
import type { MakeBody } from "../../api/make-body.ts";
import { programData } from "../../core/program/program-text.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { readProgramFile } from "../../files/program-file.ts";
import { loadPack } from "../../files/prompt-folder.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { beginFrom } from "../forks/begin-from-run.ts";
import { openComputer } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { taskText } from "../runs/task-text.ts";
import { MAKE_DRY_RUN, STRICT } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";
import { settingsInFlags, settingsSaid } from "../settings/settings.ts";
import { planLines } from "./plan-lines.ts";

export const make: Command = async (given, shell) => {
  const { words, flags } = given;
  const body = await bodyOf(given, shell);
  const computer = await openComputer(given, shell, settingsSaid({ ...shell, flags }));
  const found = await findRun(computer, words[0]);
  const plan = await computer.planMake(found, body);
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ type: "make_plan", run: found.id, ...plan })}\n`);
  else for (const line of planLines(plan)) shell.say(line);
  if (flags.has(MAKE_DRY_RUN.name)) {
    shell.say("Dry run: nothing was created or paid.");
    computer.close();
    return 0;
  }
  return beginFrom(found, computer, {
    given,
    shell,
    to: 1,
    begin: ({ name, destination }) => computer.make(found, { ...body, name }, destination),
  });
};

/** Only what is said for this command: the rest is the run's own. */
async function bodyOf({ flags }: Arguments, shell: Shell): Promise<MakeBody> {
  const { cwd } = shell;
  const at = (flag: string): string | undefined => {
    const path = flags.get(flag);
    return path === undefined ? undefined : resolve(cwd, path);
  };
  const [programAt, promptsAt] = [at("--program"), at("--prompts")];
  const task = await taskText({ words: [], flags }, shell);
  const linking = { namesElsewhere: namesElsewhere(flags, shell) };
  const read = programAt === undefined ? undefined : readProgramFile(programAt, foldersOf(shell), linking);
  for (const notice of read?.notices ?? []) shell.say(notice);
  const { prompts: _folder, ...settings } = settingsInFlags({ flags, cwd });
  return {
    ...toBody(settings),
    ...(task === undefined ? {} : { task }),
    ...(read ? { program: programData(read.draft) } : {}),
    ...(promptsAt === undefined ? {} : { prompts: await loadPack(promptsAt) }),
    ...(flags.has(STRICT.name) ? { strict: true } : {}),
  };
}
