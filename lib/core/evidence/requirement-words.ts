/** Which requirements ask for nothing new, but that what was there keeps working. Pure. */

const AS_BEFORE =
  /\b(?:works?|working|behaves?|runs?|running|pass(?:es)?|stays?|remains?|keeps?|left) (?:exactly |just |all )?(?:as (?:it|they|before|ever|now|today)|like before|the same as before)\b/i;
const UNCHANGED = /\b(?:stays?|remains?|keeps?|kept|left|leaves?) (?:unchanged|intact|untouched|compatible)\b/i;
const GOES_ON =
  /\b(?:still|continues? to|keeps? on|keeps?|must keep) (?:works?|working|pass(?:es|ing)?|runs?|running|behaves?|behaving)\b/i;
const NOTHING_BREAKS = /\b(?:nothing|no|not|never|without)(?: \w+)? (?:breaks?|breaking|broken|regress(?:es|ing)?)\b/i;
const REGRESSION = /\bregressions?\b|\bbackwards?[- ]compatib(?:le|ility)\b/i;

const KEEPING = [AS_BEFORE, UNCHANGED, GOES_ON, NOTHING_BREAKS, REGRESSION];

/** "All that worked before works as it did", "existing tests still pass", "no regressions". */
export const asksToKeep = (requirement: string): boolean => KEEPING.some((words) => words.test(requirement));
