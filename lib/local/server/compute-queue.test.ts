/** The queue in which a server computes runs. */
import { expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { createComputeQueue } from "./compute-queue.ts";

function aQueue(atOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ended: string[] = [];
  const failed: string[] = [];
  const sleeps = new Map<string, () => Promise<void>>();
  const wakes = new Map<string, () => void>();
  const queue = createComputeQueue({
    atOnce,
    compute: (id, signal, asleep) =>
      new Promise((resolve, reject) => {
        begun.push(id);
        const sleep = () =>
          new Promise<void>((wake) => {
            wakes.set(id, wake);
            signal.addEventListener("abort", () => wake());
          });
        sleeps.set(id, async () => {
          await asleep(sleep);
          begun.push(`${id} again`);
        });
        const end = () => (id === "bad" ? reject(new Error("no")) : resolve(aRun({ id, status: "completed" })));
        const interrupt = () => (id === "last" ? end() : resolve(aRun({ id, status: "waiting" })));
        ends.set(id, end);
        if (signal.aborted) interrupt();
        signal.addEventListener("abort", interrupt);
      }),
    onEnd: ({ id }) => void ended.push(id),
    onFailure: (id) => void failed.push(id),
  });
  const doing = (deeds: Map<string, () => unknown>) => async (id: string) => {
    void deeds.get(id)?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, ended, failed, end: doing(ends), sleep: doing(sleeps), wake: doing(wakes) };
}

it("computes a few at a time, the next when one ends, whether well or not", async () => {
  const { queue, begun, ended, failed, end } = aQueue(2);
  for (const id of ["bad", "two", "three", "four"]) queue.add(id);
  expect(begun).toEqual(["bad", "two"]);
  await end("bad");
  expect(begun).toEqual(["bad", "two", "three"]);
  await end("three");
  expect(begun).toEqual(["bad", "two", "three", "four"]);
  expect({ ended, failed }).toEqual({ ended: ["three"], failed: ["bad"] });
});

it("computes a run that is added again once more, but never twice at a time", async () => {
  const { queue, begun, end } = aQueue(2);
  queue.add("one");
  queue.add("one");
  expect(begun).toEqual(["one"]);
  await end("one");
  expect(begun).toEqual(["one", "one"]);
});

it("hands every run on to be interrupted when it stops, those that had not begun too", async () => {
  const { queue, begun, ended } = aQueue(1);
  for (const id of ["one", "two", "three"]) queue.add(id);
  expect(await queue.stop()).toBe(3);
  expect(begun).toEqual(["one", "two", "three"]);
  expect(ended.toSorted()).toEqual(["one", "three", "two"]);
});

it("does not count a run as kept that ends just when the queue stops", async () => {
  const { queue, ended } = aQueue(2);
  for (const id of ["last", "two"]) queue.add(id);
  expect(await queue.stop()).toBe(1);
  expect(ended.toSorted()).toEqual(["last", "two"]);
});

it("computes others while runs sleep; those that wake go on as soon as there is room, before others begin", async () => {
  const { queue, begun, sleep, wake, end } = aQueue(1);
  for (const id of ["one", "two", "three"]) queue.add(id);
  await sleep("one");
  expect(begun).toEqual(["one", "two"]);
  queue.add("one");
  await wake("one");
  expect(begun).toEqual(["one", "two"]);
  await end("two");
  expect(begun).toEqual(["one", "two", "one again"]);
  await end("one");
  expect(begun.slice(3)).toEqual(["three"]);
  await end("three");
  expect(begun.slice(4)).toEqual(["one"]);
});

it("hands on those that sleep too, and those that woke and wait for room, when it stops", async () => {
  const { queue, begun, ended, sleep, wake } = aQueue(1);
  for (const id of ["one", "two", "three", "four"]) queue.add(id);
  for (const id of ["one", "two"]) await sleep(id);
  await wake("one");
  expect(begun).toEqual(["one", "two", "three"]);
  expect(await queue.stop()).toBe(4);
  expect(ended.toSorted()).toEqual(["four", "one", "three", "two"]);
});
