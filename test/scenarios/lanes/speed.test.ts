/** Lanes in virtual time: how much faster they are, and that a ceiling holds, and is used, with many calls in flight. */
import { expect, it } from "vitest";
import { lanes } from "../../../bench/lanes/lanes.ts";

it("reaches what the bench of lanes aims at", async () => {
  const rows = await lanes();
  expect(rows.length).toBeGreaterThanOrEqual(7);
  expect(rows.filter(({ reached }) => reached !== true)).toEqual([]);
});
