/** Limits of a sealed command: the kernel enforces those of each process, the evaluator those of all together. */
import { existsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { LONGEST_EVALUATION_MS } from "../core/limits.ts";

const GiB = 1024 ** 3;
/** Of one file. */
const FILE_BYTES = GiB / 2;
/** As Lambda has it. */
const OPEN_FILES = 1024;
/**
 * Threads count as processes, Node alone has a dozen, and tools start one or two for each processor. More would only
 * serve a fork bomb, whose processes must be ended on the same processors. Lambda has 1,024.
 */
const THREADS = Math.min(1024, 256 + 64 * availableParallelism());
/** No evaluation lasts longer: this ends processes that outlived theirs. */
const CPU_SECONDS = (LONGEST_EVALUATION_MS / 1000) * availableParallelism();
/** At least Lambda's default, which is enough for a compiler; up to 4 GiB if that is at most half of the memory. */
const MEMORY_BYTES = Math.max(2 * GiB, Math.min(4 * GiB, Math.floor(totalmem() / 2)));

const BASH = "/bin/bash";
const hasBash = existsSync(BASH);

/**
 * Closes inherited file descriptors: Node passes on those that it did not open itself. Only bash can close those above 9.
 * (Nothing is redirected meanwhile: the shell keeps saved descriptors among them.) If memory runs out, the kernel ends
 * these processes first.
 */
const FIRST = `for each in /proc/self/fd/*; do
  n=\${each##*/}
  case $n in 0 | 1 | 2) ;; ${hasBash ? "*" : "?"}) eval "exec $n>&-" ;; esac
done
[ -w /proc/self/oom_score_adj ] && echo 1000 >/proc/self/oom_score_adj
exec "$0" "$@"`;
const SHELL = hasBash ? [BASH, "--norc", "--noprofile"] : ["/bin/sh"];

/** Of address space only what is written counts: V8 reserves much more than it uses, and dies of a limit on that. */
export const limited = (): string[] => [
  ...SHELL,
  "-c",
  FIRST,
  "/usr/bin/prlimit",
  "--core=0",
  `--cpu=${CPU_SECONDS}`,
  `--fsize=${FILE_BYTES}`,
  `--nofile=${OPEN_FILES}`,
  `--nproc=${THREADS}`,
  `--data=${MEMORY_BYTES}`,
  "--",
];

/** Where there is no prlimit: what a shell can set for each process. File sizes count in blocks of 512 bytes. */
export const limitedByShell = (): string[] => [
  "/bin/sh",
  "-c",
  `for each in /dev/fd/*; do
  n=\${each##*/}
  case $n in 0 | 1 | 2) ;; ?) eval "exec $n>&-" ;; esac
done
ulimit -c 0 && ulimit -t ${CPU_SECONDS} && ulimit -f ${FILE_BYTES / 512} && ulimit -n ${OPEN_FILES} && exec "$0" "$@"`,
];

/**
 * As many bytes as Lambda's disk has; of files five times as many as a tree may have. Who has more processes than these
 * is ended: a fork bomb would else go on until its time is over, at the limit on threads.
 */
export const BOUNDS = { memoryBytes: MEMORY_BYTES, processes: THREADS / 2, diskBytes: 2 * GiB, files: 50_000 };
