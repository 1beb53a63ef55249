/** Subnets of an existing network, in moto's EC2: taken if they are isolated, refused if they lead out. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseXml, textOf, type XmlNode } from "../../lib/deployment/xml.ts";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { anAccount } from "./account.ts";
import { aDeploymentBench, type DeploymentBench, IMAGE } from "./bench.ts";

describe.skipIf(!moto.isThere)(`an existing network, with ${moto.title}`, () => {
  let running: Running;
  let bench: DeploymentBench;
  let env: Record<string, string>;
  const ids = { vpc: "", isolated: "", open: "", table: "", elsewhere: "" };

  /** moto takes requests that are not signed, if they name their service. */
  async function ec2(Action: string, query: Record<string, string>): Promise<XmlNode> {
    const scope = "Credential=emulated/20260301/eu-west-1/ec2/aws4_request";
    const headers = { authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0` };
    const body = new URLSearchParams({ Action, Version: "2016-11-15", ...query });
    const answer = await fetch(`${running.endpoint}/`, { method: "POST", headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return parseXml(text);
  }
  const made = (answer: XmlNode, name: string, id: string): string => {
    const [found] = answer.children.filter((each) => each.name === name);
    return found ? textOf(found, id) : "";
  };

  beforeAll(async () => {
    running = await moto.start();
    const account = anAccount(running.endpoint, "eu-west-1");
    await account.bootstrap(21);
    env = account.env;
    const network = async (CidrBlock: string) => made(await ec2("CreateVpc", { CidrBlock }), "vpc", "vpcId");
    const subnet = async (VpcId: string, CidrBlock: string) =>
      made(await ec2("CreateSubnet", { VpcId, CidrBlock }), "subnet", "subnetId");
    ids.vpc = await network("10.1.0.0/16");
    ids.isolated = await subnet(ids.vpc, "10.1.1.0/24");
    ids.open = await subnet(ids.vpc, "10.1.2.0/24");
    ids.elsewhere = await subnet(await network("10.2.0.0/16"), "10.2.1.0/24");
    const gateway = made(await ec2("CreateInternetGateway", {}), "internetGateway", "internetGatewayId");
    await ec2("AttachInternetGateway", { InternetGatewayId: gateway, VpcId: ids.vpc });
    ids.table = made(await ec2("CreateRouteTable", { VpcId: ids.vpc }), "routeTable", "routeTableId");
    await ec2("AssociateRouteTable", { RouteTableId: ids.table, SubnetId: ids.open });
    await ec2("CreateRoute", { RouteTableId: ids.table, DestinationCidrBlock: "0.0.0.0/0", GatewayId: gateway });
  });
  afterAll(() => running?.stop());
  beforeEach(() => {
    bench = aDeploymentBench(env);
    bench.write("outputs.json", "{}");
  });
  afterEach(() => bench.remove());

  const deployInto = (...subnetIds: string[]) => {
    bench.write("l2mac.cloud.json", JSON.stringify({ evaluator: { vpcId: ids.vpc, subnetIds } }));
    return bench.run(["deploy", "--evaluator-image", IMAGE, "--yes"]);
  };

  it("is taken where its subnets are isolated", async () => {
    const { said } = await deployInto(ids.isolated);
    expect(said).toContain(`✔ network    1 isolated subnets of ${ids.vpc}, by their route tables`);
    expect(bench.calls().map(({ argv }) => argv[0])).toEqual(["deploy"]);
  });

  it("is refused, with all reasons, where one leads out, is in another network, or does not exist", async () => {
    const { code, said } = await deployInto(ids.isolated, ids.open, ids.elsewhere, "subnet-00000000");
    expect(said).toMatch(new RegExp(`${ids.open} is not isolated: ${ids.table} has a route to igw-\\w+`));
    expect(said).toMatch(new RegExp(`${ids.elsewhere} is in vpc-\\w+, not in ${ids.vpc}`));
    expect(said).toContain("subnet-00000000 does not exist in this account and region");
    expect(said).not.toContain(`${ids.isolated} is`);
    expect([code, bench.calls()]).toEqual([3, []]);
  });
});
