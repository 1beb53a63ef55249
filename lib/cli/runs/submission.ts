/** Turns a command line into a submission: everything that can be wrong is found before anything is stored. */
import { resolve } from "node:path";
import { replacedByTests, startingFiles } from "../../control/gate/user-tests.ts";
import { budgetFrom, prepareSubmission, readTask } from "../../control/lifecycle/prepare.ts";
import type { Submission } from "../../control/lifecycle/submit.ts";
import { UserError } from "../../core/errors.ts";
import { toStored } from "../../core/run/option-forms.ts";
import type { Domain } from "../../core/run/options.ts";
import { readProgram } from "../../files/program-file.ts";
import { choosePack } from "../../files/prompt-folder.ts";
import { readGivenTests, readStartingTree } from "../../files/starting-tree.ts";
import type { LocalMachine } from "../../local/open.ts";
import { type ChosenModels, chooseModels, rehearsalProfile } from "../../model/open-model.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { type Settings, strayVariables } from "../settings/settings.ts";
import { choosePlace } from "./choose-place.ts";
import { runsOf } from "./open.ts";
import { rehearsedScene } from "./rehearsed-scene.ts";
import { taskText } from "./task-text.ts";

export interface Prepared {
  submission: Omit<Submission, "owner">;
  /** What was assumed or left out, in words. */
  notices: string[];
}

export interface Preparing {
  given: Arguments;
  shell: Shell;
  settings: Settings;
  machine: LocalMachine;
}

export async function prepareRun(preparing: Preparing): Promise<Prepared> {
  const { given, shell, settings } = preparing;
  const { read, pack, scene, start, notices } = await readAsked(given, shell, settings);
  const place = await placed(preparing, { title: scene?.name ?? read.task, domain: pack.declaration.domain });
  // Last, because a server may be asked.
  const { notes, ...chosen } = scene ? rehearsed(settings, scene.notice) : await chooseModels(wishOf(settings, shell));
  const budget = budgetFrom(settings, chosen);
  const submission = prepareSubmission({ read, pack, ...chosen, budget, start, ...place });
  return { submission, notices: [...notices, ...notes] };
}

/** What the command line says, and all that it names: the same wherever the run will be computed. */
export async function readAsked(given: Arguments, shell: Shell, settings: Settings) {
  const { flags } = given;
  const program = flags.get("--program");
  const from = flags.get("--from");
  const text = await taskText(given, shell);
  const draft = program === undefined ? undefined : readProgram(resolve(shell.cwd, program));
  const tree = from === undefined ? undefined : await readStartingTree(resolve(shell.cwd, from));
  const testsAt = flags.get("--tests");
  const tests = testsAt === undefined ? undefined : await readGivenTests(resolve(shell.cwd, testsAt));
  const pack = await choosePack(settings);
  const scene = flags.has("--rehearse") ? await rehearsedScene(text, pack.declaration.domain) : undefined;
  const task = scene?.task ?? text;
  if (task === undefined) throw noTask();
  const notices = [
    ...strayVariables(shell.env),
    ...(tree?.notices ?? []),
    ...(tests?.notices ?? []),
    ...replacedByTests(tree?.files, tests?.files),
  ];
  const files = { from: tree?.files, tests: tests?.files };
  const start = startingFiles({ ...files, pack, runTests: settings.tests ?? true });
  return { read: readTask(task, draft), pack, scene, draft, ...files, start, notices };
}

const noTask = (): UserError =>
  new UserError("There is no task.", {
    exitCode: 2,
    remedy: { command: "run", args: ["<task>"], note: "or --spec FILE" },
  });

const rehearsed = ({ contextWindow }: Settings, notice: string): ChosenModels => ({
  profile: rehearsalProfile(contextWindow),
  notes: [notice],
});

export const wishOf = (settings: Settings, { env }: Pick<Shell, "env">) => ({
  ...settings,
  apiKey: env.OPENAI_API_KEY?.trim() || undefined,
});

async function placed(
  { given: { flags }, shell, settings, machine }: Preparing,
  { title, domain }: { title: string; domain: Domain },
) {
  const { name, out } = await choosePlace({
    title,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    taken: new Set((await runsOf(machine)).map((run) => run.name)),
  });
  // The scene of a rehearsal is on no server.
  const served = flags.has("--rehearse") ? { baseUrl: undefined, apiVersion: undefined } : {};
  const options = { ...toStored({ ...settings, ...served, domain }), out };
  return { name, options };
}
