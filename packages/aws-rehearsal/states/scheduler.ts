/** EventBridge: invokes the targets of scheduled rules when `tick` is called. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { PlayedIam } from "../iam/iam.ts";
import type { DeployedResource, Deployment, Functions, Hop, InvocationResult } from "../parts.ts";

export interface Scheduler {
  /** Once for each target of each rule that is on. */
  tick(): Promise<RuleResult[]>;
}

export interface RuleResult {
  /** The rule's logical id. */
  rule: string;
  functionArn: string;
  /** Absent: EventBridge may not call it, and leaves the call where the rule says. */
  invoked?: InvocationResult;
  deadLetterArn?: string;
}

export interface SchedulerParts {
  deployed: Deployment;
  functions: Functions;
  iam: Pick<PlayedIam, "admit">;
  now: () => number;
  hop?: (hop: Hop) => void;
}

const Rule = z.object({
  ScheduleExpression: z
    .string()
    .regex(/^(rate|cron)\(.+\)$/)
    .optional(),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  Targets: z
    .array(
      z.object({
        Arn: z.string(),
        Input: z.string().optional(),
        DeadLetterConfig: z.object({ Arn: z.string() }).optional(),
      }),
    )
    .default([]),
});

export function createScheduler(parts: SchedulerParts): Scheduler {
  const rules = Object.values(parts.deployed.resources)
    .filter(({ type }) => type === "AWS::Events::Rule")
    .map((resource) => ({ resource, rule: Rule.parse(resource.properties) }))
    .filter(({ rule }) => rule.ScheduleExpression !== undefined && rule.State === "ENABLED");
  return {
    async tick() {
      const ticked: RuleResult[] = [];
      for (const { resource, rule } of rules)
        for (const target of rule.Targets) ticked.push(await call(parts, resource, target));
      return ticked;
    },
  };
}

type Target = z.infer<typeof Rule>["Targets"][number];

async function call(
  { deployed, functions, iam, now, hop }: SchedulerParts,
  { logicalId, arn = "" }: DeployedResource,
  { Arn: functionArn, Input, DeadLetterConfig }: Target,
): Promise<RuleResult> {
  const ticked = { rule: logicalId, functionArn };
  const denied = iam.admit("events.amazonaws.com", arn, { action: "lambda:InvokeFunction", resource: functionArn });
  hop?.({ from: "EventBridge", to: logicalId, what: "tick", answer: denied?.message ?? "called" });
  if (denied) return { ...ticked, ...(DeadLetterConfig && { deadLetterArn: DeadLetterConfig.Arn }) };
  const payload = Input ?? JSON.stringify(eventOf(deployed, arn, now()));
  return { ...ticked, invoked: await functions.invoke({ functionArn, payload }) };
}

const eventOf = ({ account, region }: Deployment, ruleArn: string, now: number) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  ...{ account, region },
  time: `${new Date(now).toISOString().slice(0, 19)}Z`,
  resources: [ruleArn],
  detail: {},
});
