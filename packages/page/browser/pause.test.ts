import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPause, notifyChange, type Tab } from "./pause.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aTab(isHidden = false) {
  const tab = Object.assign(new EventTarget(), { hidden: isHidden });
  const show = (isShown: boolean): void => {
    tab.hidden = !isShown;
    tab.dispatchEvent(new Event("visibilitychange"));
  };
  return { tab, show };
}

function resting(tab: Tab, milliseconds: number) {
  const ending = new AbortController();
  const pause = createPause({ signal: ending.signal, tab });
  const rest = { isOver: false };
  const begin = async (): Promise<void> => {
    rest.isOver = false;
    await pause(milliseconds);
    rest.isOver = true;
  };
  void begin();
  const isOver = async (after = 0): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(after);
    return rest.isOver;
  };
  return { begin, isOver, ending };
}

it("pauses for the given time", async () => {
  const { isOver } = resting(aTab().tab, 30_000);
  expect([await isOver(29_999), await isOver(1)]).toEqual([false, true]);
});

it("waits while the tab is hidden, and continues as soon as it is visible", async () => {
  const { tab, show } = aTab(true);
  const { isOver } = resting(tab, 1_000);
  expect(await isOver(3_600_000)).toBe(false);
  show(true);
  expect(await isOver()).toBe(true);
});

it("goes on in a tab that is shown again before it has rested", async () => {
  const { tab, show } = aTab();
  const { isOver } = resting(tab, 30_000);
  show(false);
  expect(await isOver(5)).toBe(false);
  show(true);
  expect(await isOver()).toBe(true);
});

it("goes on when something was changed from here, even shortly before", async () => {
  const { begin, isOver } = resting(aTab().tab, 30_000);
  notifyChange();
  expect(await isOver()).toBe(true);
  notifyChange();
  void begin();
  expect(await isOver(1)).toBe(true);
  void begin();
  expect([await isOver(29_999), await isOver(1)]).toEqual([false, true]);
});

it("ends with its signal, and hears nothing any more, however often it has rested", async () => {
  const { tab } = aTab();
  const { begin, isOver, ending } = resting(tab, 10);
  for (let times = 0; times < 20; times += 1) {
    await isOver(10);
    void begin();
  }
  expect(getEventListeners(tab, "visibilitychange")).toHaveLength(1);
  expect(getEventListeners(ending.signal, "abort").length).toBeLessThan(5);
  ending.abort();
  expect(await isOver()).toBe(true);
  expect(getEventListeners(tab, "visibilitychange")).toHaveLength(0);
});
