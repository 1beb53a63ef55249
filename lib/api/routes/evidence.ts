/** `GET /runs/{id}/evidence` and `POST /runs/{id}/waivers`: which requirements are proven, and which are taken as they are. */
import * as z from "zod";
import { standingEvidence } from "../../control/evidence/step-evidence.ts";
import { waive } from "../../control/evidence/waive.ts";
import { storedProgram } from "../../control/program/stored-program.ts";
import { readTask } from "../../control/program/stored-task.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { EvidenceTable, evidenceTable } from "../../core/evidence/table.ts";
import { REQUIREMENT_ID_CHARS } from "../../core/limits.ts";
import { extractConstraints } from "../../core/program/constraints.ts";
import { RunAccepted } from "../answers.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const evidence = route({
  name: "listEvidence",
  description:
    "Lists the requirements of a run with the evidence of each: executed checks that were red before the work.",
  answers: {
    200: { description: "The requirements and their evidence.", schema: EvidenceTable },
    303: { description: "Where they are, being too many for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const { requirements } = await storedProgram(call.parts, run);
    const gathered = await standingEvidence(call.parts, run.id, run.pc);
    const { task } = await readTask(call.parts.files, run.id);
    const given = {
      evidence: gathered,
      waivers: run.waivers,
      constraints: extractConstraints(task),
      isDelivered: run.proven !== undefined,
      isExamined: hasExaminer(run),
    };
    return { status: 200, json: evidenceTable(requirements, given) };
  },
});

const REASON_CHARS = 500;

export const waivers = route({
  name: "waiveRequirement",
  description: "Takes a requirement as it is, without evidence. Resume delivers a run that has ended once more.",
  body: z.strictObject({
    requirement: z.string().min(1).max(REQUIREMENT_ID_CHARS),
    reason: z.string().trim().min(1).max(REASON_CHARS),
  }),
  answers: { 202: { description: "The run with the waiver.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { id } = await ownRun(call);
    const waived = await asConflict(() => waive(call.parts, id, call.body));
    return { status: 202, json: acceptedOf(waived, call) };
  },
});
