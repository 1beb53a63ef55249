/** The models of Amazon Bedrock that a stack may call: which they are, and what must be allowed for each. Pure. */
import { modelList } from "../core/turn/model-list.ts";
import type { CloudConfig } from "./config.ts";

/** As a submission names them: a model id, or an inference profile, which has its part of the world before it. */
export const BEDROCK_MODEL = /^bedrock(?:-openai)?\/[a-z0-9][\w.:-]{2,120}$/;

/**
 * Names every model, and the default one. `own`: the model of the deployment's Region; it is taken where the
 * configuration names neither a server nor models, so that a stack computes without a key.
 */
export function withBedrock<Config extends Pick<CloudConfig, "bedrockModels" | "model" | "baseUrl">>(
  config: Config,
  own: string | undefined,
): Config & { bedrockModels: string[] } {
  if (config.baseUrl !== undefined) return { ...config, bedrockModels: [] };
  const named = (config.model === undefined ? [] : (modelList(config.model) ?? [])).filter((name) =>
    BEDROCK_MODEL.test(name),
  );
  const models = config.bedrockModels ?? (own === undefined || config.model !== undefined ? [] : [own]);
  const bedrockModels = [...new Set([...named, ...models])];
  const model = config.model ?? bedrockModels[0];
  return { ...config, ...(model === undefined ? {} : { model }), bedrockModels };
}

/** The Regions to which the profiles of a part of the world send requests: those of `us` that Canada calls stay there, too. */
const PARTS: Record<string, string[]> = {
  us: ["us-*", "ca-*"],
  "us-gov": ["us-gov-*"],
  eu: ["eu-*"],
  apac: ["ap-*"],
  jp: ["ap-northeast-*"],
  au: ["ap-southeast-*"],
  ca: ["ca-*", "us-*"],
  // A global profile is checked once more without a Region.
  global: ["*", ""],
};

interface BedrockName {
  /** Absent: a model of the Region itself. */
  profile?: string;
  regions: string[];
  foundation: string;
}

function parse(name: string): BedrockName {
  const id = name.slice(name.indexOf("/") + 1);
  const [part = ""] = id.split(".", 1);
  const regions = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  return regions ? { profile: id, regions, foundation: id.slice(part.length + 1) } : { regions: [], foundation: id };
}

/** The id of the model behind a profile. */
export const foundationModelOf = (name: string): string => parse(name).foundation;

export interface ArnParts {
  partition: string;
  region: string;
  account: string;
}

/** A call by a profile needs the profile, and its model in every Region that the profile may choose. */
export function bedrockArns(name: string, { partition, region, account }: ArnParts): string[] {
  const { profile, regions, foundation } = parse(name);
  const model = (where: string): string => `arn:${partition}:bedrock:${where}::foundation-model/${foundation}`;
  if (profile === undefined) return [model(region)];
  return [`arn:${partition}:bedrock:${region}:${account}:inference-profile/${profile}`, ...regions.map(model)];
}
