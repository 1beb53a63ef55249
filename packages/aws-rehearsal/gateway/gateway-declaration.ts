/** The template's REST API: paths, methods, stage and gateway responses. Unsupported properties are errors. */
import { z } from "zod";
import type { DeployedResource, Deployment } from "../parts.ts";
import { type GatewayResponse, readResponse } from "./gateway-refusal.ts";

export interface GatewayDeclaration {
  apiId: string;
  stage: string;
  throttle: { rate: number; burst: number };
  binaryMediaTypes: string[];
  routes: Route[];
  responses: GatewayResponse[];
}

export interface Route {
  /** As the template has it: "/{proxy+}". */
  resourcePath: string;
  /** Or ANY. */
  method: string;
  authorization: "AWS_IAM" | "NONE";
  functionArn: string;
  timeoutMs: number;
}

/** The account's own, where a stage has none. */
const UNLIMITED = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 };
const TIMEOUT_MS = 29_000;

const RestApi = z.object({ BinaryMediaTypes: z.array(z.string()).default([]) });
const Resource = z.object({ ParentId: z.string(), PathPart: z.string() });
const Method = z.object({
  ResourceId: z.string(),
  HttpMethod: z.string(),
  AuthorizationType: z.enum(["AWS_IAM", "NONE"]),
  Integration: z.object({
    Type: z.literal("AWS_PROXY"),
    IntegrationHttpMethod: z.literal("POST"),
    Uri: z.string(),
    TimeoutInMillis: z.number().default(TIMEOUT_MS),
  }),
});
const Setting = z.object({
  HttpMethod: z.literal("*"),
  ResourcePath: z.literal("/*"),
  ThrottlingRateLimit: z.number().default(UNLIMITED.ThrottlingRateLimit),
  ThrottlingBurstLimit: z.number().default(UNLIMITED.ThrottlingBurstLimit),
});
const Stage = z.object({ StageName: z.string(), MethodSettings: z.array(Setting).default([]) });

export function declaredGateway({ resources }: Deployment): GatewayDeclaration {
  const all = Object.values(resources);
  const of = (type: string) => all.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
  const [api, stage] = [onlyOne(of("RestApi"), "RestApi"), onlyOne(of("Stage"), "Stage")];
  const { StageName, MethodSettings } = Stage.parse(stage.properties);
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = MethodSettings[0] ?? UNLIMITED;
  const paths = pathsOf(of("Resource"));
  return {
    apiId: api.ref,
    stage: StageName,
    throttle: { rate, burst },
    binaryMediaTypes: RestApi.parse(api.properties).BinaryMediaTypes,
    routes: of("Method").map((method) => routeOf(method, paths)),
    responses: of("GatewayResponse").map(({ properties }) => readResponse(properties)),
  };
}

function onlyOne(found: DeployedResource[], type: string): DeployedResource {
  const [first, ...others] = found;
  if (!first || others.length > 0) throw new Error(`The template has not exactly one AWS::ApiGateway::${type}.`);
  return first;
}

/** By the id of a resource. What no resource is, is the root of them all. */
function pathsOf(resources: DeployedResource[]): (id: string) => string {
  const known = new Map(resources.map(({ ref, properties }) => [ref, Resource.parse(properties)]));
  const pathOf = (id: string): string => {
    const resource = known.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : "";
  };
  return (id) => pathOf(id) || "/";
}

function routeOf({ logicalId, properties }: DeployedResource, pathOf: (id: string) => string): Route {
  const { ResourceId, HttpMethod, AuthorizationType, Integration } = Method.parse(properties);
  const [, functionArn] = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(Integration.Uri) ?? [];
  if (functionArn === undefined) throw new Error(`The integration of ${logicalId} leads to no function.`);
  return {
    resourcePath: pathOf(ResourceId),
    method: HttpMethod,
    authorization: AuthorizationType,
    functionArn,
    timeoutMs: Integration.TimeoutInMillis,
  };
}
