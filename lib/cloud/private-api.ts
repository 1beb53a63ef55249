/** A private API: reached through interface endpoints of VPCs only, by callers whose own policies allow it. */
import { Stack } from "aws-cdk-lib";
import { EndpointType, type RestApi, type RestApiProps } from "aws-cdk-lib/aws-apigateway";
import { InterfaceVpcEndpoint } from "aws-cdk-lib/aws-ec2";
import { AccountRootPrincipal, AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";

type Reach = Pick<RestApiProps, "endpointConfiguration" | "policy">;

export function reachOf(place: Construct, { api }: CloudConfig): Reach {
  if (!api.private) return { endpointConfiguration: { types: [EndpointType.REGIONAL] } };
  const { vpcEndpointIds } = api.private;
  return {
    endpointConfiguration: {
      types: [EndpointType.PRIVATE],
      vpcEndpoints: vpcEndpointIds.map((vpcEndpointId) =>
        InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(place, vpcEndpointId, { vpcEndpointId, port: 443 }),
      ),
    },
    policy: policyOf(vpcEndpointIds),
  };
}

/** The account is allowed, not everyone: its users and roles then still need a permission of their own. */
function policyOf(vpcEndpointIds: string[]): PolicyDocument {
  const on = { actions: ["execute-api:Invoke"], resources: ["execute-api:/*"] };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ effect: Effect.ALLOW, principals: [new AccountRootPrincipal()], ...on }),
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        ...on,
        conditions: { StringNotEquals: { "aws:SourceVpce": vpcEndpointIds } },
      }),
    ],
  });
}

/** By the name that resolves in every VPC of the endpoint, also without private DNS. */
export function addressOf(rest: RestApi, { api }: CloudConfig): string {
  const [endpoint] = api.private?.vpcEndpointIds ?? [];
  if (endpoint === undefined) return rest.url;
  const { region, urlSuffix } = Stack.of(rest);
  return `https://${rest.restApiId}-${endpoint}.execute-api.${region}.${urlSuffix}/${rest.deploymentStage.stageName}/`;
}
