/** Reads the subnets and route tables of an existing network. Two questions do not pay for an SDK client. */
import { createSigner, withQuery } from "../../client/sign.ts";
import { createCredentialProvider } from "../../deployment/account.ts";
import { type AwsResult, askAws } from "../../deployment/aws-result.ts";
import type { Finding } from "../../deployment/finding.ts";
import {
  type NetworkFacts,
  networkFinding,
  readNetwork,
  type WantedNetwork,
} from "../../deployment/network-finding.ts";
import type { Caller } from "../../deployment/target.ts";
import { parseXml, textOf } from "../../deployment/xml.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

const TIMEOUT_MS = 15_000;

/** Nothing, if the stack has its own network. */
export async function networkFindings(
  { config, target, env }: Pick<DeploymentOptions, "config" | "target" | "env">,
  { region }: Pick<Caller, "region">,
): Promise<Finding[]> {
  const { vpcId, subnetIds = [] } = config.evaluator;
  if (vpcId === undefined) return [];
  const wanted: WantedNetwork = { vpcId, subnetIds };
  const sign = createSigner({ service: "ec2", region, credentials: createCredentialProvider(target), now: Date.now });
  const ask = async (query: Record<string, string>): Promise<string> => {
    const url = withQuery(endpointIn(region, env), { ...query, Version: "2016-11-15" });
    const headers = await sign({ method: "GET", url, headers: { accept: "text/xml" } });
    const answer = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await answer.text();
    if (!answer.ok) throw refused(answer.status, text);
    return text;
  };
  const facts: AwsResult<NetworkFacts> = await askAws(async () =>
    readNetwork(
      await ask({ Action: "DescribeSubnets", "Filter.1.Name": "subnet-id", ...listed("Filter.1.Value", subnetIds) }),
      await ask({ Action: "DescribeRouteTables", "Filter.1.Name": "vpc-id", "Filter.1.Value.1": vpcId }),
    ),
  );
  return [networkFinding(wanted, facts)];
}

const listed = (name: string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, at) => [`${name}.${at + 1}`, value]));

function endpointIn(region: string, env: DeploymentOptions["env"]): string {
  const own = env.AWS_ENDPOINT_URL_EC2 || env.AWS_ENDPOINT_URL;
  if (own) return `${own.replace(/(?<!\/)\/+$/, "")}/`;
  return `https://ec2.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}/`;
}

/** Named as the SDK names errors. */
function refused(status: number, text: string): Error {
  const [error] = parseXml(text).children.flatMap(({ children }) => children);
  const name = (error && textOf(error, "Code")) || `HTTP ${status}`;
  return Object.assign(new Error((error && textOf(error, "Message")) || name), { name });
}
