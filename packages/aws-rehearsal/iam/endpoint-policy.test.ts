import { expect, it } from "vitest";
import type { Deployment } from "../parts.ts";
import { refusedByEndpoint } from "./endpoint-policy.ts";

const BUCKET = "arn:aws:s3:::files";
const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `${BUCKET}/runs/*` };
const endpoint = {
  ...{ logicalId: "Packs", type: "AWS::EC2::VPCEndpoint", ref: "vpce-1" },
  properties: { PolicyDocument: { Statement: [statement] } },
};
const deployedWith = (resources: Deployment["resources"]) => ({ resources }) as Deployment;
const asked = (action: string, resource: string) =>
  refusedByEndpoint(deployedWith({ Packs: endpoint }), [{ action, resource }]);

it("lets through what its policy allows, and names what it does not", () => {
  expect(asked("s3:GetObject", `${BUCKET}/runs/1/packs/000000.zip`)).toBeUndefined();
  expect(asked("s3:PutObject", `${BUCKET}/runs/1/x`)).toContain("does not allow s3:PutObject");
  expect(asked("s3:GetObject", `${BUCKET}/uploads/1`)).toContain("/uploads/1");
  expect(asked("s3:GetObject", "arn:aws:s3:::elsewhere/runs/1")).toContain("elsewhere");
  expect(refusedByEndpoint(deployedWith({}), [])).toBe("The network has no endpoint.");
});
