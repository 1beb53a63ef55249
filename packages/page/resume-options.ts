/** What can be changed of a run that goes on, beside the ceiling that is asked for first; and what holds now. Pure. */
import { type Budget, evaluationMsOf } from "../../lib/core/run/option-forms.ts";
import { type Option, optionList } from "../../lib/core/run/option-list.ts";
import type { OptionName } from "../../lib/core/run/options.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { modelsAsked } from "../../lib/core/turn/model-fallback.ts";
import { raiseOf } from "./run-summary.ts";

type RunNow = Pick<Run, "options" | "profile" | "models" | "reason">;

const ceiling = (name: keyof Budget) => ({
  of: name,
  now: ({ options }: RunNow): string => String(options.budget[name] ?? "none"),
});

const CHANGES: Partial<Record<OptionName, { now: (run: RunNow) => string; of?: keyof Budget }>> = {
  model: {
    now: (run) =>
      modelsAsked(run)
        .map(({ model }) => model)
        .join(","),
  },
  effort: { now: ({ options }) => options.effort ?? "the model's default" },
  contextWindow: { now: ({ profile }) => String(profile.contextWindow) },
  price: { now: ({ profile: { price } }) => (price ? `${price.input},${price.output}` : "unknown") },
  unpriced: { now: ({ profile }) => (profile.price ? "off" : "on") },
  stream: { now: ({ options }) => (options.stream === false ? "off" : "on") },
  onStuck: { now: ({ options }) => options.onTrap ?? "stop" },
  checkMinutes: { now: ({ options }) => String(evaluationMsOf(options) / 60_000) },
  budget: ceiling("usd"),
  maxTokens: ceiling("tokens"),
  maxTurns: ceiling("turns"),
  maxMinutes: ceiling("minutes"),
};

/** In the order of the table of options. */
export function resumeOptions(run: RunNow): Option[] {
  const first = raiseOf(run).ceiling;
  return optionList.filter(({ name }) => CHANGES[name] !== undefined && CHANGES[name].of !== first);
}

export const valueNow = (run: RunNow, name: OptionName): string => CHANGES[name]?.now(run) ?? "";
