/** The user takes a requirement as it is, with a reason: it counts as done without evidence, and is named in status, report and manifest. */
import { UserError } from "../../core/errors.ts";
import { asksForEvidence, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { provenOf, type Waiver } from "../../core/evidence/standing.ts";
import { extractConstraints } from "../../core/program/constraints.ts";
import type { Run } from "../../core/run/run.ts";
import { updateRun } from "../lifecycle/resume-and-cancel.ts";
import { readTask } from "../program/stored-task.ts";
import type { World } from "../world.ts";
import { standingEvidence } from "./step-evidence.ts";

/** In the run's record. */
const WAIVERS = 50;

/** An ended run keeps its status until it is resumed: then it is delivered again, with the waiver in its manifest. */
export async function waive(
  { registry, files, clock }: Pick<World, "registry" | "files" | "clock">,
  runId: string,
  { requirement, reason }: Pick<Waiver, "requirement" | "reason">,
): Promise<Run> {
  const [requirements, { task }] = await Promise.all([registry.requirements(runId), readTask(files, runId)]);
  const constraints = extractConstraints(task);
  return updateRun({ registry }, runId, async (run) => {
    const problem = whyNot(run, [...requirements, ...constraints], requirement);
    if (problem !== undefined)
      throw new UserError(problem, {
        exitCode: 2,
        remedy: { command: "evidence", args: [runId] },
        field: "requirement",
      });
    const at = new Date(clock.now()).toISOString();
    const others = (run.waivers ?? []).filter((each) => each.requirement !== requirement);
    const waivers = [...others, { requirement, reason, at }];
    const counted =
      run.proven &&
      provenOf(requirements, {
        evidence: await standingEvidence({ registry }, runId),
        waivers,
        constraints,
        isDelivered: true,
        isExamined: hasExaminer(run),
      });
    return registry.change(run, { waivers, ...(counted ? { proven: counted } : {}) }, [
      { type: "notice", text: `Requirement ${requirement} is waived: ${reason}` },
    ]);
  });
}

function whyNot(run: Run, requirements: { id: string }[], id: string): string | undefined {
  if (!asksForEvidence(run)) return `Run ${run.id} asks for no evidence: there is nothing to waive.`;
  if (!requirements.some((each) => each.id === id))
    return `Run ${run.id} has no requirement ${id}. It has: ${requirements.map((each) => each.id).join(", ") || "none yet"}.`;
  return (run.waivers ?? []).length >= WAIVERS ? `A run has at most ${WAIVERS} waivers.` : undefined;
}
