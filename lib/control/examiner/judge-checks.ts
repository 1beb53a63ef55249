/** The gate of the examiner: every requirement has a check, and nothing but checks was written. */
import { type Evidence, onFiles } from "../../core/evidence/evidence.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { testPaths } from "../../core/evidence/outcome.ts";
import { partsOf } from "../../core/evidence/requirement-parts.ts";
import type { ToolNote } from "../../core/turn/tool-note.ts";
import type { Offer } from "../../core/turn/turn.ts";
import type { WorkFiles } from "../../core/turn/workbench.ts";
import type { GateCheck, GateDecision } from "../../core/verdict/gate.ts";
import { gateNote } from "../../core/verdict/gate-words.ts";
import { isTestPath, isTestSetting } from "../../core/verdict/test-paths.ts";
import { notRun } from "../../core/verdict/verdict.ts";
import { filesBefore, type TreeFiles, treesOf } from "../evidence/trees.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { offersOf } from "../turn/step-state.ts";
import { sharedOf, testsOf } from "./shared-files.ts";

interface ChecksInput {
  step: OpenStep;
  /** Declared so far. */
  evidence: Evidence[];
  /** Those of this turn that were refused: this one joins them. */
  offers: Offer[];
}

export interface JudgedChecks {
  decision: GateDecision;
  text: string;
  note: ToolNote;
}

/** A requirement without a check is asked for once, and noted then. */
export async function judgeChecks({ step, evidence, offers }: ChecksInput): Promise<JudgedChecks> {
  const { work } = await treesOf(step);
  const written = await writtenBy(step, work);
  const shared = await sharedOf(step.state.tree.work, written);
  const declared = standingOf(evidence).filter((each) => isAsDeclared(each, { work, shared }));
  const named = new Set(declared.flatMap(({ check: { tests = [] } }) => testPaths({ tests })));
  const unnamed = (await testsOf(step.state.tree.work, written)).filter((path) => !named.has(path));
  const missing = missingIn(step, declared);
  const isAsked =
    missing.length > 0 &&
    ![...offersOf(step.state), ...offers].some(({ blocking }) => blocking.includes("requirements"));
  const parts = [
    ...(unnamed.length > 0 ? [`${UNNAMED} ${unnamed.slice(0, SHOWN).join(", ")}`] : []),
    ...(isAsked ? [`${MISSING} ${missing.slice(0, SHOWN).join(", ")}${more(missing)}`, THEN] : []),
  ];
  const blocking: GateCheck[] = isAsked ? ["requirements"] : ["tests"];
  const decision: GateDecision = parts.length > 0 ? { accepted: false, blocking } : { accepted: true, unchecked: [] };
  if (!decision.accepted) offers.push({ changes: "", blocking });
  const open = missing.length > 0 ? ` Without a check: ${missing.slice(0, SHOWN).join(", ")}${more(missing)}.` : "";
  const text = decision.accepted
    ? `Accepted. The checks are locked.${open}`
    : ["The checks are not accepted yet.", ...parts].join("\n");
  return { decision, text, note: gateNote(decision, notRun("not_asked")) };
}

const SHOWN = 30;
const more = (all: string[]): string => (all.length > SHOWN ? ` and ${all.length - SHOWN} more` : "");
const UNNAMED = "Tests that are the check of no requirement: name them in prove, or delete them:";
const MISSING = "Requirements without a check, or whose files changed since it was declared:";
const THEN =
  "Write a test for each and call prove. What cannot be checked: say why in `summary` and call complete_instruction again; it stays unproven.";

/** Of those with parts, the parts. */
function missingIn({ context: { requirements } }: OpenStep, declared: Evidence[]): string[] {
  const parts = partsOf(requirements);
  return requirements
    .map(({ id }) => id)
    .filter((id) => !parts.has(id) && !declared.some(({ requirement }) => requirement === id));
}

/** With all that its checks share. */
function isAsDeclared(evidence: Evidence, { work, shared }: { work: TreeFiles; shared: string[] }): boolean {
  const { files = [] } = evidence;
  return (
    onFiles(evidence, (path) => work.get(path)).changed !== true &&
    shared.every((path) => files.some((file) => file.path === path))
  );
}

async function writtenBy(step: OpenStep, work: TreeFiles): Promise<string[]> {
  const before = await filesBefore(step);
  return [...work.keys()].filter((path) => before.get(path) !== work.get(path));
}

/** Test files of its own, and nothing else. */
export function onlyChecks(files: WorkFiles, step: OpenStep): WorkFiles {
  async function problemOf(path: string): Promise<string | undefined> {
    if (!isTestPath(path) || isTestSetting(path)) return `${path} is no test file. ${ONLY}`;
    return (await filesBefore(step)).has(path) ? `${path} was there before. ${ONLY}` : undefined;
  }
  return {
    ...files,
    write: async (path, content) => (await problemOf(path)) ?? files.write(path, content),
    async remove(path) {
      const problem = await problemOf(path);
      return problem === undefined ? files.remove(path) : { problem };
    },
    async move(moves) {
      for (const path of moves.flatMap(({ from, to }) => [from, to])) {
        const problem = await problemOf(path);
        if (problem !== undefined) return problem;
      }
      return files.move(moves);
    },
  };
}

const ONLY = "The examiner writes test files of its own, and changes nothing else.";
