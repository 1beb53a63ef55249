/** Fetches the commit that a run starts from, and stores its files like those of a submission. Can be repeated after a crash. */
import { deflateSync } from "node:zlib";
import { UserError } from "../../core/errors.ts";
import { type GitOrigin, gitAddressOf } from "../../core/git/origin.ts";
import { type FetchedCommit, GitError, type GitServers } from "../../core/git/servers.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { leftOutInWords } from "../../core/text/left-out.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readFileIn, readTree } from "../files/packs.ts";
import { startingFiles } from "../gate/user-tests.ts";
import { endRun } from "../lifecycle/ending.ts";
import { storeStart } from "../lifecycle/submit.ts";
import { waitCommit } from "../lifecycle/wait.ts";
import { readTask } from "../program/stored-task.ts";
import type { StepResult } from "../step-result.ts";
import type { Invocation, World } from "../world.ts";

/** So often a server that does not answer is asked, ever later. */
const ATTEMPTS = 4;
const FIRST_WAIT_SECONDS = 10;

export async function fetchStart(world: World, run: Run, { signal }: Invocation): Promise<StepResult> {
  const { git: origin } = run;
  if (!origin) throw new Error(`Run ${run.id} starts from no repository.`);
  let resolved = run;
  try {
    if (!world.git) throw new GitError(`${gitAddressOf(origin)}: nothing is fetched from Git servers here.`, "refused");
    resolved = await resolveStart(world, run, { servers: world.git, origin, signal });
    const fetched = await world.git.fetch(resolved.git ?? origin, signal);
    return { kind: "done", run: await storeFetched(world, resolved, { origin: resolved.git ?? origin, fetched }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitError || error instanceof UserError) return unfetched(world, resolved, error);
    throw error;
  }
}

interface Resolving {
  servers: GitServers;
  origin: GitOrigin;
  signal: AbortSignal;
}

/** What is stored of a start is not fenced: attempts store the same bytes, since they fetch the same commit. */
async function resolveStart(world: World, run: Run, { servers, origin, signal }: Resolving): Promise<Run> {
  if (origin.resolved !== undefined) return run;
  const { commit, base } = await servers.resolve(origin, signal);
  const git = { ...origin, resolved: commit, ...(base === undefined ? {} : { base }) };
  return world.registry.commit(run, { run: { git } });
}

async function storeFetched(
  world: World,
  run: Run,
  { origin, fetched }: { origin: GitOrigin; fetched: FetchedCommit },
): Promise<Run> {
  const task = await readTask(world.files, run.id);
  const tests = await givenTests(world, run, task);
  const { from = new Map() } = startingFiles({
    from: fetched.files,
    tests,
    pack: task.pack,
    runTests: run.options.runTests,
  });
  await world.files.putOnce(fileStoreKeys(run.id).outline, deflateSync(fetched.outline));
  const { checks } = task.pack.declaration;
  // Tests that the user gave lie in its place until then.
  const replaces = run.packed >= 0;
  const start = await storeStart(world, run.id, { from, given: task.tests ?? [], checks, replaces });
  const { resolved: _, ...rest } = origin;
  return world.registry.commit(run, {
    run: {
      ...start,
      ...(from.size > 0 ? { options: { ...run.options, from: true } } : { remove: ["toLoad"] }),
      git: { ...rest, commit: fetched.commit },
      failures: 0,
    },
    events: startedFrom(origin, fetched),
  });
}

/** They lie in the place of what is fetched, beside which they are put. */
async function givenTests(
  { files }: World,
  { id, packed }: Run,
  { tests }: StoredTask,
): Promise<Map<string, Uint8Array> | undefined> {
  if (!tests || packed < 0) return undefined;
  const stored = await readTree(files, id, 0);
  return new Map(
    tests.flatMap((path) => {
      const content = readFileIn(stored, { runId: id, number: 0 }, path);
      return content ? [[path, content] as const] : [];
    }),
  );
}

const startedFrom = (origin: GitOrigin, { commit, files, leftOut }: FetchedCommit): EventBody[] =>
  leftOutInWords(
    `${gitAddressOf(origin)} at ${commit.slice(0, 12)}`,
    { files: files.size, leftOut },
    { isFolder: false },
  )
    .slice(0, LINES_SHOWN)
    .map((text) => ({ type: "notice", text }));

/** Of a commit's events. */
const LINES_SHOWN = 10;

/** What may work later is tried again; anything else ends the run, which can be resumed. */
async function unfetched(world: World, run: Run, error: GitError | UserError): Promise<StepResult> {
  const failures = run.failures + 1;
  if (error instanceof GitError && error.kind === "temporary" && failures < ATTEMPTS) {
    const seconds = FIRST_WAIT_SECONDS * 3 ** (failures - 1);
    const wait = { reason: "repository", why: error.message, seconds, run: { failures } } as const;
    await world.registry.commit(run, waitCommit(world, wait));
    return { kind: "answer", answer: { next: "wait", waitSeconds: seconds } };
  }
  const detail = `The repository that the run starts from could not be read. ${error.message}`;
  return { kind: "done", run: await endRun(world, run, { status: "failed", reason: "repository", detail }) };
}
