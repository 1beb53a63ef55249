/** The evaluator on one computer: keeps each run's tree on disk and has it evaluated in the sandbox. */
import { join } from "node:path";
import type { EvaluationRequest, Evaluator } from "../core/ports.ts";
import type { Finding, Verdict } from "../core/verdict/verdict.ts";
import { createWorkTree, type WorkTree } from "./work-tree.ts";

/** What the installers made of the project's own manifests. */
export interface InstalledEnvironment {
  path: string[];
  env: Record<string, string>;
  python?: string;
  nodeModules: { below: string; folder: string }[];
  readable: string[];
  missing: string[];
  available?: string[];
  findings?: Finding[];
}

export interface TreeRequest
  extends Pick<EvaluationRequest, "syntax" | "tests" | "incremental" | "command" | "prose" | "smoke" | "timeoutMs"> {
  /** What differs from the last accepted tree, with what it had there. */
  changed?: { path: string; before?: Uint8Array }[];
  environment?: InstalledEnvironment;
  /** Stands for the run, of which the last verdict is remembered. */
  memory?: object;
  signal?: AbortSignal;
}

export interface SandboxEvaluatorParts {
  /** The folder of all work trees. They can be thrown away at any time. */
  folder: string;
  evaluateTree: (folder: string, asked: TreeRequest) => Promise<Verdict>;
  /** Absent: nothing is ever installed. */
  install?: (folder: string, limits: { timeoutMs: number; signal?: AbortSignal }) => Promise<InstalledEnvironment>;
  /** Where this evaluator itself does not outlast a request: what does, and stands for the run. */
  memoryOf?: (runId: string) => object;
  /** Ends what is kept ready for a run. */
  release?: (memory: object) => Promise<void>;
  now: () => number;
}

/** Of an evaluation's time: what installs must leave the tests enough to run. */
const INSTALL_SHARE = 2 / 3;

export function createSandboxEvaluator(parts: SandboxEvaluatorParts): Evaluator {
  const runs = new Map<string, RunPlace>();
  return {
    async evaluate(request, signal) {
      const run = runs.get(request.runId) ?? openRun(parts, request.runId);
      runs.set(request.runId, run);
      // One at a time: the next may need another tree.
      const verdict = run.last.then(() => evaluateIn(run, parts, { request, signal }));
      run.last = verdict.catch(() => {});
      return verdict;
    },
    async release(runId) {
      const run = runs.get(runId);
      if (run) await parts.release?.(run);
    },
  };
}

interface RunPlace {
  tree: WorkTree;
  last: Promise<unknown>;
  environment?: InstalledEnvironment;
}

function openRun({ folder }: SandboxEvaluatorParts, runId: string): RunPlace {
  if (!/^[\w-]+$/.test(runId)) throw new Error(`${JSON.stringify(runId)} is no id of a run`);
  return { tree: createWorkTree(join(folder, runId)), last: Promise.resolve() };
}

async function evaluateIn(
  run: RunPlace,
  parts: SandboxEvaluatorParts,
  { request, signal }: { request: EvaluationRequest; signal: AbortSignal | undefined },
): Promise<Verdict> {
  signal?.throwIfAborted();
  const began = parts.now();
  const folder = await run.tree.lay(request.base, request.changes);
  const passedOn = signal ? { signal } : {};
  if (parts.install && request.install && (request.tests || request.command || request.smoke))
    run.environment = await parts.install(folder, { timeoutMs: request.timeoutMs * INSTALL_SHARE, ...passedOn });
  const verdict = await parts.evaluateTree(folder, {
    ...askedOf(request),
    ...((request.syntax ?? request.prose) && request.changes.length > 0
      ? { changed: changedIn(request, run.tree) }
      : {}),
    ...(run.environment && request.install ? { environment: run.environment } : {}),
    memory: parts.memoryOf?.(request.runId) ?? run,
    timeoutMs: Math.max(0, request.timeoutMs - (parts.now() - began)),
    ...passedOn,
  });
  signal?.throwIfAborted();
  return verdict;
}

const askedOf = ({
  syntax,
  tests,
  incremental,
  command,
  prose,
  smoke,
}: EvaluationRequest): Omit<TreeRequest, "timeoutMs"> => ({
  ...(syntax ? { syntax } : {}),
  ...(tests ? { tests } : {}),
  ...(incremental ? { incremental } : {}),
  ...(command ? { command } : {}),
  ...(prose ? { prose } : {}),
  ...(smoke ? { smoke } : {}),
});

/** Only of the files that were asked for: a turn costs what it changed. What is gone may have moved to one of them. */
function changedIn(request: EvaluationRequest, tree: WorkTree): NonNullable<TreeRequest["changed"]> {
  const { changes } = request;
  const wanted = [request.syntax, request.prose].flatMap((part) => (part ? [part.paths] : []));
  const asked = wanted.includes(undefined) ? undefined : new Set(wanted.flatMap((paths) => paths ?? []));
  const paths = changes.flatMap(({ path, content }) => (!asked || asked.has(path) || content === null ? [path] : []));
  const accepted = tree.accepted(paths);
  return paths.map((path) => {
    const before = accepted.get(path);
    return before ? { path, before } : { path };
  });
}
