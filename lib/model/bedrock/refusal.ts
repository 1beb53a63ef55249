/** What Bedrock's refusals mean, by the names that AWS documents, and what to do about each. Pure. */
import type { ModelErrorKind } from "../../core/errors.ts";
import { accessRemedy, bedrockPage, consolePage } from "../../core/text/bedrock-access.ts";
import type { ErrorBody } from "../error-body.ts";
import type { Reply } from "../wire.ts";

export interface Refusal {
  kind: ModelErrorKind;
  /** Begins with a space. */
  hint: string;
}

interface Rule {
  /** The name of the error. */
  name?: RegExp;
  /** In its words, which are in lower case. */
  words?: RegExp;
  kind: ModelErrorKind;
  hint: (place: Place) => string;
}

interface Place {
  region: string;
  model: string;
}

const quotas = (region: string): string => consolePage(region, "servicequotas/home/services/bedrock/quotas");

const subscribing = ({ region, model }: Place): string => ` ${accessRemedy(model, region)} Then resume the run.`;

const raising = ({ region }: Place): string => ` Request a higher quota (${quotas(region)}), then resume the run.`;

const SIGN_IN = "sign in again (aws sso login, or aws configure), then resume the run";

/** The first that fits counts. */
const RULES: Rule[] = [
  {
    name: /^expiredtoken/,
    kind: "credentials",
    hint: () => ` The AWS credentials have expired: ${SIGN_IN}.`,
  },
  {
    name: /^(unrecognizedclient|invalidsignature|missingauthenticationtoken|incompletesignature|invalidclienttokenid)/,
    kind: "credentials",
    hint: () => ` The AWS credentials are not valid there: ${SIGN_IN}.`,
  },
  // An account without a subscription is refused in words that look like a missing permission.
  { words: /aws-marketplace:/, kind: "credentials", hint: subscribing },
  {
    words: /service control policy/,
    kind: "credentials",
    hint: ({ region, model }) =>
      ` A service control policy of the organization denies ${model} in ${region}, or in a Region to which its profile sends requests. Have these Regions allowed, or choose a model or profile of other Regions with --model; then resume the run.`,
  },
  {
    words: /not authorized to perform|explicit deny|no identity-based policy/,
    kind: "credentials",
    hint: ({ model }) =>
      ` Allow bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream on ${model} in IAM, then resume the run.`,
  },
  { name: /^accessdenied/, kind: "credentials", hint: subscribing },
  {
    words: /use case details/,
    kind: "credentials",
    hint: ({ region }) => ` Fill in the form at ${bedrockPage(region, "modelcatalog")}, then resume the run.`,
  },
  {
    words: /on-demand throughput/,
    kind: "unknown_model",
    hint: ({ region, model }) =>
      ` The model needs an inference profile: give --model bedrock/${geographyOf(region)}.${model}, or bedrock/global.${model}.`,
  },
  {
    words: /support tool use|support tools|tool use is not supported/,
    kind: "refused",
    hint: () => " The model cannot call tools through Converse: choose another with --model.",
  },
  { name: /^servicequotaexceeded/, kind: "quota", hint: raising },
  // It is full again the next day at the earliest, and new accounts have little of it.
  { name: /^throttling|^toomanyrequests/, words: /per day/, kind: "quota", hint: raising },
  {
    name: /^throttling|^toomanyrequests/,
    kind: "rate_limited",
    hint: ({ region }) => ` All runs of the account share this limit; it can be raised at ${quotas(region)}.`,
  },
  { name: /^modelnotready/, kind: "unavailable", hint: () => " The model is still being loaded." },
  {
    name: /^modeltimeout/,
    kind: "timed_out",
    hint: () => " The model took longer than Bedrock waits; resume the run, with a faster model if it happens again.",
  },
  { name: /^modelerror|^modelstreamerror|^serviceunavailable|^internalserver/, kind: "unavailable", hint: () => "" },
  {
    name: /^resourcenotfound/,
    kind: "unknown_model",
    hint: ({ region, model }) => unknownModel(region, model),
  },
  {
    words: /model identifier is invalid|end of its life|no longer available/,
    kind: "unknown_model",
    hint: ({ region, model }) => unknownModel(region, model),
  },
];

const unknownModel = (region: string, model: string): string =>
  ` Check the model (${model}) and the region: aws bedrock list-inference-profiles --region ${region} lists what there is.`;

/** Undefined: the reply means what it means for every server. */
export function readBedrockRefusal(reply: Reply, { message, words }: ErrorBody, place: Place): Refusal | undefined {
  const name = errorName(reply, words);
  const text = `${message.toLowerCase()} ${words}`;
  const rule = RULES.find((each) => (each.name ?? ANY).test(name) && (each.words ?? ANY).test(text));
  return rule && { kind: rule.kind, hint: rule.hint(place) };
}

const ANY = /^/;

/** `ThrottlingException:http://internal.amazon.com/…` in a header, or `com.amazon…#ThrottlingException` in the body. */
function errorName({ headers }: Reply, words: string): string {
  const named = headers["x-amzn-errortype"] ?? /"(?:__type|code)":"([^"]*)"/.exec(words)?.[1] ?? "";
  const [kind = ""] = named.split(":", 1);
  return kind.slice(kind.lastIndexOf("#") + 1).toLowerCase();
}

/** Of the inference profiles that keep a request in the part of the world that the region is in. */
function geographyOf(region: string): string {
  const [part = ""] = region.split("-");
  if (region.startsWith("us-gov-")) return "us-gov";
  if (/^ap-northeast-[13]/.test(region)) return "jp";
  if (/^ap-southeast-[24]/.test(region)) return "au";
  return GEOGRAPHIES[part] ?? "us";
}

const GEOGRAPHIES: Record<string, string> = { us: "us", eu: "eu", ap: "apac", ca: "us" };
