/** The place where a run's code is checked, as it is stated in the prompts of a conversation that begins now. */
import { environmentText } from "../../core/prompt/environment.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { OpenStep } from "./open-step.ts";

/** A book has no code. */
export function stateEnvironment({ world, state, document }: OpenStep): { environment?: string } {
  const { declaration } = document.pack;
  const { options } = state.run;
  const { syntax, tests } = declaration.checks;
  const environment = syntax || tests ? world.evaluator.describeEnvironment?.() : undefined;
  if (!environment) return {};
  const offered = options.tools ?? declaration.tools;
  const text = environmentText(environment, {
    installs: options.install,
    tests: tests && options.runTests,
    commands: offered?.includes("run_command") ?? true,
    checkMs: evaluationMsOf(options),
  });
  return { environment: text };
}
