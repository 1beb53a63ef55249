/** Whether subnets of an existing network are isolated: what their route tables lead to. Pure. */
import type { AwsResult } from "./aws-result.ts";
import type { Finding } from "./finding.ts";
import { childrenOf, parseXml, textOf, type XmlNode } from "./xml.ts";

export interface NetworkFacts {
  subnets: { id: string; vpcId: string }[];
  tables: { id: string; isMain: boolean; subnets: string[]; leads: string[] }[];
}

/** The answers of DescribeSubnets and DescribeRouteTables. */
export function readNetwork(subnets: string, routeTables: string): NetworkFacts {
  return {
    subnets: itemsOf(parseXml(subnets), "subnetSet").map((subnet) => ({
      id: textOf(subnet, "subnetId"),
      vpcId: textOf(subnet, "vpcId"),
    })),
    tables: itemsOf(parseXml(routeTables), "routeTableSet").map((table) => {
      const associations = itemsOf(table, "associationSet");
      return {
        id: textOf(table, "routeTableId"),
        isMain: associations.some((each) => textOf(each, "main") === "true"),
        subnets: associations.map((each) => textOf(each, "subnetId")).filter(Boolean),
        leads: itemsOf(table, "routeSet").flatMap(leadOf),
      };
    }),
  };
}

const itemsOf = (node: XmlNode, set: string): XmlNode[] =>
  childrenOf(node, set).flatMap((each) => childrenOf(each, "item"));

/** Routes within the network, and to gateway endpoints, lead nowhere else. */
function leadOf(route: XmlNode): string[] {
  const gateway = textOf(route, "gatewayId");
  if (gateway === "local" || gateway.startsWith("vpce-")) return [];
  const targets = route.children.filter(
    ({ name, text }) => /(Id|Arn)$/.test(name) && !/^destination/.test(name) && text !== "",
  );
  return [targets.map(({ text }) => text).join(" ") || "an unknown target"];
}

export interface WantedNetwork {
  vpcId: string;
  subnetIds: readonly string[];
}

export function networkFinding({ vpcId, subnetIds }: WantedNetwork, result: AwsResult<NetworkFacts>): Finding {
  const what = "network";
  if ("refusal" in result) {
    const { reason, remedy } = result.refusal;
    const says = `whether the subnets of ${vpcId} are isolated could not be read: ${reason}\n${remedy}`;
    return { what, state: "missing", says };
  }
  const { subnets, tables } = result.value;
  const problems = subnetIds.flatMap((id) => {
    const subnet = subnets.find((each) => each.id === id);
    if (!subnet) return [`${id} does not exist in this account and region`];
    if (subnet.vpcId !== vpcId) return [`${id} is in ${subnet.vpcId}, not in ${vpcId}`];
    const table = tables.find((each) => each.subnets.includes(id)) ?? tables.find(({ isMain }) => isMain);
    if (!table) return [`${id} has no route table`];
    return table.leads.map((lead) => `${id} is not isolated: ${table.id} has a route to ${lead}`);
  });
  if (problems.length > 0) return { what, state: "missing", says: [...problems, ADVICE].join("\n") };
  return { what, state: "ok", says: `${subnetIds.length} isolated subnets of ${vpcId}, by their route tables` };
}

const ADVICE = "Generated code must not reach anything from there: name isolated subnets in evaluator.subnetIds.";
