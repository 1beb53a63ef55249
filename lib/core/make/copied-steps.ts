/** What a run of an earlier version copied of calls, in sums and in words. */
import * as z from "zod";
import { count } from "../count.ts";
import { money, pluralize } from "../text/format.ts";

/** `turns` and `microUsd`: what the steps had cost where they were executed. */
export const CopiedSteps = z.object({ steps: count, turns: count, microUsd: count });
export type CopiedSteps = z.infer<typeof CopiedSteps>;

export function addCopied(
  copied: CopiedSteps = { steps: 0, turns: 0, microUsd: 0 },
  { turns, microUsd }: Omit<CopiedSteps, "steps">,
): CopiedSteps {
  return { steps: copied.steps + 1, turns: copied.turns + turns, microUsd: copied.microUsd + microUsd };
}

export const copiedWords = ({ steps, ...had }: CopiedSteps): string =>
  `${pluralize(steps, "step")} copied from earlier calls, which had taken ${costWords(had)}`;

export const costWords = ({ turns, microUsd }: Omit<CopiedSteps, "steps">): string =>
  `${pluralize(turns, "turn")}${microUsd > 0 ? ` and ${money(microUsd)}` : ""}`;
