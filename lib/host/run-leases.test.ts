/** Which runs a machine has its lease on, where calls fail and overlap. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRunLeases, type RunLeases } from "./run-leases.ts";
import { createRunLock } from "./run-lock.ts";

let folder: string;
let leases: RunLeases;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-leases-"));
  leases = createRunLeases(createRunLock(folder));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const done = async (): Promise<string> => "done";
const refused = async (): Promise<never> => {
  throw new Error("refused");
};

function held() {
  const gate = Promise.withResolvers<string>();
  return { work: () => gate.promise, end: () => gate.resolve("done"), fail: () => gate.reject(new Error("refused")) };
}

it("lets go of a run whose work failed, and of one that was computed", async () => {
  await expect(leases.holdAfter("run", refused)).rejects.toThrow("refused");
  expect(leases.isHeld("run")).toBe(false);
  await leases.holdAfter("run", done);
  expect(leases.isHeld("run")).toBe(true);
  await expect(leases.whileComputing("run", refused)).rejects.toThrow("refused");
  expect(leases.isHeld("run")).toBe(false);
});

it.each(["holdAfter", "whileDeleting"] as const)("keeps what it kept where %s fails later", async (name) => {
  await leases.holdAfter("run", done);
  await expect(leases[name]("run", refused)).rejects.toThrow("refused");
  expect(leases.isHeld("run")).toBe(true);
  expect(await leases.whileComputing("run", done)).toBe("done");
  expect(leases.isHeld("run")).toBe(false);
});

it.each(["first", "second"] as const)("keeps the run where the %s of two overlapping calls fails", async (failing) => {
  const works = { first: held(), second: held() };
  const first = leases.holdAfter("run", works.first.work);
  await expect.poll(() => leases.isHeld("run")).toBe(true);
  const second = leases.holdAfter("run", works.second.work);
  works[failing].fail();
  await expect(failing === "first" ? first : second).rejects.toThrow("refused");
  expect(leases.isHeld("run")).toBe(true);
  works[failing === "first" ? "second" : "first"].end();
  expect(await (failing === "first" ? second : first)).toBe("done");
  expect(leases.isHeld("run")).toBe(true);
});

it("keeps a run that is computed, where a call from before that fails", async () => {
  await leases.holdAfter("run", done);
  const late = held();
  const failing = leases.holdAfter("run", late.work);
  const computation = held();
  const computing = leases.whileComputing("run", computation.work);
  late.fail();
  await expect(failing).rejects.toThrow("refused");
  expect([leases.isHeld("run"), leases.isComputed("run")]).toEqual([true, true]);
  expect(await leases.holdAfter("run", done)).toBe("busy");
  expect(await leases.whileComputing("run", done)).toBe("busy");
  computation.end();
  await computing;
  expect(leases.isHeld("run")).toBe(false);
});

it("keeps a run for its next computation, where a call from before this one succeeds during it", async () => {
  await leases.holdAfter("run", done);
  const late = held();
  const keeping = leases.holdAfter("run", late.work);
  const computation = held();
  const computing = leases.whileComputing("run", computation.work);
  late.end();
  await keeping;
  computation.end();
  await computing;
  expect([leases.isHeld("run"), leases.isComputed("run")]).toEqual([true, false]);
  leases.releaseAll();
  expect(leases.isHeld("run")).toBe(false);
});
