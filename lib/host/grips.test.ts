/** Which runs a machine has its grip on, where calls fail and overlap. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGrips, type Grips } from "./grips.ts";
import { createRunLock } from "./run-lock.ts";

let folder: string;
let grips: Grips;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-grips-"));
  grips = createGrips(createRunLock(folder));
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
  await expect(grips.keepAfter("run", refused)).rejects.toThrow("refused");
  expect(grips.isGripped("run")).toBe(false);
  await grips.keepAfter("run", done);
  expect(grips.isGripped("run")).toBe(true);
  await expect(grips.whileComputing("run", refused)).rejects.toThrow("refused");
  expect(grips.isGripped("run")).toBe(false);
});

it.each(["keepAfter", "whileRemoving"] as const)("keeps what it kept where %s fails later", async (name) => {
  await grips.keepAfter("run", done);
  await expect(grips[name]("run", refused)).rejects.toThrow("refused");
  expect(grips.isGripped("run")).toBe(true);
  expect(await grips.whileComputing("run", done)).toBe("done");
  expect(grips.isGripped("run")).toBe(false);
});

it.each(["first", "second"] as const)("keeps the run where the %s of two overlapping calls fails", async (failing) => {
  const works = { first: held(), second: held() };
  const first = grips.keepAfter("run", works.first.work);
  await expect.poll(() => grips.isGripped("run")).toBe(true);
  const second = grips.keepAfter("run", works.second.work);
  works[failing].fail();
  await expect(failing === "first" ? first : second).rejects.toThrow("refused");
  expect(grips.isGripped("run")).toBe(true);
  works[failing === "first" ? "second" : "first"].end();
  expect(await (failing === "first" ? second : first)).toBe("done");
  expect(grips.isGripped("run")).toBe(true);
});

it("keeps a run that is computed, where a call from before that fails", async () => {
  await grips.keepAfter("run", done);
  const late = held();
  const failing = grips.keepAfter("run", late.work);
  const computation = held();
  const computing = grips.whileComputing("run", computation.work);
  late.fail();
  await expect(failing).rejects.toThrow("refused");
  expect([grips.isGripped("run"), grips.isComputed("run")]).toEqual([true, true]);
  expect(await grips.keepAfter("run", done)).toBe("busy");
  expect(await grips.whileComputing("run", done)).toBe("busy");
  computation.end();
  await computing;
  expect(grips.isGripped("run")).toBe(false);
});

it("keeps a run for its next computation, where a call from before this one succeeds during it", async () => {
  await grips.keepAfter("run", done);
  const late = held();
  const keeping = grips.keepAfter("run", late.work);
  const computation = held();
  const computing = grips.whileComputing("run", computation.work);
  late.end();
  await keeping;
  computation.end();
  await computing;
  expect([grips.isGripped("run"), grips.isComputed("run")]).toEqual([true, false]);
  grips.letGo();
  expect(grips.isGripped("run")).toBe(false);
});
