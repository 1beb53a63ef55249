/** Checkers that stay ready between the evaluations of one owner, each in a sandbox of its own that may only read its tree. */
import { statSync } from "node:fs";
import { defined } from "../core/defined.ts";
import { type AnsweringProcess, startAnswering } from "./process/answering-process.ts";
import { createExceeds } from "./process/bounds.ts";
import type { CommandResult } from "./process/run-command.ts";
import { commandEnvironment } from "./process/scrubbed-environment.ts";
import type { Seal } from "./workspace.ts";

export interface ReadyCheckers {
  /** Undefined: it cannot say, and a new process must be asked. */
  ask(owner: object, checker: Checker, question: CheckerQuestion): Promise<CommandResult | undefined>;
  /** Of one owner; of all. */
  end(owner?: object): Promise<void>;
}

export interface Checker {
  seal: Seal;
  argv: string[];
  /** The tree, in which it runs. */
  folder: string;
  path: string;
  env: Record<string, string>;
  readable: string[];
}

export interface CheckerQuestion {
  line: string;
  timeoutMs: number;
  outputBytes?: number;
  signal?: AbortSignal;
}

interface ReadyChecker {
  owner: object;
  program: string;
  identity: string;
  process: AnsweringProcess;
  answers: number;
  isBusy: boolean;
  timer?: NodeJS.Timeout;
}

/** A model may think that long about its next turn. */
const IDLE_MS = 5 * 60_000;
/** Of all owners: each takes the memory of an interpreter. */
const AT_ONCE = 4;
/** What an interpreter does not give back goes with it. */
const ANSWERS = 200;

export function createReadyCheckers({ idleMs = IDLE_MS } = {}): ReadyCheckers {
  /** The one that was asked last is the last. */
  let ready: ReadyChecker[] = [];
  const remove = (one: ReadyChecker): Promise<void> => {
    clearTimeout(one.timer);
    ready = ready.filter((other) => other !== one);
    return one.process.end();
  };
  const started = (owner: object, checker: Checker): ReadyChecker => {
    const [program, identity] = [checker.argv.join("\0"), identityOf(checker)];
    const found = ready.find((one) => one.owner === owner && one.program === program);
    if (found && (found.isBusy || (found.identity === identity && found.process.isAlive() && found.answers < ANSWERS)))
      return found;
    if (found) void remove(found);
    const oldest = ready.filter(({ isBusy }) => !isBusy).slice(0, Math.max(0, ready.length + 1 - AT_ONCE));
    for (const one of oldest) void remove(one);
    return { owner, program, identity, process: start(checker), answers: 0, isBusy: false };
  };
  return {
    async ask(owner, checker, { line, ...limits }) {
      if (limits.signal?.aborted) return undefined;
      const one = started(owner, checker);
      if (one.isBusy) return undefined;
      one.isBusy = true;
      clearTimeout(one.timer);
      ready = [...ready.filter((other) => other !== one), one];
      const result = await one.process.ask(line, limits);
      one.isBusy = false;
      one.answers += 1;
      if (result.status === "exited") {
        one.timer = setTimeout(() => void remove(one), idleMs).unref();
        return result;
      }
      await remove(one);
      // What earlier answers left behind may be the reason.
      return result.status === "timed_out" || one.answers === 1 ? result : undefined;
    },
    async end(owner) {
      await Promise.all(ready.filter((one) => owner === undefined || one.owner === owner).map(remove));
    },
  };
}

/** It writes nowhere but into the memory of its own sandbox. */
const HOME = "/tmp";

function start({ seal, argv, folder, path, env, readable }: Checker): AnsweringProcess {
  const sealed = seal.seal({ argv, cwd: folder, writable: [], readable: [...readable, folder] });
  return startAnswering({
    argv: sealed.argv,
    cwd: folder,
    env: { ...env, ...commandEnvironment({ path, home: HOME, tmp: HOME }), ...sealed.env },
    ...defined({
      saysFirst: sealed.saysFirst,
      filter: sealed.filter,
      exceeds: seal.bounds && createExceeds(undefined, seal.bounds),
    }),
  });
}

/** A folder that was made again under the same name is not the one that it sees. */
const identityOf = ({ folder, env, path, readable }: Checker): string =>
  JSON.stringify([folder, env, path, readable, [folder, ...readable].map(placeOf)]);

function placeOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : "";
}
