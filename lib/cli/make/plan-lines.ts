/** The plan of a make, as a person reads it. Pure. */
import type { MakePlan } from "../../client/changes.ts";
import { money, pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";

type Planned = MakePlan["steps"][number];
type Estimate = MakePlan["price"]["execute"];

export function planLines({ steps, price, unserved, assumed = [] }: MakePlan): string[] {
  const taken = steps.filter(({ decision }) => decision === "copy").length;
  const others = steps.filter(({ decision }) => decision !== "copy");
  return [
    `${taken} of ${pluralize(steps.length, "step")} taken over without a model call, if the gate accepts them again.`,
    ...others.slice(0, STEPS_SHOWN).map((step) => sanitizeLine(stepLine(step))),
    ...(others.length > STEPS_SHOWN ? [`  … and ${others.length - STEPS_SHOWN} more (--json lists all)`] : []),
    ...(unserved.length > 0 ? [`No instruction serves ${namedFew(unserved)}: give a program that does.`] : []),
    ...(assumed.length > 0 ? [sanitizeLine(`Which steps there will be is foreseen: ${assumedFew(assumed)}.`)] : []),
    ...priceLines(price),
  ];
}

const STEPS_SHOWN = 40;

const stepLine = ({ number, title, decision, why }: Planned): string =>
  `  ${decision.padEnd(7)} ${number}. ${title}: ${why}`;

function priceLines({ execute, check }: MakePlan["price"]): string[] {
  if (execute.steps + check.steps === 0) return ["Price: nothing is asked of a model."];
  const more =
    check.steps === 0
      ? ""
      : ` ${pluralize(check.steps, "step")} to check: no cost where its tests pass, otherwise ${rangeOf(check)} more.`;
  const first = execute.steps === 0 ? "no step" : `${pluralize(execute.steps, "step")}, ${rangeOf(execute)}`;
  return [`Price: ${first} to execute (P50 to P90 of what the accepted steps cost).${more}`];
}

const rangeOf = ({ p50, p90 }: Estimate): string => (p50 === p90 ? money(p50) : `${money(p50)} to ${money(p90)}`);

const namedFew = (ids: string[]): string =>
  ids.length <= NAMED ? ids.join(", ") : `${ids.slice(0, NAMED).join(", ")} and ${ids.length - NAMED} more`;
const NAMED = 10;

const assumedFew = (assumed: string[]): string =>
  assumed.length <= FEW ? assumed.join("; ") : `${assumed.slice(0, FEW).join("; ")}; and ${assumed.length - FEW} more`;
const FEW = 5;
