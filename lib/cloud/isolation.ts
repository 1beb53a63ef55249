/**
 * A network without a route out: no gateway, no DNS. Its one endpoint reads the packs of runs, by links that a request
 * brings. It costs nothing.
 */
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  type ISecurityGroup,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";
import { createLogGroup } from "./function.ts";
import type { Storage } from "./storage.ts";

export interface Isolation {
  vpc: IVpc;
  vpcSubnets: SubnetSelection;
  securityGroups: ISecurityGroup[];
}

export function createIsolation(place: Construct, config: CloudConfig, storage: Storage): Isolation {
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
  addPackEndpoint(network, storage);
  const nowhere = closedGroup(place, vpc);
  // The only route is that of the endpoint, whose addresses differ between Regions.
  nowhere.addEgressRule(Peer.anyIpv4(), Port.tcp(443), "To the endpoint.");
  return { vpc, vpcSubnets: { subnetType }, securityGroups: [nowhere] };
}

export const closedGroup = (place: Construct, vpc: IVpc): SecurityGroup =>
  new SecurityGroup(place, "Nowhere", {
    vpc,
    description: "Lets nothing in and nothing out.",
    allowAllOutbound: false,
  });

/** In a network of the account only a security group of the account's own may let it reach S3. */
export const canFetch = ({ evaluator: { vpc, vpcId, securityGroupId } }: CloudConfig): boolean =>
  !vpc || vpcId === undefined || securityGroupId !== undefined;

/** Its policy holds for everyone who uses it: it reads the files of runs and nothing else, in no other bucket. */
function addPackEndpoint(network: Vpc, { bucket }: Storage): void {
  const endpoint = network.addGatewayEndpoint("Packs", {
    service: GatewayVpcEndpointAwsService.S3,
    subnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }],
  });
  endpoint.addToPolicy(
    new PolicyStatement({
      effect: Effect.ALLOW,
      principals: [new AnyPrincipal()],
      actions: ["s3:GetObject"],
      resources: [bucket.arnForObjects("runs/*")],
    }),
  );
}
