import { describe, expect, it } from "vitest";
import { type NetworkFacts, networkFinding } from "./network-finding.ts";

const wanted = { vpcId: "vpc-1", subnetIds: ["subnet-1", "subnet-2"] };
const facts = (over: Partial<NetworkFacts> = {}): NetworkFacts => ({
  subnets: [
    { id: "subnet-1", vpcId: "vpc-1" },
    { id: "subnet-2", vpcId: "vpc-1" },
  ],
  tables: [
    { id: "rtb-main", isMain: true, subnets: [], leads: [] },
    { id: "rtb-1", isMain: false, subnets: ["subnet-1"], leads: [] },
  ],
  ...over,
});

describe("subnets of an existing network", () => {
  it("are isolated where neither their own route table nor the main one leads out", () => {
    expect(networkFinding(wanted, { value: facts() })).toMatchObject({ state: "ok" });
  });

  it.each([
    ["does not exist", { subnets: [] }],
    ["is in vpc-2, not in vpc-1", { subnets: [{ id: "subnet-1", vpcId: "vpc-2" }] }],
    ["has no route table", { tables: [] }],
    [
      "subnet-2 is not isolated: rtb-main has a route to igw-1",
      { tables: [{ id: "rtb-main", isMain: true, subnets: ["subnet-1"], leads: ["igw-1"] }] },
    ],
  ])("are refused: %s", (says, over) => {
    const found = networkFinding(wanted, { value: facts(over) });
    expect(found).toMatchObject({ state: "missing", says: expect.stringContaining(says) });
  });

  it("are not taken unread", () => {
    const refusal = { reason: "not authorized to perform: ec2:DescribeSubnets", remedy: "Ask for this permission." };
    expect(networkFinding(wanted, { refusal })).toMatchObject({ state: "missing" });
  });
});
