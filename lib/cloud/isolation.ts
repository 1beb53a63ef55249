/** A network without a route out: no gateway, no endpoint, no DNS. It costs nothing. */
import {
  FlowLogDestination,
  FlowLogTrafficType,
  type ISecurityGroup,
  type IVpc,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";
import { createLogGroup } from "./function.ts";

export interface Isolation {
  vpc: IVpc;
  vpcSubnets: SubnetSelection;
  securityGroups: ISecurityGroup[];
}

export function createIsolation(place: Construct, config: CloudConfig): Isolation {
  const { zones } = config.evaluator;
  const subnetType = SubnetType.PRIVATE_ISOLATED;
  const network = new Vpc(place, "Network", {
    ...(zones ? { availabilityZones: zones } : { maxAzs: 2 }),
    natGateways: 0,
    createInternetGateway: false,
    subnetConfiguration: [{ name: "isolated", subnetType, cidrMask: 24 }],
    enableDnsSupport: !config.evaluator.noDns,
    enableDnsHostnames: false,
    // Restricting the unused default group would need a function with network permissions.
    restrictDefaultSecurityGroup: false,
  });
  network.addFlowLog("Rejected", {
    destination: FlowLogDestination.toCloudWatchLogs(createLogGroup(place, "RejectedLog", config)),
    // Logs attempts to get out.
    trafficType: FlowLogTrafficType.REJECT,
  });
  // The types of CDK do not allow an explicit undefined here.
  const vpc = network as IVpc;
  return { vpc, vpcSubnets: { subnetType }, securityGroups: [closedGroup(place, vpc)] };
}

export const closedGroup = (place: Construct, vpc: IVpc): SecurityGroup =>
  new SecurityGroup(place, "Nowhere", {
    vpc,
    description: "Lets nothing in and nothing out.",
    allowAllOutbound: false,
  });
