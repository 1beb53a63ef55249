import { expect, it } from "vitest";
import { fakeClock } from "../../../test/doubles/fake-clock.ts";
import { createTokenBucket } from "./token-bucket.ts";

it("lets through a burst, then so many a second, and saves up no more than a burst", () => {
  const clock = fakeClock();
  const bucket = createTokenBucket({ rate: 2, burst: 3 }, clock.now);
  const taken = () => [bucket.take(), bucket.take(), bucket.take(), bucket.take()].filter(Boolean).length;
  expect(taken()).toBe(3);
  clock.advance(499);
  expect(bucket.take()).toBe(false);
  clock.advance(1);
  expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  clock.advance(60_000);
  expect(taken()).toBe(3);
});
