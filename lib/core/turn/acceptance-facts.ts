/** What holds of a run after an acceptance: recorded with the turn, so that a fork can begin there. */
import * as z from "zod";
import { count } from "../count.ts";
import { GivenCount } from "../verdict/given-tests.ts";
import { KnownRed } from "../verdict/known-red.ts";
import { TestLocks } from "../verdict/test-locks.ts";

/** Attributes of the run's record, as the next instruction finds them. */
export const RunFacts = z.object({
  testsSeen: z.boolean(),
  syntaxSeen: z.literal(true).optional(),
  testsPassed: count,
  testsTotal: count,
  lockedTests: count.optional(),
  amended: count.optional(),
  givenTests: GivenCount.optional(),
  ownTestsPassed: count.optional(),
  knownRed: count.optional(),
  unchecked: z.array(z.string()),
});
export type RunFacts = z.infer<typeof RunFacts>;

export const AcceptanceFacts = z.object({
  run: RunFacts,
  testLocks: TestLocks.optional(),
  /** What was red before the run began, and still is. */
  known: KnownRed.optional(),
});
export type AcceptanceFacts = z.infer<typeof AcceptanceFacts>;

/** Of a record that has more. */
export const factsOf = (run: RunFacts): RunFacts => RunFacts.parse(run);
