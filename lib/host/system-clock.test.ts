import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "./system-clock.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

const settled = (promise: Promise<void>): { done: boolean } => {
  const state = { done: false };
  promise.then(() => {
    state.done = true;
  });
  return state;
};

test("tells the time", () => {
  expect(systemClock.now()).toBe(1_000);
});

test("sleeps as long as asked, and not at all for nothing", async () => {
  const sleeping = settled(systemClock.sleep(50));
  await vi.advanceTimersByTimeAsync(49);
  expect(sleeping.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleeping.done).toBe(true);
  await systemClock.sleep(0);
  await systemClock.sleep(-5);
});

test("sleeps longer than a timer can", async () => {
  const fortyDays = 40 * 24 * 3600 * 1000;
  const sleeping = settled(systemClock.sleep(fortyDays));
  await vi.advanceTimersByTimeAsync(fortyDays - 1);
  expect(sleeping.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleeping.done).toBe(true);
});

test("wakes with the reason of an abort, and leaves no timer behind", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(1_000, stop.signal);
  const reason = new Error("cancelled");
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test("does not sleep if it was aborted before, however short the sleep", async () => {
  await expect(systemClock.sleep(1_000, AbortSignal.abort("before"))).rejects.toBe("before");
  await expect(systemClock.sleep(0, AbortSignal.abort("before"))).rejects.toBe("before");
  expect(vi.getTimerCount()).toBe(0);
});

test("leaves no listener on a signal that many sleeps share", async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, "removeEventListener");
  const add = vi.spyOn(signal, "addEventListener");
  const sleeping = systemClock.sleep(10, signal);
  await vi.advanceTimersByTimeAsync(10);
  await sleeping;
  expect(add).toHaveBeenCalledTimes(1);
  expect(remove.mock.calls[0]?.[1]).toBe(add.mock.calls[0]?.[1]);
});
