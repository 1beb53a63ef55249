/** What a request to Amazon Bedrock's runtime needs: the model, or an inference profile and its model in each region where that may go. Pure. */
import { decoded, partsOf } from "../sigv4/canonical-request.ts";
import { type DeploymentScope, type ReadOperation, unknownOperation } from "./operation.ts";

/** As AWS documents the actions of Converse and ConverseStream. */
const ACTIONS: Record<string, string> = {
  converse: "InvokeModel",
  "converse-stream": "InvokeModelWithResponseStream",
};

/** Regions of a profile other than the caller's, for each part of the world: a profile may go there. */
const ELSEWHERE: Record<string, string[]> = {
  eu: ["eu-north-1", "eu-west-3"],
  us: ["us-east-2", "us-west-2"],
  global: ["us-east-1", ""],
};

export const bedrockOperation: ReadOperation = ({ method, target }, place) => {
  const [, encoded = "", name = ""] = /^\/model\/([^/]+)\/(converse|converse-stream)$/.exec(partsOf(target).path) ?? [];
  const action = ACTIONS[name];
  if (method !== "POST" || action === undefined) return unknownOperation(`Bedrock's ${method} ${target}`);
  const model = decoded(encoded);
  const asks = arnsOf(model, place).map((resource) => ({ action: `bedrock:${action}`, resource }));
  return { name, about: model, asks };
};

function arnsOf(model: string, { partition, region, account }: DeploymentScope): string[] {
  const [part = "", ...rest] = model.split(".");
  const elsewhere = ELSEWHERE[part];
  const modelIn = (where: string, id: string) => `arn:${partition}:bedrock:${where}::foundation-model/${id}`;
  if (!elsewhere) return [modelIn(region, model)];
  const profile = `arn:${partition}:bedrock:${region}:${account}:inference-profile/${model}`;
  return [profile, ...[region, ...elsewhere].map((where) => modelIn(where, rest.join(".")))];
}
