/** Lanes with many calls in flight: a ceiling holds, and is used; what failed is resumed, and nothing else is asked again. */
import { expect, it } from "vitest";
import { lanes } from "../../../bench/lanes/lanes.ts";

it("reaches what the bench of lanes aims at", async () => {
  const rows = await lanes();
  expect(rows.length).toBe(5);
  expect(rows.filter(({ reached }) => reached !== true)).toEqual([]);
});
