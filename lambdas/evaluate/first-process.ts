/** The first process of a sandbox: when it is gone, so is everything that was started in there. */
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

export interface FirstProcess {
  /** Absent: the sandbox has not said it yet, or never came so far. */
  pid(): number | undefined;
  /** Resolves when neither it nor any process of its own is left. */
  gone(): Promise<void>;
}

/** Killing a thousand processes takes the kernel a moment, and longer where they fight for the processors. */
const GONE_MS = 30_000;
const LOOK_MS = 5;

/** `said`: what the sandbox writes about itself, as JSON, before it starts anything. */
export function readFirstProcess(said: Readable): FirstProcess {
  let text = "";
  said.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  said.on("error", () => {});
  const ended = new Promise<void>((resolve) => said.once("close", resolve));
  const pid = (): number | undefined => {
    const found = /"child-pid": (\d+)/.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    pid,
    async gone() {
      const end = performance.now() + GONE_MS;
      await Promise.race([ended, delay(GONE_MS, undefined, { ref: false })]);
      const first = pid();
      while (first !== undefined && isThere(first) && performance.now() < end) await delay(LOOK_MS);
    },
  };
}

/** The kernel lets it become a zombie only when all that it is responsible for has ended. */
function isThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    return false;
  }
}
