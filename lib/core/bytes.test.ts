/** A body is collected within its limit, whatever the chunks are. */
import { expect, it } from "vitest";
import { createBody } from "./bytes.ts";

it("is put together from chunks of any size, up to the limit", () => {
  const body = createBody(100_000);
  for (let byte = 0; byte < 60_000; byte += 1) body.add(Uint8Array.of(97));
  expect(body.add(new Uint8Array(40_000).fill(98))).toBe(true);
  expect(body.text()).toBe("a".repeat(60_000) + "b".repeat(40_000));
  expect(body.add(Uint8Array.of(99))).toBe(false);
});

it("takes the memory of its bytes, not of its chunks", () => {
  const before = process.memoryUsage();
  const body = createBody(64 * 1024 * 1024);
  const one = Buffer.from("a");
  for (let byte = 0; byte < 2_000_000; byte += 1) body.add(new Uint8Array(one));
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  expect(body.text().length).toBe(2_000_000);
  // Chunks that are kept would take 200 MB.
  expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(120e6);
});
