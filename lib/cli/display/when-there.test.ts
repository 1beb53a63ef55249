import { expect, it } from "vitest";
import { whenThere } from "./when-there.ts";

/** Each a turn: of which instruction, and whether it wrote the file or deleted it. */
const turns = (...did: [instruction: number, what: "wrote" | "deleted"][]) =>
  did.map(([instruction, what]) => ({
    instruction,
    changes: [{ path: "a.js", sha256: what === "wrote" ? "1" : null, was: null, bytes: 1 }],
  }));

it.each([
  ["comes later", turns([4, "wrote"], [5, "wrote"]), " at instruction 3 yet; it is there from instruction 4 on."],
  ["was deleted", turns([1, "wrote"], [2, "deleted"]), " at instruction 3: instruction 2 deleted it."],
  [
    "was deleted and comes again",
    turns([1, "wrote"], [2, "deleted"], [5, "wrote"]),
    " at instruction 3: instruction 2 deleted it; it is there again from instruction 5 on.",
  ],
  ["only passed through", turns([4, "wrote"], [4, "deleted"]), undefined],
  ["is of an instruction that is not accepted", turns([7, "wrote"]), undefined],
  ["never was", [], undefined],
])("a file that %s", (_, all, says) => {
  expect(whenThere(all, { path: "a.js", at: 3, packed: 6 })).toBe(says);
  expect(whenThere(all, { path: "b.js", at: 3, packed: 6 })).toBeUndefined();
});
