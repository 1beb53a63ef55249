/** Asks Amazon Bedrock whether the account may call the models that a stack names. No model is called. */
import { createSigner } from "../../client/sign.ts";
import { foundationModelOf } from "../../cloud/bedrock-models.ts";
import { createCredentialProvider } from "../../deployment/account.ts";
import { type AwsResult, askAws } from "../../deployment/aws-result.ts";
import type { Finding } from "../../deployment/finding.ts";
import { ModelAccess, modelAccessFinding } from "../../deployment/model-access-finding.ts";
import type { Target } from "../../deployment/target.ts";

export interface ModelAccessParts {
  target: Target;
  region: string;
  /** The stack's output BedrockModels. */
  models: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

const TIMEOUT_MS = 15_000;

export async function modelAccessFindings({ target, region, models = "", env }: ModelAccessParts): Promise<Finding[]> {
  const credentials = createCredentialProvider(target);
  const sign = createSigner({ service: "bedrock", region, credentials, now: Date.now });
  const read = async (model: string): Promise<AwsResult<ModelAccess>> =>
    askAws(async () => {
      const id = encodeURIComponent(foundationModelOf(model));
      const url = new URL(`${endpointIn(region, env)}/foundation-model-availability/${id}`);
      const headers = await sign({ method: "GET", url, headers: { accept: "application/json" } });
      const answer = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await answer.text();
      if (!answer.ok) throw refused(answer, text);
      return ModelAccess.parse(JSON.parse(text));
    });
  const names = models.split(",").filter(Boolean);
  return Promise.all(names.map(async (model) => modelAccessFinding(model, region, await read(model))));
}

function endpointIn(region: string, env: ModelAccessParts["env"]): string {
  const own = env.AWS_ENDPOINT_URL_BEDROCK || env.AWS_ENDPOINT_URL;
  if (own) return own.replace(/(?<!\/)\/+$/, "");
  return `https://bedrock.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}

const SAID_CHARS = 200;

/** Named as the SDK names errors. */
function refused({ status, headers }: Response, text: string): Error {
  const name = (headers.get("x-amzn-errortype") ?? `HTTP ${status}`).split(":", 1)[0] ?? "";
  return Object.assign(new Error(`${name} (HTTP ${status}) ${text.slice(0, SAID_CHARS)}`.trim()), { name });
}
