/** Pushes what a run has accepted to the repository that it started from. Can be repeated after a crash: the branch is found again. */
import { inflateSync } from "node:zlib";
import { Cancelled, Fenced } from "../../core/errors.ts";
import type { GitOrigin } from "../../core/git/origin.ts";
import { pullRequestText } from "../../core/git/pull-request-text.ts";
import { GitError, type GitServers, type GitStep, type PushRequest, type PushResult } from "../../core/git/servers.ts";
import { INVOCATION_MS, INVOCATION_RESERVE_MS, OUTLINE_BYTES } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { oneLine } from "../../core/text/cut.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { acceptedSteps, startingTreeOf } from "../files/accepted-steps.ts";
import { packedTree } from "../files/run-tree.ts";
import { readRequired } from "../files/verified-read.ts";
import type { Invocation, World } from "../world.ts";

export interface PushedRun {
  run: Run;
  /** That it failed, in a sentence that names no file; why is an event. */
  note?: string;
}

const ATTEMPTS = 3;
const PAUSE_MS = 4_000;
/** With less time left in the invocation, the run is ended first. */
const FLOOR_MS = INVOCATION_RESERVE_MS + 15_000;
const NOTE_CHARS = 600;
const UNPUSHED = "Its commits were not pushed, which can be repeated.";

/** A push that fails ends no run: its result is kept. */
export async function pushRun(world: World, run: Run, invocation: Invocation): Promise<PushedRun> {
  const { git } = run;
  if (!git?.push || git.pushed || git.commit === undefined || !world.git) return { run };
  let result: PushResult;
  try {
    result = await pushedBy(world.git, invocation, { world, run, git });
  } catch (error) {
    if (error instanceof Fenced || error instanceof Cancelled) throw error;
    invocation.signal.throwIfAborted();
    const why = oneLine(error instanceof Error ? error.message : String(error), NOTE_CHARS);
    const events = [{ type: "notice" as const, text: `${UNPUSHED} ${why}` }];
    return { run: await world.registry.commit(run, { run: {}, events }), note: UNPUSHED };
  }
  return { run: await notePushed(world, run, { git, result }) };
}

interface PushAsked {
  world: World;
  run: Run;
  git: GitOrigin;
}

/** The commits are built once, however often they are sent. */
async function pushedBy(
  servers: GitServers,
  invocation: Invocation,
  { world, run, git }: PushAsked,
): Promise<PushResult> {
  const { signal } = invocation;
  const request = await requestOf(world, run, git);
  const push = await servers.prepare({ ...request, steps: whileTime(invocation, request.steps) }, signal);
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = refuseLate(invocation) - INVOCATION_RESERVE_MS;
    try {
      return await push(AbortSignal.any([signal, AbortSignal.timeout(Math.min(leftMs, INVOCATION_MS))]));
    } catch (error) {
      if (!(error instanceof GitError) || error.kind !== "temporary" || attempt === ATTEMPTS) throw error;
      await world.clock.sleep(PAUSE_MS, signal);
    }
  }
}

async function* whileTime(invocation: Invocation, steps: PushRequest["steps"]): AsyncIterable<GitStep> {
  for await (const step of steps) {
    refuseLate(invocation);
    yield step;
  }
}

/** Answers how long the invocation still runs. */
function refuseLate({ remainingMs }: Invocation): number {
  const left = remainingMs();
  if (left < FLOOR_MS) throw new GitError("Too little time was left to push them.", "refused");
  return left;
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
    url,
    name: run.name,
    start: { commit, outline },
    before: await startingTreeOf(source, run),
    steps: acceptedSteps(source, run),
    ...(base === undefined ? {} : { pullRequest: { base, ...pullRequestText(run, { instructions, requirements }) } }),
  };
}

async function notePushed(
  { registry }: World,
  run: Run,
  { git, result }: { git: GitOrigin; result: PushResult },
): Promise<Run> {
  const { branch, commit, pullRequest } = result;
  const pushed = { branch, commit, ...(pullRequest === undefined ? {} : { pullRequest }) };
  const events = pushedInWords(git.url, result).map((text) => ({ type: "notice" as const, text }));
  return registry.commit(run, { run: { git: { ...git, pushed } }, events });
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
