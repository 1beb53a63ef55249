/** The model of a run for which none is set: chosen by the key or the credentials that are there. Pure. */
import { type Remedy, UserError } from "../core/errors.ts";
import { GLOBAL_MODEL } from "../core/text/bedrock-access.ts";
import type { ModelWish } from "./open-model.ts";
import { PROVIDERS } from "./provider.ts";

export interface DefaultModel {
  model: string;
  because: string;
}

/** A model or base URL that is set wins. */
export function withDefaultModel(wish: ModelWish): ModelWish {
  const isSet = wish.model !== undefined || wish.baseUrl !== undefined;
  return isSet ? wish : { ...wish, ...defaultModel(wish) };
}

/** The first whose key is set. Each is in the table of known models, with its price. */
function defaultModel(wish: ModelWish): DefaultModel | undefined {
  const { apiKey, anthropicKey, geminiKey, openrouterKey } = wish;
  if (apiKey) return chosenBy("openai/gpt-5.5", PROVIDERS.responses.keyName);
  if (anthropicKey) return chosenBy("anthropic/claude-sonnet-5-5", PROVIDERS.messages.keyName);
  if (geminiKey) return chosenBy("gemini/gemini-3.8-flash", PROVIDERS.gemini.keyName);
  if (openrouterKey) return chosenBy("openrouter/openai/gpt-5.5", PROVIDERS.openrouter.keyName);
  return bedrockModel(wish);
}

const chosenBy = (model: string, keyName: string): DefaultModel => ({ model, because: `${keyName} is set` });

/** Only where a region and an inference profile of its part of the world are known: data stays there. */
function bedrockModel({ awsCredentials, awsRegion = "" }: ModelWish): DefaultModel | undefined {
  const model = bedrockModelIn(awsRegion);
  if (awsCredentials === undefined || model === undefined) return undefined;
  return { model, because: `there are AWS credentials (${awsCredentials}) and AWS_REGION is set` };
}

/** Undefined: no inference profile is known for the region. */
export function bedrockModelIn(region = ""): string | undefined {
  const profile = PROFILES.find(([regions]) => regions.test(region))?.[1];
  return profile && `bedrock/${profile}.anthropic.claude-sonnet-4-6`;
}

/** docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html */
const PROFILES: [regions: RegExp, profile: string][] = [
  [/^us-(east|west)-\d$/, "us"],
  [/^eu-[a-z]+-\d$/, "eu"],
  [/^ap-northeast-[13]$/, "jp"],
  [/^ap-southeast-[24]$/, "au"],
];

/** `openai/gpt-5.5, because OPENAI_API_KEY is set; --model changes it` */
export const reasonOf = ({ model, because }: Pick<ModelWish, "model" | "because">): string | undefined =>
  because === undefined ? undefined : `${model}, because ${because}; --model changes it`;

export interface LocalServer {
  baseUrl: string;
  models: string[];
}

/** What can be set, and which servers of this computer answer: one of them is the user's choice. */
export function noModelFound({ awsCredentials, awsRegion }: ModelWish, servers: LocalServer[]): UserError {
  const keys = "Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY in the environment";
  const region = awsRegion === undefined ? "Set AWS_REGION" : `No default is known in ${awsRegion}`;
  const bedrock =
    awsCredentials === undefined
      ? "for Amazon Bedrock: AWS credentials and AWS_REGION"
      : `${region}: there are AWS credentials for Amazon Bedrock; or name a model: --model bedrock/…${awsRegion === undefined ? "" : `, such as ${GLOBAL_MODEL}, which may compute in any commercial region, if Bedrock offers it in ${awsRegion}`}`;
  const offers = servers.map(offerOf);
  const others: Remedy[] = [bedrock, { command: "run", args: ["--rehearse"], note: "a demonstration without a model" }];
  const [remedy = keys, ...alternatives] = [...offers, keys, ...others];
  const message = "No model is chosen: no key of a provider is set.";
  return new UserError(message, { exitCode: 3, remedy, alternatives });
}

const offerOf = ({ baseUrl, models }: LocalServer): Remedy => {
  const [model = "", ...others] = models;
  const args = ["<task>", "--base-url", baseUrl, "--model", others.length === 0 ? model : "<model>"];
  const note = others.length === 0 ? "a server of this computer" : `it has ${models.slice(0, 5).join(", ")}`;
  return { command: "run", args, note };
};
