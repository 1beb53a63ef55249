import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startScript } from "../../test/start-script.ts";
import type { Processes } from "./process-identity.ts";
import { createRunLock, type RunLock } from "./run-lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TAKE = `
import { createRunLock } from ${JSON.stringify(new URL("./run-lock.ts", import.meta.url).href)};
const lease = await createRunLock(process.argv[1]).take("run");
console.log(lease ? "taken" : "refused");
`;

/** A world of processes that live as long as they are in the set. */
const processesOf = (alive: Set<number>, pid: number): Processes => ({
  self: () => ({ pid, started: `start of ${pid}` }),
  isAlive: ({ pid, started }) => alive.has(pid) && started === `start of ${pid}`,
});
const lockOf = (alive: Set<number>, pid: number): RunLock => createRunLock(folder, processesOf(alive, pid));

test("one takes, others are refused until it releases", async () => {
  const lock = createRunLock(folder);
  expect(lock.holder("run")).toBeUndefined();
  const lease = await lock.take("run");
  expect(lease).toBeDefined();
  expect(lock.holder("run")).toEqual({ pid: process.pid });
  expect(await lock.take("run")).toBeUndefined();
  expect(await createRunLock(folder).take("run")).toBeUndefined();
  lease?.release();
  expect(lock.holder("run")).toBeUndefined();
  expect(await lock.take("run")).toBeDefined();
});

test("each run has a lock of its own", async () => {
  const lock = createRunLock(folder);
  expect(await lock.take("one")).toBeDefined();
  expect(await lock.take("other")).toBeDefined();
});

test("leaves nothing behind when it is released, and releasing twice has no effect", async () => {
  const alive = new Set([1, 2]);
  const lease = await lockOf(alive, 1).take("run");
  lease?.release();
  expect(readdirSync(folder)).toEqual([]);
  await lockOf(alive, 2).take("run");
  lease?.release();
  expect(lockOf(alive, 1).holder("run")).toEqual({ pid: 2 });
});

test("the lock of a dead process is taken over", async () => {
  const alive = new Set([1, 2]);
  await lockOf(alive, 1).take("run");
  alive.delete(1);
  expect(lockOf(alive, 2).holder("run")).toBeUndefined();
  expect(await lockOf(alive, 2).take("run")).toBeDefined();
  expect(lockOf(alive, 2).holder("run")).toEqual({ pid: 2 });
  expect(readdirSync(folder)).toEqual(["run.lock"]);
});

test("a pid that was given out again does not hold the lock of the one before", async () => {
  const alive = new Set([1, 2]);
  const before: Processes = { ...processesOf(alive, 1), self: () => ({ pid: 1, started: "an earlier time" }) };
  await createRunLock(folder, before).take("run");
  expect(lockOf(alive, 2).holder("run")).toBeUndefined();
  expect(await lockOf(alive, 2).take("run")).toBeDefined();
});

test("of many that take over a stale lock at once exactly one gets it, round after round", async () => {
  const alive = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const pids = Array.from({ length: 8 }, (_, index) => 1 + round * 8 + index);
    for (const pid of pids) alive.add(pid);
    const leases = await Promise.all(pids.map((pid) => lockOf(alive, pid).take("run")));
    const winners = pids.filter((_, index) => leases[index]);
    expect(winners).toHaveLength(1);
    expect(lockOf(alive, 0).holder("run")).toEqual({ pid: winners[0] });
    alive.clear();
  }
});

/** What a claimant leaves behind that was killed between its claim and the lock. */
const leaveClaim = (pid: number, token: string, after: string): void =>
  writeFileSync(join(folder, `run.lock.${after}`), JSON.stringify({ pid, started: `start of ${pid}`, token }));
const tokenIn = (name: string): string => JSON.parse(readFileSync(join(folder, name), "utf8")).token;

test("claimants that were killed on the way are succeeded, too, and their claims cleared away", async () => {
  const alive = new Set([1, 4]);
  await lockOf(alive, 1).take("run");
  leaveClaim(2, "second", tokenIn("run.lock"));
  leaveClaim(3, "third", "second");
  alive.delete(1);
  expect(await lockOf(alive, 4).take("run")).toBeDefined();
  expect(lockOf(alive, 4).holder("run")).toEqual({ pid: 4 });
  expect(readdirSync(folder)).toEqual(["run.lock"]);
});

test("a live claimant is left alone", async () => {
  const alive = new Set([1, 2, 3]);
  await lockOf(alive, 1).take("run");
  leaveClaim(2, "second", tokenIn("run.lock"));
  alive.delete(1);
  expect(await lockOf(alive, 3).take("run")).toBeUndefined();
});

test("a claim that comes too late is void: the lock was taken over meanwhile", async () => {
  const alive = new Set([1, 2, 3]);
  await lockOf(alive, 1).take("run");
  alive.delete(1);
  const lateOne: Processes = {
    ...processesOf(alive, 3),
    isAlive: (identity) => {
      // Between 3's look at the lock that 1 left and its claim, 2 moves its own claim onto the lock.
      if (identity.pid === 1) {
        writeFileSync(join(folder, "run.lock"), JSON.stringify({ pid: 2, started: "start of 2", token: "second" }));
      }
      return processesOf(alive, 3).isAlive(identity);
    },
  };
  expect(await createRunLock(folder, lateOne).take("run")).toBeUndefined();
  expect(lockOf(alive, 3).holder("run")).toEqual({ pid: 2 });
  expect(readdirSync(folder)).toEqual(["run.lock"]);
});

test("of two claims the first counts, and the second leaves it alone", async () => {
  const alive = new Set([1, 2, 3]);
  await lockOf(alive, 1).take("run");
  const stale = tokenIn("run.lock");
  alive.delete(1);
  const lateOne: Processes = {
    ...processesOf(alive, 3),
    isAlive: (identity) => {
      if (identity.pid === 1) leaveClaim(2, "second", stale);
      return processesOf(alive, 3).isAlive(identity);
    },
  };
  expect(await createRunLock(folder, lateOne).take("run")).toBeUndefined();
  expect(tokenIn(`run.lock.${stale}`)).toBe("second");
});

test("a lock that was released meanwhile is taken afresh", async () => {
  const alive = new Set([1, 3]);
  await lockOf(alive, 1).take("run");
  alive.delete(1);
  const lateOne: Processes = {
    ...processesOf(alive, 3),
    isAlive: (identity) => {
      rmSync(join(folder, "run.lock"));
      return processesOf(alive, 3).isAlive(identity);
    },
  };
  expect(await createRunLock(folder, lateOne).take("run")).toBeDefined();
  expect(lockOf(alive, 3).holder("run")).toEqual({ pid: 3 });
  expect(readdirSync(folder)).toEqual(["run.lock"]);
});

test.each(["", "{", '{"pid":-1,"started":"","token":"x"}', "null"])(
  "a lock that a power cut damaged does not block: %j",
  async (text) => {
    writeFileSync(join(folder, "run.lock"), text);
    writeFileSync(join(folder, "run.lock.unreadable-run.lock"), text);
    const lock = createRunLock(folder);
    expect(lock.holder("run")).toBeUndefined();
    expect(await lock.take("run")).toBeDefined();
    expect(readdirSync(folder)).toEqual(["run.lock"]);
  },
);

test.each(["../run", "a/b", "", "a.b"])("%j is not the id of a run", async (runId) => {
  await expect(createRunLock(folder).take(runId)).rejects.toThrow("is not the id of a run");
});

test("a run that another process computes is refused until that process is killed", async () => {
  const lock = createRunLock(folder);
  const other = startScript(TAKE, folder);
  expect(await other.line()).toBe("taken");
  expect(lock.holder("run")).toEqual({ pid: other.pid });
  expect(await lock.take("run")).toBeUndefined();
  await other.kill();
  expect(lock.holder("run")).toBeUndefined();
  expect(await lock.take("run")).toBeDefined();
});

test("of several processes that take over from a killed one exactly one gets it", async () => {
  const first = startScript(TAKE, folder);
  expect(await first.line()).toBe("taken");
  await first.kill();
  const others = [1, 2, 3, 4].map(() => startScript(TAKE, folder));
  const answers = await Promise.all(others.map((other) => other.line()));
  expect(answers.toSorted()).toEqual(["refused", "refused", "refused", "taken"]);
  expect(createRunLock(folder).holder("run")).toEqual({ pid: others[answers.indexOf("taken")]?.pid });
  for (const other of others) other.letGo();
  await Promise.all(others.map((other) => other.ended()));
});
