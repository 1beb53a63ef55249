/** Submits what a command line says: all that can be wrong with it here is found before anything is sent. */
import { resolve } from "node:path";
import type { SubmissionBody } from "../../api/submission-body.ts";
import type { Trees } from "../../client/attach-trees.ts";
import { replacedByTests, startingFiles } from "../../control/gate/user-tests.ts";
import { readTask } from "../../control/lifecycle/prepare.ts";
import { UserError } from "../../core/errors.ts";
import { type GitAddress, gitAddressOf } from "../../core/git/origin.ts";
import { programData } from "../../core/program/program-text.ts";
import { toBody } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { protectStart } from "../../files/git/run-branch.ts";
import { readProgramFile } from "../../files/program-file.ts";
import { choosePack, loadPack } from "../../files/prompt-folder.ts";
import { readGivenTests } from "../../files/starting-tree.ts";
import { REHEARSAL } from "../../model/rehearsal-name.ts";
import { sharedInWords } from "../display/shared-files.ts";
import { sayWrapped } from "../display/wrap.ts";
import { PUSH } from "../settings/command-flags.ts";
import { QUIET } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";
import { settingNotices, settingsInFlags } from "../settings/settings.ts";
import { chooseDestination } from "./choose-destination.ts";
import type { NameOptions } from "./choose-name.ts";
import type { CommandLine } from "./command-line.ts";
import type { Computer, Connection } from "./connection.ts";
import type { Destination } from "./destination.ts";
import { rehearsedScene } from "./rehearsed-scene.ts";
import { type StartingFiles, startingPoint } from "./starting-point.ts";
import { taskText } from "./task-text.ts";

export interface SubmittedTask {
  run: Run;
  destination: Destination;
  starting: StartingFiles | undefined;
}

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export async function submitTask(computer: Computer, line: CommandLine): Promise<SubmittedTask> {
  const { given, shell, settings } = line;
  const { flags } = given;
  const read = await readTaskAndFiles(line, async () => computer);
  const { task, scene, program, trees, tree, starting } = read;
  const latest = await computer.runs({ atMost: NAMES_LOOKED_AT });
  const names: NameOptions = {
    title: scene?.name ?? task,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    workspace: settings.workspace,
    taken: new Set(latest.map((run) => run.name)),
  };
  const { repository } = read;
  const { name, notices, ...destination } = await chooseDestination(names, { repository, tree, now: new Date() });
  const body: SubmissionBody = {
    task,
    name,
    ...toBody({ ...settings, ...modelIn(line, computer) }),
    ...read.start,
    ...(scene ? { model: REHEARSAL } : {}),
    ...(program ? { program: programData(program) } : {}),
    ...(settings.prompts === undefined ? {} : { prompts: await loadPack(settings.prompts) }),
  };
  const say = (lines: string[]): void => {
    if (!flags.has(QUIET.name)) for (const line of lines) shell.say(line);
  };
  say([...read.notices, ...(starting ? sharedInWords(starting.label, starting) : []), ...notices]);
  const { id, notes } = await computer.submit(body, trees, destination);
  const { branch } = destination;
  if (branch) await protectStart(branch.repository, id, branch.start);
  say(notes);
  if (scene && !flags.has(QUIET.name)) sayWrapped(shell, scene.notice);
  const run = await computer.run(id);
  if (!run) throw new Error(`The API submitted run ${id} and does not know it.`);
  return { run, destination, starting };
}

/** What the command line says, and all that it names. `connection`: to a run that it names. */
export async function readTaskAndFiles(line: CommandLine, connection: () => Promise<Connection>) {
  const { given, shell, settings } = line;
  const { flags } = given;
  const at = (flag: string): string | undefined => {
    const path = flags.get(flag);
    return path === undefined ? undefined : resolve(shell.cwd, path);
  };
  const [programAt, testsAt] = [at("--program"), at("--tests")];
  const text = await taskText(given, shell);
  const linking = { namesElsewhere: namesElsewhere(flags, shell) };
  const read = programAt === undefined ? undefined : readProgramFile(programAt, foldersOf(shell), linking);
  const program = read?.draft;
  const tests = testsAt === undefined ? undefined : await readGivenTests(testsAt);
  const pack = await choosePack(settings);
  const isRehearsal = flags.has("--rehearse") || settings.model === REHEARSAL;
  const point = await startingPoint(line, { isRehearsal, connection });
  const { files: starting, repository, git } = point;
  const start = startInBody(git, line);
  const scene = isRehearsal ? await rehearsedScene({ task: text, pack, hasProgram: program !== undefined }) : undefined;
  const task = scene?.task ?? text;
  if (task === undefined) throw noTask();
  const trees: Trees = { files: starting?.files, tests: tests?.files };
  const { from: tree = new Map<string, Uint8Array>() } = startingFiles({
    from: trees.files,
    tests: trees.tests,
    pack,
    runTests: settings.tests ?? true,
  });
  readTask(task, program);
  const notices = [
    ...settingNotices(shell),
    ...(read?.notices ?? []),
    ...point.notices,
    ...(tests?.notices ?? []),
    ...replacedByTests(starting?.files, tests?.files),
  ];
  return { task, program, scene, trees, tree, starting, repository, git, start, notices };
}

function startInBody(
  git: GitAddress | undefined,
  { given, settings }: CommandLine,
): Pick<SubmissionBody, "from" | "push" | "allowSecrets"> {
  const push = given.flags.has(PUSH.name);
  if (push && !git) throw usage({ name: "run" }, "--push needs --from with the address of a repository.");
  if (!git) return {};
  return {
    from: gitAddressOf(git),
    ...(push ? { push } : {}),
    ...(settings.allowSecrets ? { allowSecrets: true } : {}),
  };
}

const noTask = (): UserError =>
  new UserError("There is no task.", {
    exitCode: 2,
    remedy: { command: "run", args: ["<task>"], note: "or --spec FILE" },
  });

/** Settings that describe a model server of one's own do not hold for a stack's, unless flags of this command do. */
function modelIn({ given: { flags }, shell: { cwd }, settings }: CommandLine, { elsewhere }: Computer) {
  const { model, examinerModel, contextWindow, price, unpriced } =
    elsewhere && settings.baseUrl !== undefined ? settingsInFlags({ flags, cwd }) : settings;
  const isExamined = settings.evidence === "independent" || settings.evidence === "strict";
  // What is set for all runs holds for those that have an examiner.
  const isUsed = flags.has("--examiner-model") || (isExamined && model !== "rehearsal");
  return { model, ...(isUsed ? { examinerModel } : {}), contextWindow, price, unpriced };
}
