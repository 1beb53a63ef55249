import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Failure, findFailure, type Outcome } from "./find-failure.ts";

/** `outcomes[n]`: after instruction n; each is asked for once at most. */
async function search(outcomes: Outcome[], good?: number): Promise<{ failure: Failure; checks: number }> {
  const asked: number[] = [];
  const known = new Map<number, Outcome>();
  const check = async (at: number): Promise<Outcome> => {
    if (!known.has(at)) asked.push(at);
    const outcome = outcomes[at];
    if (outcome === undefined) throw new Error(`There is no instruction ${at}.`);
    known.set(at, outcome);
    return outcome;
  };
  const failure = await findFailure({ last: outcomes.length - 1, good, check });
  return { failure, checks: asked.length };
}

const passing = (count: number): Outcome[] => Array.from({ length: count }, () => "passes");
const failing = (count: number): Outcome[] => Array.from({ length: count }, () => "fails");

describe("the search for the first failure", () => {
  it("takes about log2 of the instructions in checks", async () => {
    for (const first of [1, 2, 511, 512, 777, 1_000]) {
      const { failure, checks } = await search([...passing(first), ...failing(1_001 - first)]);
      expect(failure).toMatchObject({ kind: "found", first, good: first - 1, among: [first] });
      expect(checks).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(1_000)));
    }
  });

  it("finds where what was built in the run broke later", async () => {
    expect((await search([...failing(4), ...passing(5), ...failing(2)])).failure).toMatchObject({ first: 9, good: 8 });
  });

  it("takes the user's word for where it passed, once it was checked", async () => {
    const outcomes = [...failing(2), ...passing(1), ...failing(30)];
    expect((await search(outcomes, 2)).failure).toMatchObject({ first: 3 });
    expect((await search(outcomes, 1)).failure).toEqual({ kind: "never_passes" });
  });

  it("says that it passes at the end, or never passed", async () => {
    expect((await search([...failing(3), "passes"])).failure).toEqual({ kind: "passes_at_end" });
    expect((await search(["passes", "unknown"])).failure).toEqual({ kind: "unknown_at_end" });
    expect((await search(failing(9))).failure).toEqual({ kind: "never_passes" });
    expect((await search(["fails"])).failure).toEqual({ kind: "never_passes" });
  });

  it("names all that are left where some cannot be checked", async () => {
    expect((await search(["passes", "unknown", "unknown", "fails", "fails"])).failure).toMatchObject({
      first: 3,
      good: 0,
      among: [1, 2, 3],
    });
    expect((await search(["passes", "unknown", "passes", "fails"])).failure).toMatchObject({ first: 3, among: [3] });
  });

  it("answers an instruction that fails directly after what passes, or cannot be checked", async () => {
    const outcome = fc.constantFrom<Outcome>("passes", "fails", "unknown");
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 12 }), async (before) => {
        const outcomes: Outcome[] = [...before, "fails"];
        const { failure } = await search(outcomes);
        if (failure.kind !== "found") {
          expect(failure).toEqual({ kind: "never_passes" });
          expect(outcomes).not.toContain("passes");
          return;
        }
        expect(outcomes[failure.good]).toBe("passes");
        expect(outcomes[failure.first]).toBe("fails");
        expect(outcomes.slice(failure.good + 1, failure.first).every((each) => each === "unknown")).toBe(true);
      }),
    );
  });
});
