import { describe, expect, it } from "vitest";
import { createLaneBell } from "./lane-bell.ts";

const { signal } = new AbortController();
const asleep = (woken: AbortSignal) =>
  new Promise<void>((_, reject) => woken.addEventListener("abort", () => reject(woken.reason), { once: true }));
const input = (lane: number) => ({ runId: "r", epoch: 1, lane });
const waiting = (awaits?: number) => async () => ({
  next: "wait" as const,
  waitSeconds: 1,
  ...(awaits ? { awaits } : {}),
});
const done = async () => ({ next: "execute" as const });

describe("the bell of lanes", () => {
  it("wakes a lane when the one that it waits for has got somewhere", async () => {
    const bell = createLaneBell();
    await bell.around(input(2), waiting(1));
    const woken = bell.until(2, signal, asleep);
    await bell.around(input(1), done);
    await woken;
  });

  it("lets no lane sleep that missed it while it looked", async () => {
    const bell = createLaneBell();
    await bell.around(input(2), async () => {
      await bell.around(input(1), done);
      return waiting(1)();
    });
    await bell.until(2, signal, asleep);
  });

  it("wakes none for another lane, for one that waits itself, or from a wait for a server", async () => {
    const bell = createLaneBell();
    await bell.around(input(2), waiting(1));
    await bell.around(input(3), waiting());
    const woken: number[] = [];
    const sleeping = [2, 3].map((lane) => bell.until(lane, signal, asleep).then(() => woken.push(lane)));
    await bell.around(input(4), done);
    await bell.around(input(1), waiting(4));
    expect(woken).toEqual([]);
    await bell.around(input(1), done);
    await sleeping[0];
    expect(woken).toEqual([2]);
  });

  it("wakes those that look for an instruction one after the other, as long as they find one", async () => {
    const bell = createLaneBell();
    const woken: number[] = [];
    const sleeping: Promise<unknown>[] = [];
    for (const lane of [2, 3, 4]) {
      await bell.around(input(lane), waiting(1));
      sleeping.push(bell.until(lane, signal, asleep).then(() => woken.push(lane)));
    }
    await bell.around(input(1), done);
    await sleeping[0];
    expect(woken).toEqual([2]);
    await bell.around(input(2), async (onTaken) => {
      onTaken();
      await sleeping[1];
      return done();
    });
    expect(woken).toEqual([2, 3]);
    await bell.around(input(1), async () => ({ next: "deliver" as const }));
    await Promise.all(sleeping);
  });

  it("rings when the lane fails, and when it hands over to the next epoch", async () => {
    const bell = createLaneBell();
    const wait = async () => {
      await bell.around(input(2), waiting(1));
      return { woken: bell.until(2, signal, asleep) };
    };
    const failed = await wait();
    await expect(bell.around(input(1), () => Promise.reject(new Error("it broke")))).rejects.toThrow("it broke");
    await failed.woken;
    const last = await wait();
    await bell.around({ ...input(1), last: true }, waiting(2));
    await last.woken;
  });

  it("leaves an end of the execution to those who sleep", async () => {
    const bell = createLaneBell();
    const ending = new AbortController();
    await bell.around(input(2), waiting(1));
    const woken = bell.until(2, ending.signal, asleep);
    ending.abort(new Error("interrupted"));
    await expect(woken).rejects.toThrow("interrupted");
  });
});
