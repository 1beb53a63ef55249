/** The body of `POST /runs/{id}/resume`: what changes of the run with it. */
import * as z from "zod";
import type { Resumption } from "../control/lifecycle/resumption.ts";
import { defined } from "../core/defined.ts";
import { Hint } from "../core/run/hint.ts";
import { bodyOptions } from "../core/run/option-forms.ts";
import type { Run } from "../core/run/run.ts";
import type { ModelWish } from "../core/turn/model-choice.ts";
import { examinersAsked, modelsAsked } from "../core/turn/model-fallback.ts";
import { chosenExaminers, chosenModel } from "./chosen-models.ts";
import type { RouteCall } from "./route.ts";

const { budget, model, examinerModel, contextWindow, price, unpriced, effort, stream, onStuck, checkMinutes } =
  bodyOptions;

export const ResumeBody = z.strictObject({
  hint: Hint.optional().describe("Help for the instruction at which the run stopped: shown until it is done."),
  budget,
  model,
  examinerModel,
  contextWindow,
  price,
  unpriced,
  effort,
  stream,
  onStuck,
  checkMinutes,
});
export type ResumeBody = z.infer<typeof ResumeBody>;

export async function resumptionOf(
  { parts, body }: RouteCall<unknown, ResumeBody>,
  run: Run,
  { isDryRun }: Pick<ModelWish, "isDryRun"> = {},
): Promise<Resumption> {
  const { budget, hint, effort, stream, onStuck, checkMinutes, ...asked } = body;
  const { model, examinerModel, contextWindow, price, unpriced } = asked;
  const wish = { contextWindow, price, unpriced };
  const isWished = model !== undefined || Object.keys(defined(wish)).length > 0;
  // What is said of a window or a price alone is said of the run's own model.
  const names = modelsAsked(run).map((each) => each.model);
  const hasOwn = examinersAsked(run).length > 0;
  const examined = { options: run.options, models: modelsAsked(run), hasOwn };
  const { examiners } = await chosenExaminers({ parts, examinerModel, wish: { unpriced, isDryRun } }, examined);
  return {
    ...defined({ budget, hint }),
    options: defined({ effort, stream, onTrap: onStuck, checkMinutes }),
    ...(examinerModel === undefined ? {} : { examiners }),
    ...(isWished
      ? { models: await chosenModel({ parts, body: { ...wish, isDryRun, model: model ?? names.join(",") } }) }
      : {}),
  };
}
