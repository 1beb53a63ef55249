/** The door of the evaluation: suites, the arms that a run is compared with, and what they were found to do. */
export { ARMS, type ArmEvent } from "./arms/arm.ts";
export { examineArms, type RetentionRow } from "./arms/examine-arms.ts";
export { type RetentionRun, retainedIn } from "./arms/retention.ts";
export { SUMMARY_TOKENS, WINDOW_TOKENS } from "./arms/window.ts";
export { bytesOf } from "./case-files.ts";
export { examine, type ProbeRow } from "./doctor.ts";
export { type Attempt, evaluateSuite, type Solve, type SolvedCase } from "./evaluate-suite.ts";
export { type OfflineRow, probeOffline } from "./probe-offline.ts";
export type { EvaluationLine, ResultLine } from "./result-lines.ts";
export { hashOfCases, hashOfSettings, openResultLog, type ResultLog } from "./result-log.ts";
export { type EvalCase, inArms, type Suite, type SuitePlace } from "./suite.ts";
export { suiteNamed, suites } from "./suites.ts";
export { markdownOf, summarize } from "./summary.ts";
export { usableCases, wordsOf } from "./usable-cases.ts";
