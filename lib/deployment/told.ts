/** What AWS told, or why it told nothing, with what to do about it. */
export type Told<Fact> = { told: Fact } | { refusal: Refusal };

export interface Refusal {
  says: string;
  remedy: string;
}

export async function asking<Fact>(ask: () => Promise<Fact>): Promise<Told<Fact>> {
  try {
    return { told: await ask() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

const SIGN_IN =
  "Sign in (aws sso login, or aws configure), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (deploy, destroy and doctor take --profile NAME too).";

const REFUSALS: { names: RegExp; says: string; remedy: string }[] = [
  {
    names: /Region is missing|Region not accepted/i,
    says: "no region is set",
    remedy: "Set AWS_REGION, to eu-west-1 for example (deploy, destroy and doctor take --region R too).",
  },
  { names: /Expired/, says: "the credentials have expired", remedy: "Sign in again (aws sso login)." },
  {
    names: /InvalidClientTokenId|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|AuthFailure/,
    says: "AWS does not accept the credentials",
    remedy: SIGN_IN,
  },
  {
    names: /CredentialsProviderError|Could not load credentials|ProviderError|profile .* (could not|not) .*found/i,
    says: "no credentials were found",
    remedy: SIGN_IN,
  },
  { names: /Throttl|TooManyRequests|Rate exceeded|SlowDown/i, says: "AWS throttles", remedy: "Try again in a minute." },
  {
    names: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|TimeoutError|ECONNRESET|ETIMEDOUT/,
    says: "AWS cannot be reached",
    remedy: "Is there a network, and is the region's name right?",
  },
];

/** By its name and words: the SDK's errors have no other mark that all of them share. Pure. */
export function refusalOf(error: unknown): Refusal {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  const first = (message.split("\n", 1)[0] ?? "").replace(/\.+$/, "");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = REFUSALS.find(({ names }) => names.test(`${name} ${code} ${message}`));
  if (known) return { says: `${known.says}${first ? ` (${first})` : ""}`, remedy: known.remedy };
  const denied = /AccessDenied|not authorized/i.test(`${name} ${message}`);
  return {
    says: first || name || "AWS answers with an error that says nothing",
    remedy: denied ? "Ask for this permission; docs/deploy.md lists all that are needed." : "Try again.",
  };
}

/** Whether it is only that the thing is not there. */
export const saysAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  (/NotFound|NoSuch/.test(error.name) || (error.name === "ValidationError" && /does not exist/.test(error.message)));
