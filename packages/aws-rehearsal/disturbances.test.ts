import { describe, expect, it } from "vitest";
import { createDisturbances } from "./disturbances.ts";

describe("what is to go wrong", () => {
  it("befalls the calls that it meets, once, and no others", () => {
    const disturbances = createDisturbances<string, string>();
    const planned = disturbances.plan({ meets: (call) => call.startsWith("Put"), trouble: "slow down" });
    expect(["Get", "PutItem", "PutItem"].map(disturbances.of)).toEqual([undefined, "slow down", undefined]);
    expect(planned.happened()).toBe(1);
  });

  it("lets as many pass before as was said, and happens as often as was said", () => {
    const disturbances = createDisturbances<string, string>();
    const planned = disturbances.plan({ meets: () => true, trouble: "!", after: 2, times: 2 });
    expect([1, 2, 3, 4, 5].map((number) => disturbances.of(String(number)))).toEqual([
      ...[undefined, undefined, "!", "!", undefined],
    ]);
    expect(planned.happened()).toBe(2);
  });

  it("befalls a call one at a time, in the order of the plan", () => {
    const disturbances = createDisturbances<string, string>();
    disturbances.plan({ meets: () => true, trouble: "one" });
    disturbances.plan({ meets: () => true, trouble: "other" });
    expect([disturbances.of("a"), disturbances.of("b"), disturbances.of("c")]).toEqual(["one", "other", undefined]);
  });

  it("is forgotten when it is cleared", () => {
    const disturbances = createDisturbances<string, string>();
    const planned = disturbances.plan({ meets: () => true, trouble: "never" });
    disturbances.clear();
    expect(disturbances.of("a")).toBeUndefined();
    expect(planned.happened()).toBe(0);
  });
});
