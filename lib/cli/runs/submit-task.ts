/** Submits what a command line says: all that can be wrong with it here is found before anything is sent. */
import { resolve } from "node:path";
import type { SubmissionBody } from "../../api/submission-body.ts";
import type { Trees } from "../../client/attach-trees.ts";
import { replacedByTests, startingFiles } from "../../control/gate/user-tests.ts";
import { readTask } from "../../control/lifecycle/prepare.ts";
import { UserError } from "../../core/errors.ts";
import { toBody } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { readProgram } from "../../files/program-file.ts";
import { choosePack, loadPack } from "../../files/prompt-folder.ts";
import { readSharedTree } from "../../files/shared-tree.ts";
import { readGivenTests } from "../../files/starting-tree.ts";
import type { SharedFiles } from "../../files/withhold.ts";
import { REHEARSAL } from "../../model/rehearsal-name.ts";
import type { Arguments } from "../command.ts";
import { sharedInWords } from "../display/shared-files.ts";
import type { Shell } from "../display/shell.ts";
import { type Settings, settingNotices, settingsInFlags } from "../settings/settings.ts";
import { chooseNameAndFolder } from "./choose-name.ts";
import type { Computer } from "./connection.ts";
import { rehearsedScene } from "./rehearsed-scene.ts";
import { taskText } from "./task-text.ts";

export interface CommandLine {
  given: Arguments;
  shell: Shell;
  settings: Settings;
}

export interface SubmittedTask {
  run: Run;
  /** Where its files will go. */
  folder: string;
  starting: StartingFiles | undefined;
}

export interface StartingFiles extends SharedFiles {
  /** As the user gave it. */
  from: string;
}

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export async function submitTask(computer: Computer, line: CommandLine): Promise<SubmittedTask> {
  const { given, shell, settings } = line;
  const { flags } = given;
  const { task, scene, program, trees, starting, notices } = await readTaskAndFiles(line);
  const latest = await computer.runs({ atMost: NAMES_LOOKED_AT });
  const { name, out } = await chooseNameAndFolder({
    title: scene?.name ?? task,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    workspace: settings.workspace,
    taken: new Set(latest.map((run) => run.name)),
  });
  const body: SubmissionBody = {
    task,
    name,
    ...toBody({ ...settings, ...modelIn(line, computer) }),
    ...(scene ? { model: REHEARSAL } : {}),
    ...(program ? { program } : {}),
    ...(settings.prompts === undefined ? {} : { prompts: await loadPack(settings.prompts) }),
  };
  for (const notice of notices) shell.say(notice);
  if (starting) for (const text of sharedInWords(starting.from, starting)) shell.say(text);
  const { id, notes } = await computer.submit(body, trees, out);
  for (const note of [...notes, ...(scene ? [scene.notice] : [])]) shell.say(note);
  const run = await computer.run(id);
  if (!run) throw new Error(`The API submitted run ${id} and does not know it.`);
  return { run, folder: out, starting };
}

/** What the command line says, and all that it names. */
export async function readTaskAndFiles({ given, shell, settings }: CommandLine) {
  const { flags } = given;
  const at = (flag: string): string | undefined => {
    const path = flags.get(flag);
    return path === undefined ? undefined : resolve(shell.cwd, path);
  };
  const [programAt, testsAt] = [at("--program"), at("--tests")];
  const text = await taskText(given, shell);
  const program = programAt === undefined ? undefined : readProgram(programAt);
  const starting = await startingFilesOf(flags.get("--from"), { shell, settings });
  const tests = testsAt === undefined ? undefined : await readGivenTests(testsAt);
  const pack = await choosePack(settings);
  const isRehearsal = flags.has("--rehearse") || settings.model === REHEARSAL;
  const scene = isRehearsal ? await rehearsedScene(text, pack.declaration.domain) : undefined;
  const task = scene?.task ?? text;
  if (task === undefined) throw noTask();
  const trees: Trees = { files: starting?.files, tests: tests?.files };
  startingFiles({ from: trees.files, tests: trees.tests, pack, runTests: settings.tests ?? true });
  readTask(task, program);
  const notices = [
    ...settingNotices(shell),
    ...(tests?.notices ?? []),
    ...replacedByTests(starting?.files, tests?.files),
  ];
  return { task, program, scene, trees, starting, notices };
}

async function startingFilesOf(
  from: string | undefined,
  { shell, settings }: Pick<CommandLine, "shell" | "settings">,
): Promise<StartingFiles | undefined> {
  if (from === undefined) return undefined;
  const { allowSecrets, workspace = "workspace" } = settings;
  const output = resolve(shell.cwd, workspace);
  return { from, ...(await readSharedTree(resolve(shell.cwd, from), { output, allowSecrets })) };
}

const noTask = (): UserError =>
  new UserError("There is no task.", {
    exitCode: 2,
    remedy: { command: "run", args: ["<task>"], note: "or --spec FILE" },
  });

/** Settings that describe a model server of one's own do not hold for a stack's, unless flags of this command do. */
function modelIn({ given: { flags }, shell: { cwd }, settings }: CommandLine, { elsewhere }: Computer) {
  const { model, contextWindow, price, unpriced } =
    elsewhere && settings.baseUrl !== undefined ? settingsInFlags({ flags, cwd }) : settings;
  return { model, contextWindow, price, unpriced };
}
