/** Starts what the tree delivers, in a copy of its own: a delivery that does not even start is not done. */

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { headAndTail } from "../../core/text/cut.ts";
import type { SmokeVerdict } from "../../core/verdict/verdict.ts";
import { type Workspace, withoutToolchain } from "../language.ts";
import { withOwnPython } from "../languages/python/own-environment.ts";
import { failedByUndeclared } from "../languages/python/undeclared-packages.ts";
import type { CommandResult } from "../process/run-command.ts";
import { commandFor } from "../project-command.ts";
import { openWorkspace, type WorkspaceSettings } from "../workspace.ts";
import { type Entry, entriesOf } from "./smoke-entry.ts";
import { type Judgement, opinionOf, startMsOf } from "./smoke-opinion.ts";

const BUILD_MS = 90_000;
/** With less time left, nothing could be said of what still runs at its end. */
const FLOOR_MS = 2_000;
const OUTPUT_CHARS = 4_000;
const MANIFEST_BYTES = 256 * 1024;

/** What was tested has left its traces elsewhere. */
export async function smokeOf(settings: WorkspaceSettings): Promise<SmokeVerdict> {
  const workspace = await openWorkspace(settings);
  try {
    const started = await startIn(workspace, settings);
    const { output, ...smoke } = await failedByUndeclared(started, settings.tree, workspace);
    return { ...smoke, output: output.replaceAll(`${workspace.folder}/tree/`, "").replaceAll(workspace.folder, ".") };
  } finally {
    await workspace.close();
  }
}

const NOTHING: SmokeVerdict = { status: "not_run", reason: "nothing_to_check", exitCode: null, output: "" };

/** Where several are shown, some prepare for others: one that starts is enough. */
async function startIn(workspace: Workspace, settings: WorkspaceSettings): Promise<SmokeVerdict> {
  const { tree } = settings;
  const found: SmokeVerdict[] = [];
  for (const entry of entriesOf({ files: tree.files, read: (path) => readSmall(join(tree.folder, path)) })) {
    const smoke = await startEntry(entry, { workspace, settings });
    if (smoke.status === "passed") return smoke;
    found.push(smoke);
  }
  return found.find(({ status }) => status !== "not_run") ?? found[0] ?? NOTHING;
}

interface StartContext {
  workspace: Workspace;
  settings: WorkspaceSettings;
}

interface StartResult {
  verdict: SmokeVerdict;
  wantsArguments?: true;
}

async function startEntry(entry: Entry, context: StartContext): Promise<SmokeVerdict> {
  const unbuilt = entry.build && (await build(entry, context));
  if (unbuilt) return unbuilt;
  const helped = await helpOf(entry.argv, entry, context);
  const { status, reason } = helped.verdict;
  if (status === "not_run" && reason === "nothing_to_check") return NOTHING;
  if (status === "passed") return helped.verdict;
  // Not every program knows how to help.
  if (entry.shown) {
    const asShown = (await start(entry.shown, entry, context)).verdict;
    if (asShown.status === "passed") return asShown;
    if (!helped.wantsArguments) return helped.verdict;
    return lacksShownFile(asShown, context) ? { ...asShown, ...NO_SHOWN_FILE } : asShown;
  }
  if (helped.wantsArguments) return startBare(entry, context);
  if (status !== "failed" || !entry.orElse) return helped.verdict;
  const otherwise = await helpOf(entry.orElse, entry, context);
  if (otherwise.wantsArguments) return startBare({ ...entry, argv: entry.orElse }, context);
  return otherwise.verdict.status === "failed" ? helped.verdict : otherwise.verdict;
}

const NO_SHOWN_FILE: Judgement = { status: "not_run", reason: "it wants a file that is not delivered" };

/** READMEs show names of files that only their readers have. */
const lacksShownFile = ({ argv = [], output }: SmokeVerdict, { settings }: StartContext): boolean =>
  argv
    .slice(2)
    .some((word) => !settings.tree.files.includes(word) && output.includes(`o such file or directory: '${word}'`));

const helpOf = (argv: string[], entry: Entry, context: StartContext): Promise<StartResult> =>
  start([...argv, ...(argv[0] === "npm" ? ["--", "--help"] : ["--help"])], entry, context);

/** Its arguments are not documented: what it prints without any proves little. */
async function startBare(entry: Entry, context: StartContext): Promise<SmokeVerdict> {
  const { verdict, wantsArguments } = await start(entry.argv, entry, context);
  const wants = wantsArguments || (verdict.status === "not_run" && verdict.reason?.startsWith("it ended with"));
  return wants ? { ...verdict, status: "not_run", reason: "it needs arguments that are not documented" } : verdict;
}

async function start(
  words: string[],
  { below = "" }: Entry,
  { workspace, settings }: StartContext,
): Promise<StartResult> {
  const { tree, leftMs } = settings;
  const none = { argv: words, exitCode: null, output: "" };
  if (leftMs() < FLOOR_MS) return { verdict: { ...none, status: "not_run", reason: "no time left" } };
  const own = await withOwnPython(tree, workspace);
  const command = commandFor(words, { ...tree, folder: join(tree.folder, below) }, own.workspace);
  if (!command) return { verdict: { ...none, ...withoutToolchain(words[0] ?? "") } };
  const copy = await workspace.copy();
  const env = { ...own.env, PYTHONPATH: join(copy.folder, below, "src") };
  const result = await copy.run({
    argv: command,
    below,
    stdin: "",
    timeoutMs: Math.min(startMsOf(words[0]), leftMs()),
    env,
  });
  const { wantsArguments, ...opinion } = opinionOf(result, knownIn({ workspace, settings }));
  const verdict = { argv: words, exitCode: result.exitCode, output: outputOf(result), ...opinion };
  return { verdict, ...(wantsArguments ? { wantsArguments } : {}) };
}

const knownIn = ({ workspace, settings }: StartContext): { files: string[]; missing: string[] } => ({
  files: settings.tree.files,
  missing: workspace.environment?.missing ?? [],
});

/** Answers only where there is nothing to start afterwards. */
async function build({ below = "" }: Entry, context: StartContext): Promise<SmokeVerdict | undefined> {
  const { workspace, settings } = context;
  const argv = ["npm", "run", "build"];
  const command = commandFor(argv, settings.tree, workspace);
  if (!command) return { argv, exitCode: null, output: "", ...withoutToolchain("npm") };
  const copy = await workspace.copy();
  const timeoutMs = Math.max(0, Math.min(BUILD_MS, settings.leftMs() - FLOOR_MS));
  const result = await copy.run({ argv: command, below, stdin: "", timeoutMs });
  if (result.status === "exited" && result.exitCode === 0) return undefined;
  return { argv, exitCode: result.exitCode, output: outputOf(result), ...unbuiltBy(result, knownIn(context).missing) };
}

function unbuiltBy(result: CommandResult, missing: string[]): Judgement {
  if (result.status === "timed_out") return { status: "not_run", reason: "its build did not end in time" };
  const text = `${result.stdout}\n${result.stderr}`;
  const [lacks] = TOOL_MISSING.exec(text) ?? [];
  if (lacks !== undefined || missing.length > 0)
    return { status: "not_run", reason: "what builds it is not available here", detail: lacks ?? missing[0] };
  return { status: "failed", detail: `its build ended with ${result.exitCode ?? result.signal}` };
}

/** A program or a package from elsewhere, never a file of the project's own. */
const TOOL_MISSING =
  /^.*(?:: not found|command not found|Cannot find (?:module|package) '[^./]|could not determine executable|This is not the tsc command|ENOTFOUND|EAI_AGAIN|ECONNREFUSED).*$/m;

const outputOf = ({ stdout, stderr }: CommandResult): string =>
  headAndTail(`${stdout.trim()}\n${stderr.trim()}`.trim(), OUTPUT_CHARS);

function readSmall(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MANIFEST_BYTES ? readFileSync(path, "utf8") : undefined;
}
