/** What docs/cost.md says an idle stack costs is what its synthesised template costs, by the model that `deploy` prints. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { costRows, IDLE_AIM_USD, idleLines, useLines } from "../../lib/deployment/cost/cost-page.ts";
import { idleCost, totalUsd, unpricedTypes } from "../../lib/deployment/cost/idle-cost.ts";
import { PRICES } from "../../lib/deployment/cost/prices.ts";
import { computingUsd, pollsPerHour, WATCHING_AIM, watchingUsd } from "../../lib/deployment/cost/watching-cost.ts";
import { type CostFacts, costFacts } from "./cost-facts.ts";

const page = readFileSync(new URL("../../docs/cost.md", import.meta.url), "utf8");

const tableOn = (name: string): string[] => {
  const [, table = ""] = new RegExp(`<!-- ${name}: begin -->([\\s\\S]*)<!-- ${name}: end -->`).exec(page) ?? [];
  return table.trim().split("\n").slice(2);
};

let plain: CostFacts;
let noticed: CostFacts;
let signing: CostFacts;
beforeAll(() => {
  plain = costFacts({ alarmMail: "somebody@example.org" });
  noticed = costFacts({ webhook: { url: "https://hooks.example.org/" } });
  signing = costFacts({ signing: { kms: true } });
});

describe("an idle stack", () => {
  it("costs what the page says, line by line", () => {
    expect(tableOn("idle")).toEqual(costRows(idleLines(plain.resources)));
    expect(tableOn("webhook")).toEqual(costRows(idleLines(noticed.resources).slice(-1)));
    expect(tableOn("signing")).toEqual(costRows(idleLines(signing.resources).slice(-1)));
    expect(idleLines(signing.resources)).toContainEqual({ what: "1 key of AWS KMS", usd: 1 });
  });

  it("costs no more than it may", () => {
    expect(totalUsd(idleCost(plain.resources))).toBeLessThanOrEqual(IDLE_AIM_USD);
  });

  it("has no resource whose price is unknown", () => {
    expect(unpricedTypes(plain.resources)).toEqual([]);
    expect(unpricedTypes(noticed.resources)).toEqual([]);
    expect(unpricedTypes(signing.resources)).toEqual([]);
    const endpoint = (VpcEndpointType: string) => ({
      E: { Type: "AWS::EC2::VPCEndpoint", Properties: { VpcEndpointType } },
    });
    expect(unpricedTypes(endpoint("Gateway"))).toEqual([]);
    expect(unpricedTypes(endpoint("Interface"))).toEqual(["AWS::EC2::VPCEndpoint"]);
    expect(unpricedTypes({ Nat: { Type: "AWS::EC2::NatGateway" } })).toEqual(["AWS::EC2::NatGateway"]);
  });

  it("marks every resource that takes tags with the stack's name, and with the tags that were chosen", () => {
    const { resources } = costFacts({ tags: { "cost-centre": "4711" } });
    const untagged = Object.values(resources).filter(({ Properties }) => {
      const text = JSON.stringify(Object(Properties).Tags ?? []);
      return !text.includes("l2mac:stack") || !text.includes("cost-centre");
    });
    expect([...new Set(untagged.map(({ Type }) => Type))].toSorted()).toEqual([
      ...["AWS::ApiGateway::Account", "AWS::ApiGateway::Deployment", "AWS::ApiGateway::GatewayResponse"],
      ...["AWS::ApiGateway::Method", "AWS::ApiGateway::Resource", "AWS::EC2::SubnetRouteTableAssociation"],
      ...["AWS::IAM::Policy", "AWS::Lambda::EventInvokeConfig", "AWS::Lambda::Permission", "AWS::Logs::MetricFilter"],
      ...["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"],
    ]);
  });
});

it("watching a run costs at most a tenth of computing it", () => {
  const [watching, computing] = [watchingUsd(plain.use), computingUsd(plain.use)];
  expect(watching / computing).toBeLessThanOrEqual(WATCHING_AIM);
  // Watchers still see a turn of twenty seconds while it is computed.
  expect(pollsPerHour()).toBeGreaterThan(3 * 180);
  // The formula on the page has the same prices.
  expect(page).toContain(`instructions × $${PRICES.instruction} `);
});

it("what use adds is what the page says", () => {
  expect(tableOn("use")).toEqual(costRows(useLines(plain.use)));
});
