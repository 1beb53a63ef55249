/** What functions cost that a schedule calls while no run is computed. Pure. */
import type { CostLine, TemplateResource, TemplateResources } from "./idle-cost.ts";
import { MINUTES_PER_MONTH, PRICES } from "./prices.ts";

/** Of a call that finds nothing to do: at most so much. */
const CALL = { seconds: 0.25, logBytes: 1_500, readUnits: 2 };

export const scheduledCost = (resources: TemplateResources): CostLine[] =>
  Object.values(resources).flatMap((rule) => {
    const every = minutesOf(rule);
    if (every === undefined) return [];
    const calls = MINUTES_PER_MONTH / every;
    return targetsOf(rule, resources).map((target) => ({
      what: `${calls.toLocaleString("en-US")} idle calls of the function ${nameOf(target)}`,
      usd: calls * callUsd(target),
    }));
  });

function callUsd({ Properties = {} }: TemplateResource): number {
  const memoryGb = Number(Properties.MemorySize ?? 128) / 1_024;
  const isTraced = Object(Properties.TracingConfig).Mode === "Active";
  return (
    PRICES.invocation +
    CALL.seconds * memoryGb * PRICES.gbSecond +
    CALL.logBytes * PRICES.logByte +
    CALL.readUnits * PRICES.readUnit +
    (isTraced ? PRICES.trace : 0)
  );
}

/** Undefined: no rule with a rate. */
function minutesOf({ Type, Properties = {} }: TemplateResource): number | undefined {
  if (Type !== "AWS::Events::Rule") return undefined;
  const [, count] = /^rate\((\d+) minutes?\)$/.exec(String(Properties.ScheduleExpression)) ?? [];
  return count === undefined ? undefined : Number(count);
}

function targetsOf({ Properties = {} }: TemplateResource, resources: TemplateResources): TemplateResource[] {
  const targets = Array.isArray(Properties.Targets) ? Properties.Targets : [];
  return targets.flatMap((target) => resources[Object(Object(target).Arn)["Fn::GetAtt"]?.[0]] ?? []);
}

const nameOf = ({ Properties }: TemplateResource): string => String(Properties?.Handler ?? "").replace(/^entry\./, "");
