/** The result of a question to AWS: a value, or the reason of the refusal with what to do about it. */
export type AwsResult<Value> = { value: Value } | { refusal: Refusal };

export interface Refusal {
  reason: string;
  remedy: string;
}

export async function askAws<Value>(ask: () => Promise<Value>): Promise<AwsResult<Value>> {
  try {
    return { value: await ask() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

const SIGN_IN =
  "Sign in (aws sso login, or aws configure), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (deploy, destroy and doctor take --profile NAME too).";

const REFUSALS: { names: RegExp; reason: string; remedy: string }[] = [
  {
    names: /Region is missing|Region not accepted/i,
    reason: "no region is set",
    remedy: "Set AWS_REGION, to eu-west-1 for example (deploy, destroy and doctor take --region R too).",
  },
  { names: /Expired/, reason: "the credentials have expired", remedy: "Sign in again (aws sso login)." },
  {
    names: /InvalidClientTokenId|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|AuthFailure/,
    reason: "AWS does not accept the credentials",
    remedy: SIGN_IN,
  },
  {
    names: /CredentialsProviderError|Could not load credentials|ProviderError|profile .* (could not|not) .*found/i,
    reason: "no credentials were found",
    remedy: SIGN_IN,
  },
  {
    names: /Throttl|TooManyRequests|Rate exceeded|SlowDown/i,
    reason: "AWS throttles",
    remedy: "Try again in a minute.",
  },
  {
    names: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|TimeoutError|ECONNRESET|ETIMEDOUT/,
    reason: "AWS cannot be reached",
    remedy: "Is there a network, and is the region's name right?",
  },
];

/** Matches name and message: the SDK's errors share no other mark. Pure. */
export function refusalOf(error: unknown): Refusal {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  const first = (message.split("\n", 1)[0] ?? "").replace(/(?<!\.)\.+$/, "");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = REFUSALS.find(({ names }) => names.test(`${name} ${code} ${message}`));
  if (known) return { reason: `${known.reason}${first ? ` (${first})` : ""}`, remedy: known.remedy };
  const denied = /AccessDenied|not authorized/i.test(`${name} ${message}`);
  return {
    reason: first || name || "AWS answered with an error without a message",
    remedy: denied ? "Ask for this permission; docs/deploy.md lists all that are needed." : "Try again.",
  };
}

/** Whether the error only says that the resource does not exist. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  (/NotFound|NoSuch/.test(error.name) || (error.name === "ValidationError" && /does not exist/.test(error.message)));
