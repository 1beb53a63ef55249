/** How an account gets access to a model of Amazon Bedrock: by one call of an administrator, and not by a permission of functions. Pure. */

/** The default model by a profile that many other regions have: it may compute anywhere, so it is no default. */
export const GLOBAL_MODEL = "bedrock/global.anthropic.claude-sonnet-4-6";

const CONSOLES: [regions: RegExp, host: string][] = [
  [/^us-gov-/, "console.amazonaws-us-gov.com"],
  [/^cn-/, "console.amazonaws.cn"],
];

/** Of the region's console. */
export function consolePage(region: string, path: string): string {
  const host = CONSOLES.find(([regions]) => regions.test(region))?.[1] ?? "console.aws.amazon.com";
  return `https://${region}.${host}/${path}`;
}

export const bedrockPage = (region: string, page: string): string =>
  consolePage(region, `bedrock/home?region=${region}#/${page}`);

/** `model`: an id or a profile, also with the prefix of a run's option. */
export function accessRemedy(model: string, region: string): string {
  if (region.startsWith("us-gov-")) return `Request access at ${bedrockPage(region, "modelaccess")}.`;
  const id = model.slice(model.indexOf("/") + 1);
  const form = id.includes("anthropic.")
    ? ` Before that, Anthropic asks each account once for its use case: ${bedrockPage(region, "modelcatalog")}.`
    : "";
  const call = `aws bedrock-runtime converse --region ${region} --model-id ${id} --messages ${HELLO}`;
  return `An administrator, who has aws-marketplace:Subscribe, subscribes the account with a first call (${call}), which takes up to 15 minutes.${form}`;
}

const HELLO = `'[{"role":"user","content":[{"text":"Hello"}]}]'`;
