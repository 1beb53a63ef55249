/** Why a command cannot be about a deployed stack, in words. */

export const PLAN_ONLY_HERE =
  "the API has no run that stops after planning. Plan on this computer, then: l2mac run --program FILE --remote";
