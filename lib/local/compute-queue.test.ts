/** The queue in which a server computes runs. */
import { expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import { createComputeQueue } from "./compute-queue.ts";

function aQueue(atOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ended: string[] = [];
  const failed: string[] = [];
  const queue = createComputeQueue({
    atOnce,
    compute: (id, signal) =>
      new Promise((resolve, reject) => {
        begun.push(id);
        const end = () => (id === "bad" ? reject(new Error("no")) : resolve(aRun({ id })));
        ends.set(id, end);
        if (signal.aborted) end();
        signal.addEventListener("abort", end);
      }),
    onEnd: ({ id }) => void ended.push(id),
    onFailure: (id) => void failed.push(id),
  });
  const end = async (id: string) => {
    ends.get(id)?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, ended, failed, end };
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
