/** The answer that a person gave to the same question of another run: it is not asked for once more. */
import type { InheritedAnswer } from "../../core/make/inherited-steps.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { QuestionDraft } from "../program/step-draft.ts";
import { INHERITED } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { World } from "../world.ts";
import { questionHash } from "./step-key.ts";

export interface TakenAnswer extends InheritedAnswer {
  run: string;
}

/** A question that is asked several times gets the answers in their order. Undefined: a person is asked. */
export async function takeAnswer(
  { registry, files, recorded }: World,
  run: Run,
  asked: QuestionDraft,
): Promise<TakenAnswer | undefined> {
  const { id, make, pc } = run;
  if (!make || make.strict || recorded?.takesOverAt(pc) === false) return undefined;
  const own = questionHash(asked);
  const key = fileStoreKeys(id).inherited(own);
  if ((await files.get(key)) === undefined) return undefined;
  const { answers = [] } = await readBody(files, { key }, INHERITED);
  const before = (await registry.instructions(id)).filter(
    ({ kind, number, text: question, choices, saveTo }) =>
      kind === "ask" && number < pc && questionHash({ question, choices, saveTo }) === own,
  );
  const answer = answers[before.length];
  return answer && { ...answer, run: make.from };
}
