/** What an instruction says of locked tests that it changes on purpose. */

import { foldPath } from "../../core/text/file-path.ts";
import { AMENDMENTS_PER_INSTRUCTION, type Amendment, foldAmendments } from "../../core/verdict/amendment.ts";
import { isTestSetting } from "../../core/verdict/test-paths.ts";
import { amendmentsOf, type StepState } from "../turn/step-state.ts";
import { changedNow, isLockable } from "./test-lock.ts";

export interface TestAmendments {
  ofTurn: Amendment[];
  /** Of the instruction so far. */
  all(): Amendment[];
  /** Answers why it cannot be, in a sentence for the model. */
  amend(amendment: Amendment): Promise<string | undefined>;
}

/** `given`: paths of the tests that the user gave. */
export function createTestAmendments(state: StepState, given: readonly string[]): TestAmendments {
  const ofTurn: Amendment[] = [];
  const all = (): Amendment[] => foldAmendments([...amendmentsOf(state), ...ofTurn]);
  return {
    ofTurn,
    all,
    async amend(amendment) {
      const problem = await whyNotAmendable(state, { path: amendment.path, given, amended: all() });
      if (problem === undefined) ofTurn.push(amendment);
      return problem;
    },
  };
}

async function whyNotAmendable(
  state: StepState,
  { path, given, amended }: { path: string; given: readonly string[]; amended: Amendment[] },
): Promise<string | undefined> {
  if (given.some((each) => foldPath(each) === foldPath(path))) {
    return `${path} was given by the user: it is never amended. Change the code that it is about.`;
  }
  if (!isLockable(path))
    return `${path} is no test and no tests' setting, so it is not locked: change it as it should be.`;
  // Settings of its own can narrow down what was there before, and a new file can reach what others hold.
  if (!isTestSetting(path) && !(await isKnown(state, path))) {
    return `${path} is not locked: there is no such file. Change the tests as they should be.`;
  }
  const others = foldAmendments(amended).filter((each) => each.path !== path);
  if (others.length < AMENDMENTS_PER_INSTRUCTION) return undefined;
  return `One instruction amends at most ${AMENDMENTS_PER_INSTRUCTION} tests.`;
}

/** Now, or before the instruction: the gate names no other. */
async function isKnown(state: StepState, path: string): Promise<boolean> {
  const changed = changedNow(state).find(({ folded }) => folded === foldPath(path));
  if (changed?.before?.path === path) return true;
  return (await state.tree.work.read(path)) !== undefined;
}
