/** Why some commands cannot be about a deployed stack, in words. */

export const PLAN_ONLY_HERE =
  "the API has no run that stops after planning. Plan on this computer, then: l2mac run --program FILE --remote";

export const REPLAY_ONLY_HERE = "a run is replayed on the computer that has its journal.";
