/** The models that a request names: those of the run, and of the examiner where that has its own. */
import { refuseNoExaminer } from "../control/lifecycle/examiner-models.ts";
import type { EvidenceKind } from "../core/evidence/evidence-kind.ts";
import type { ModelWish } from "../core/turn/model-choice.ts";
import type { ModelProfile } from "../core/turn/model-profile.ts";
import { asFieldError, badField, Refused } from "./problem.ts";
import type { RouteCall } from "./route.ts";

/** `field`: of the body, that names it. */
export async function chosenModel({ parts, body }: Pick<RouteCall, "parts"> & { body: ModelWish }, field = "model") {
  const { model, contextWindow, price, unpriced, isDryRun, isExaminer } = body;
  const chosen = await parts.models.choose({ model, contextWindow, price, unpriced, isDryRun, isExaminer });
  if ("profile" in chosen) return chosen;
  if ("problem" in chosen) throw badField(field, chosen.problem);
  throw missingKey(chosen.keyCommand);
}

export const missingKey = (keyCommand: string): Refused =>
  new Refused(409, "The key of the model server is not set.", { title: "model key not set", next: keyCommand });

interface ExaminerCall extends Pick<RouteCall, "parts"> {
  /** What names it: undefined asks for none. */
  examinerModel: string | undefined;
  wish: Pick<ModelWish, "unpriced" | "isDryRun">;
}

interface ExaminedRun {
  options: { evidence?: EvidenceKind | undefined };
  /** Those that the run asks, the first one first. */
  models: readonly ModelProfile[];
  /** The examiner has models of its own already. */
  hasOwn?: boolean;
}

/** What is said of the run's own window and price does not hold for them. None: they are the run's own. */
export async function chosenExaminers(
  { parts, examinerModel, wish }: ExaminerCall,
  { options, models: own, hasOwn = false }: ExaminedRun,
): Promise<{ examiners: ModelProfile[]; notes: string[] }> {
  if (examinerModel === undefined) return { examiners: [], notes: [] };
  await asFieldError(FIELD, () => refuseNoExaminer({ options }));
  if (!hasOwn && examinerModel === own.map(({ model }) => model).join(",")) return { examiners: [], notes: [] };
  const body = { ...wish, model: examinerModel, isExaminer: true };
  const { profile, models = [profile], notes = [] } = await chosenModel({ parts, body }, FIELD);
  if (models.some(({ model }) => (model === REHEARSAL) !== (own[0]?.model === REHEARSAL)))
    throw badField(FIELD, "A rehearsal cannot be combined with other models.");
  return {
    examiners: models.map((each) => ({ ...each, examines: true })),
    notes: notes.map((note) => `Examiner: ${note}`),
  };
}

const FIELD = "examinerModel";
const REHEARSAL = "rehearsal";
