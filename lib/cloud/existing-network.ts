/** A network of the account for the evaluator. That its subnets are isolated is checked by `l2mac deploy`, not here. */
import { Annotations } from "aws-cdk-lib";
import { type ISubnet, type IVpc, SecurityGroup, Subnet, Vpc } from "aws-cdk-lib/aws-ec2";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";
import { closedGroup, type Isolation } from "./isolation.ts";

/** Undefined: none is configured, and the stack has its own. */
export function joinNetwork(place: Construct, { evaluator }: CloudConfig): Isolation | undefined {
  const { vpcId, subnetIds = [], securityGroupId } = evaluator;
  if (vpcId === undefined) return undefined;
  // The zones are those of the subnets; CDK asks for names and uses none.
  const availabilityZones = subnetIds.map((_, at) => `zone-${at + 1}`);
  const vpc: IVpc = Vpc.fromVpcAttributes(place, "Network", { vpcId, availabilityZones });
  const subnets = subnetIds.map((id) => importSubnet(place, id));
  const group =
    securityGroupId === undefined
      ? closedGroup(place, vpc)
      : SecurityGroup.fromSecurityGroupId(place, "Chosen", securityGroupId, { mutable: false });
  return { vpc, vpcSubnets: { subnets }, securityGroups: [group] };
}

function importSubnet(place: Construct, id: string): ISubnet {
  const subnet = Subnet.fromSubnetId(place, id, id);
  Annotations.of(subnet).acknowledgeWarning("@aws-cdk/aws-ec2:noSubnetRouteTableId", "No route is added to it.");
  return subnet;
}
