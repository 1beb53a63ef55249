/** The first process of a sandbox: when it is gone, so is everything that was started in there. */
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { processesBelow } from "./processes-below.ts";

export interface FirstProcess {
  /** Absent: the sandbox has not said it yet, or never came so far. */
  pid(): number | undefined;
  /** Ends it and all the others. */
  end(): void;
  /** Ends whatever is left, and resolves when nothing is. */
  gone(): Promise<void>;
}

/** Killing hundreds of processes takes the kernel a moment, and longer where they fight for the processors. */
const GONE_MS = 30_000;
const LOOK_MS = 5;

/** `said`: what the sandbox writes about itself, as JSON, before it starts anything. */
export function readFirstProcess(said: Readable): FirstProcess {
  let text = "";
  let first: Identity | undefined;
  const ended = new Promise<void>((resolve) => {
    said.once("close", resolve);
    said.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      first ??= identityIn(text);
      if (first) resolve();
    });
  });
  said.on("error", () => {});
  const end = (): void => {
    if (first && isThere(first)) for (const pid of processesBelow(first.pid)) kill(pid);
  };
  return {
    pid: () => first?.pid,
    end,
    async gone() {
      const latest = performance.now() + GONE_MS;
      await Promise.race([ended, delay(GONE_MS, undefined, { ref: false })]);
      while (first && isThere(first) && performance.now() < latest) {
        const began = performance.now();
        end();
        await delay(LOOK_MS + performance.now() - began);
      }
    },
  };
}

/** The number alone may be somebody else's later. */
interface Identity {
  pid: number;
  started: string | undefined;
}

function identityIn(text: string): Identity | undefined {
  const pid = Number(/"child-pid": (\d+)\D/.exec(text)?.[1] ?? Number.NaN);
  return Number.isNaN(pid) ? undefined : { pid, started: stateOf(pid)?.started };
}

/** The kernel lets it become a zombie only when all that it is responsible for has ended. */
function isThere({ pid, started }: Identity): boolean {
  const now = stateOf(pid);
  return now !== undefined && now.started === started && now.state !== "Z";
}

/** The third and the twenty-second field; the second is a name in parentheses, of any characters. */
function stateOf(pid: number): { state: string | undefined; started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}

/**
 * Each by itself, although all of them end with the first: that waits for its turn among hundreds that never rest, and
 * a process to be killed has no children any more.
 */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or not ours to end: then it ends with the first.
  }
}
