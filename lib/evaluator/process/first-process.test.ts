import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readFirstProcess } from "./first-process.ts";
import { processesBelow } from "./processes-below.ts";

const SLEEPERS = 20;

/** A process with many below it, each in a session of its own. */
async function startFamily(): Promise<ChildProcess> {
  const script = `for n in $(seq ${SLEEPERS}); do setsid sh -c 'sleep 600; :' & done; echo ready; wait`;
  const first = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  await once(first.stdout, "data");
  return first;
}

const stateOf = (pid: number): string | undefined => {
  try {
    return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  } catch {
    return undefined;
  }
};
const lives = (pid: number): boolean => !["Z", "X", undefined].includes(stateOf(pid));

describe.skipIf(process.platform !== "linux")("the first process of a sandbox (Linux only)", () => {
  it("is ended with all that are below it, whatever session they are in, before it is said to be gone", async () => {
    const child = await startFamily();
    const family = processesBelow(child.pid ?? -1);
    expect(family.length).toBeGreaterThan(SLEEPERS);
    const first = readFirstProcess(
      Readable.from([Buffer.from(`{\n    "child-`), Buffer.from(`pid": ${child.pid}\n}`)]),
    );
    await first.gone();
    expect(first.pid()).toBe(child.pid);
    // Each was signalled to end; the kernel ends those that are not ours in its own time.
    await expect.poll(() => family.filter(lives)).toEqual([]);
  });

  it("is unknown if the sandbox ended before it was named", async () => {
    const first = readFirstProcess(Readable.from([]));
    await first.gone();
    expect(first.pid()).toBeUndefined();
  });

  it("is not looked for below a process that there is not", () => {
    expect(processesBelow(2 ** 30)).toEqual([2 ** 30]);
  });
});
