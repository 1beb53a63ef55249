/**
 * What a function can do about generated code that runs in it, as the same user: bound it, and end all of it. Its
 * processes carry a limit that is lower than ours and that they cannot raise again: by that they are known, whatever
 * they do to hide.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Seal } from "../../lib/evaluator/workspace.ts";

const SHELL = "/bin/bash";
/** In kilobytes, as the shell wants it: half a gigabyte. Lambda itself allows 1,024 processes and as many descriptors. */
const FILE_KILOBYTES = 512 * 1024;
/** Beyond any evaluation, on several processors. */
const CPU_SECONDS = 900;

/** Where there is no such shell, nothing is bounded and nothing can be found again. */
export function createFunctionSeal(): Seal {
  const mark = markOf("self");
  if (mark === undefined || mark < 1 || !existsSync(SHELL)) return { seal: ({ argv }) => ({ argv }) };
  const limits = `ulimit -c 0 -t ${CPU_SECONDS} -f ${FILE_KILOBYTES} -n 1024 -q ${mark - 1} && exec "$0" "$@"`;
  return { seal: ({ argv }) => ({ argv: [SHELL, "--norc", "--noprofile", "-c", limits, ...argv] }) };
}

const END_MS = 5_000;
const LOOK_MS = 5;

/** Answers whether none is left. Stopped first, because they may have children faster than they can be ended. */
export async function endLeftovers(patienceMs = END_MS): Promise<boolean> {
  const end = performance.now() + patienceMs;
  for (let left = leftovers(); left.length > 0; left = leftovers()) {
    if (performance.now() > end) return false;
    for (const signal of ["SIGSTOP", "SIGKILL"] as const) for (const pid of left) send(pid, signal);
    await delay(LOOK_MS);
  }
  return true;
}

function leftovers(): number[] {
  const own = markOf("self");
  if (own === undefined) return [];
  const marked = new Map<string, string>();
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name) && (markOf(name) ?? own) < own) marked.set(name, textOf(`/proc/${name}/status`));
  const above = [...lineOf(String(process.pid)), ADOPTS];
  // Several evaluators may share a computer. When unsure, assume the process is ours: its evaluator ended or is unknown.
  const isOfAnother = (pid: string): boolean => {
    const from = startedBy(pid, marked);
    return from !== undefined && !above.includes(from) && (markOf(from) ?? 0) >= own;
  };
  return [...marked].flatMap(([pid, status]) => (isAlive(status) && !isOfAnother(pid) ? [Number(pid)] : []));
}

/** The first process of all: orphans become its children, even if it did not start us. */
const ADOPTS = "1";

/** The first above it that carries no mark: the evaluator, or who adopted it, who is above the evaluator too. */
function startedBy(pid: string, marked: Map<string, string>): string | undefined {
  let at: string | undefined = pid;
  for (let status = marked.get(pid); status !== undefined; status = marked.get(at ?? "")) at = parentIn(status);
  return at;
}

/** A process and all above it. */
function lineOf(pid: string): string[] {
  const parent = parentIn(textOf(`/proc/${pid}/status`));
  return parent === undefined || parent === "0" ? [pid] : [pid, ...lineOf(parent)];
}

const parentIn = (status: string): string | undefined => /^PPid:\s+(\d+)/m.exec(status)?.[1];

/** The hard limit on the bytes of message queues, which nothing here uses. */
function markOf(pid: string): number | undefined {
  const found = /^Max msgqueue size\s+\S+\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Its parent, which should reap it, is not ours. */
const isAlive = (status: string): boolean => status !== "" && !/^State:\s+[ZX]/m.test(status);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
