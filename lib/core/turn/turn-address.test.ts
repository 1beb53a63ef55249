import { describe, expect, it } from "vitest";
import { LANES } from "../limits.ts";
import { laneOfAttempt, readTurnAddress, turnAddress } from "./turn-address.ts";

describe("the address of a turn", () => {
  it.each(["0.1", "3.2", "3.2@4", "999999.9999@16"])("is read as it is written: %s", (text) => {
    expect(turnAddress(readTurnAddress(text) ?? { instruction: -1, turn: -1 })).toBe(text);
  });

  it.each(["", "3", "3.", ".2", "3.2@", "3@2", "3.2@100", "3.2@0", "3.2@02", "3.2.1", "a.b", "1234567.1"])(
    "is not %j",
    (text) => {
      expect(readTurnAddress(text)).toBeUndefined();
    },
  );

  it("names each lane that a run can have, and lane 1, which is the run itself, by no lane", () => {
    const lanes = Array.from({ length: LANES }, (_, index) => index + 1);
    expect(lanes.map((lane) => readTurnAddress(`3.2@${lane}`))).toEqual(
      lanes.map((lane) => ({ instruction: 3, turn: 2, ...(lane === 1 ? {} : { lane }) })),
    );
    expect(readTurnAddress(`3.2@${LANES + 1}`)).toBeUndefined();
  });

  it("has the lane that the number of the attempt names", () => {
    expect([1, 999_999, 2_000_001, 16_000_007].map(laneOfAttempt)).toEqual([undefined, undefined, 2, 16]);
  });
});
