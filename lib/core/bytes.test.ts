/** A body is collected within its limit, whatever the chunks are. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createBody } from "./bytes.ts";

it("is put together from chunks of any size, up to the limit", () => {
  const body = createBody(100_000);
  for (let byte = 0; byte < 60_000; byte += 1) body.add(Uint8Array.of(97));
  expect(body.add(new Uint8Array(40_000).fill(98))).toBe(true);
  expect(body.text()).toBe("a".repeat(60_000) + "b".repeat(40_000));
  expect(body.add(Uint8Array.of(99))).toBe(false);
});

/** What is still in use: what is not is collected first. */
function held(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("takes the memory of its bytes, not of its chunks", () => {
  const before = held();
  const body = createBody(64 * 1024 * 1024);
  const one = Buffer.from("a");
  for (let byte = 0; byte < 2_000_000; byte += 1) body.add(new Uint8Array(one));
  // Chunks that are kept would take 200 MB.
  expect(held() - before).toBeLessThan(120e6);
  expect(body.text().length).toBe(2_000_000);
});
