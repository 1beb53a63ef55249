/** The scheduled rule of the real template. */
import { beforeAll, describe, expect, it } from "vitest";
import { deployQuickly, PLACE, resourceIn } from "../cloudformation/quick-deployment.ts";
import { createIam } from "../iam/iam.ts";
import type { Deployment, Functions, Invocation } from "../parts.ts";
import { createScheduler } from "./scheduler.ts";

let whole: Deployment;
beforeAll(() => {
  whole = deployQuickly({ runEvents: false });
});

function aScheduler(deployed: Deployment) {
  const seen: Invocation[] = [];
  const functions: Functions = {
    async invoke(invocation) {
      seen.push(invocation);
      return { payload: "{}", requestId: "r", millis: 1 };
    },
    stop: async () => {},
  };
  const now = () => Date.parse("2026-01-02T03:04:05.678Z");
  return { seen, scheduler: createScheduler({ deployed, functions, iam: createIam(deployed), now }) };
}

describe("the schedule", () => {
  it("calls the sweeper with a scheduled event of its rule", async () => {
    const { seen, scheduler } = aScheduler(whole);
    const [rule, sweep] = [
      resourceIn(whole, "AWS::Events::Rule"),
      resourceIn(whole, "AWS::Lambda::Function", "Sweeper"),
    ];
    const functionArn = sweep.arn;
    expect(await scheduler.tick()).toMatchObject([{ rule: rule.logicalId, functionArn, invoked: { payload: "{}" } }]);
    expect(seen.map((each) => each.functionArn)).toEqual([functionArn]);
    expect(JSON.parse(seen[0]?.payload ?? "")).toEqual({
      ...{ version: "0", id: expect.any(String), "detail-type": "Scheduled Event", source: "aws.events" },
      ...{
        account: PLACE.account,
        region: PLACE.region,
        time: "2026-01-02T03:04:05Z",
        resources: [rule.arn],
        detail: {},
      },
    });
  });

  it("leaves the call in the queue where the function does not permit it", async () => {
    const kept = Object.entries(whole.resources).filter(([, { type }]) => type !== "AWS::Lambda::Permission");
    const { seen, scheduler } = aScheduler({ ...whole, resources: Object.fromEntries(kept) });
    expect(await scheduler.tick()).toMatchObject([{ deadLetterArn: resourceIn(whole, "AWS::SQS::Queue").arn }]);
    expect(seen).toEqual([]);
  });

  it("calls no target while its rule is disabled", async () => {
    const rule = resourceIn(whole, "AWS::Events::Rule");
    const off = { ...rule, properties: { ...rule.properties, State: "DISABLED" } };
    const { scheduler } = aScheduler({ ...whole, resources: { ...whole.resources, [rule.logicalId]: off } });
    expect(await scheduler.tick()).toEqual([]);
  });
});
