/** `l2mac make RUN`: a new run of a changed program or task, which takes over the steps that depend on nothing changed. */

import { resolve } from "node:path";
import type { MakeBody } from "../../api/make-body.ts";
import { programData } from "../../core/program/program-text.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { protectStart } from "../../files/git/run-branch.ts";
import { readProgramFile } from "../../files/program-file.ts";
import { loadPack } from "../../files/prompt-folder.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { sayWrapped } from "../display/wrap.ts";
import { announced } from "../runs/announced.ts";
import { destinationOfWayBack } from "../runs/choose-destination.ts";
import { computeInForeground } from "../runs/compute.ts";
import { openComputer } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { taskText } from "../runs/task-text.ts";
import { MAKE_DRY_RUN, STRICT } from "../settings/command-flags.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";
import { settingsInFlags, settingsSaid } from "../settings/settings.ts";
import { planLines } from "./plan-lines.ts";

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export const make: Command = async (given, shell) => {
  const { words, flags } = given;
  const body = await bodyOf(given, shell);
  const [json, quiet] = [flags.has(JSON_OUTPUT.name), flags.has(QUIET.name)];
  const settings = settingsSaid({ ...shell, flags });
  const computer = await openComputer(given, shell, settings);
  const found = await findRun(computer, words[0]);
  const plan = await computer.planMake(found, body);
  if (json) shell.out(`${JSON.stringify({ type: "make_plan", run: found.id, ...plan })}\n`);
  else for (const line of planLines(plan)) shell.say(line);
  if (flags.has(MAKE_DRY_RUN.name)) {
    shell.say("Dry run: nothing was created or paid.");
    computer.close();
    return 0;
  }
  const latest = await computer.runs({ atMost: NAMES_LOOKED_AT });
  const names = {
    title: found.name,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    workspace: undefined,
    taken: new Set(latest.map((run) => run.name)),
  };
  const { name, notices, ...destination } = await destinationOfWayBack(computer, found, { to: 1, names });
  const run = await computer.make(found, { ...body, name }, destination);
  const { branch } = destination;
  if (branch) await protectStart(branch.repository, run.id, branch.start);
  if (!quiet) for (const line of [...notices, await announced(computer, run, { settings })]) sayWrapped(shell, line);
  return computeInForeground({ shell, computer, run, ...destination, json, quiet, after: 0 });
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
