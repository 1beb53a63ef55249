/** Pushes what a run has accepted to the repository that it started from. Can be repeated after a crash: the branch is found again. */
import { inflateSync } from "node:zlib";
import type { GitOrigin } from "../../core/git/origin.ts";
import { pullRequestText } from "../../core/git/pull-request-text.ts";
import { GitError, type PushRequest, type PushResult } from "../../core/git/servers.ts";
import { MiB } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { oneLine } from "../../core/text/cut.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { acceptedSteps, startingTreeOf } from "../files/accepted-steps.ts";
import { packedTree } from "../files/run-tree.ts";
import { readRequired } from "../files/verified-read.ts";
import type { Invocation, World } from "../world.ts";

export interface PushedRun {
  run: Run;
  /** What became of it, in sentences. */
  notes: string[];
}

const ATTEMPTS = 3;
const PAUSE_MS = 4_000;
/** Of an outline that is inflated. */
const OUTLINE_BYTES = 64 * MiB;

/** A push that fails ends no run: its result is kept. */
export async function pushRun(world: World, run: Run, { signal }: Invocation): Promise<PushedRun> {
  const { git } = run;
  if (!git?.push || git.pushed || git.commit === undefined || !world.git) return { run, notes: [] };
  try {
    const result = await retried(world, signal, async () => world.git?.push(await requestOf(world, run, git), signal));
    return result ? await notePushed(world, run, { git, result }) : { run, notes: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    return {
      run,
      notes: [`Its commits were not pushed, which can be repeated. ${oneLine(error.message, NOTE_CHARS)}`],
    };
  }
}

const NOTE_CHARS = 600;

async function retried<T>({ clock }: World, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitError) || error.kind !== "temporary" || attempt === ATTEMPTS) throw error;
      await clock.sleep(PAUSE_MS, signal);
    }
  }
}

async function requestOf({ registry, files }: World, run: Run, git: GitOrigin): Promise<PushRequest> {
  const [instructions, requirements] = await Promise.all([
    registry.instructions(run.id),
    registry.requirements(run.id),
  ]);
  const source = {
    output: (of: Run, instruction: number) => packedTree(files, of, instruction),
    program: async () => ({ instructions }),
  };
  const stored = await readRequired(files, fileStoreKeys(run.id).outline);
  const outline = inflateSync(stored, { maxOutputLength: OUTLINE_BYTES });
  const { url, commit = "", base } = git;
  return {
    ...{ url, name: run.name, start: { commit, outline } },
    ...{ before: await startingTreeOf(source, run), steps: acceptedSteps(source, run) },
    ...(base === undefined ? {} : { pullRequest: { base, ...pullRequestText(run, { instructions, requirements }) } }),
  };
}

async function notePushed(
  { registry }: World,
  run: Run,
  { git, result }: { git: GitOrigin; result: PushResult },
): Promise<PushedRun> {
  const { branch, commit, pullRequest } = result;
  const pushed = { branch, commit, ...(pullRequest === undefined ? {} : { pullRequest }) };
  const notes = pushedInWords(git.url, result);
  const events = notes.map((text) => ({ type: "notice" as const, text }));
  return { run: await registry.commit(run, { run: { git: { ...git, pushed } }, events }), notes };
}

/** The same for handlers and commands. */
export function pushedInWords(url: string, { branch, commit, steps, kept, pullRequest, note }: PushResult): string[] {
  const where = `branch ${branch} of ${url}, whose last commit is ${commit.slice(0, 12)}`;
  return [
    `Pushed ${steps === 1 ? "1 commit" : `${steps} commits`} to ${where}.`,
    ...(pullRequest === undefined ? [] : [`Pull request: ${pullRequest}`]),
    ...(kept.length === 0 ? [] : [`Left as they are, because the run was not shown them: ${named(kept)}.`]),
    ...(note === undefined ? [] : [oneLine(note, NOTE_CHARS)]),
  ];
}

const NAMED = 5;
const named = (paths: string[]): string =>
  oneLine(paths.slice(0, NAMED).join(", "), NOTE_CHARS) +
  (paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "");
