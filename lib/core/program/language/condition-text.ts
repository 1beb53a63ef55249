/** Conditions and failed checks in words, for events and for the model. Pure. */
import { defined } from "../../defined.ts";
import { fenced } from "../../text/cut.ts";
import type { DraftInstruction } from "../program.ts";
import type { Condition } from "./condition.ts";
import type { ProgramNode } from "./schema.ts";

/** What was found out about a condition. */
export interface CheckResult {
  holds: boolean;
  /** Why, in a sentence without its end. */
  detail: string;
  /** Of a command or of tests that failed. */
  output?: string;
}

export function conditionText(condition: Condition): string {
  if ("argv" in condition) return condition.argv.join(" ");
  if ("tests" in condition) return condition.tests === true ? "all tests pass" : `${condition.tests.join(", ")} pass`;
  if ("requirement" in condition) return `${condition.requirement} is proven`;
  const { file } = condition;
  if ("exists" in condition) return condition.exists ? `${file} exists` : `${file} does not exist`;
  if ("pointer" in condition)
    return `${file} has ${JSON.stringify(condition.equals)} at ${condition.pointer || "its root"}`;
  return `${file} matches ${condition.matches}`;
}

/** The instruction that repairs what an `assert` found. */
export function repairOf(
  { title, check, id, needs }: Extract<ProgramNode, { kind: "assert" }>,
  { detail, output }: Pick<CheckResult, "detail" | "output">,
): DraftInstruction {
  const words = conditionText(check);
  const said = output ? ["", "It printed:", "", fenced(output)] : [];
  const text = [
    `A check of the program fails: ${words} (${detail}).`,
    ...said,
    "",
    "Find the cause and repair it. Do not change the check, and do not weaken the tests. Once it is repaired, the check runs again, and the run stops if it fails.",
  ].join("\n");
  const named = `Repair: ${title ?? words}`.slice(0, TITLE_CHARS);
  const requirements = "requirement" in check ? [check.requirement] : [];
  return { title: named, text, requirements, ...defined({ id, needs }) };
}

const TITLE_CHARS = 120;
