/** Errors of AWS: which ones can be retried, and which ones the user can fix. */
import { Denied, UserError } from "../core/errors.ts";
import { oneLine } from "../core/text/cut.ts";

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

export const statusOf = (error: unknown): number => Number(at(at(error, "$metadata"), "httpStatusCode") ?? 0);

/** Throttled, failed in the service, or not answered: the same request may succeed shortly. */
export const passes = (error: unknown): boolean =>
  THROTTLED.has(nameOf(error)) || statusOf(error) >= 500 || isUnanswered(error);

/** Unknown whether the request was executed. */
export const isUnanswered = (error: unknown): boolean =>
  UNANSWERED.has(nameOf(error)) || UNANSWERED.has(String(at(error, "code") ?? ""));

/** Turns errors that the user can fix into user errors; others pass unchanged. `what`: "the table l2mac". */
export function explain(error: unknown, what: string): unknown {
  const explanation = EXPLANATIONS.find(({ names }) => names.has(nameOf(error)));
  if (!explanation) return error;
  const { happened, remedy, isDenial } = explanation;
  const message = error instanceof Error ? error.message : "";
  const said = oneLine(`${nameOf(error)}: ${message}`, SAID_CHARS);
  const Thrown = isDenial ? Denied : UserError;
  return new Thrown(`${happened}${deniedIn(message)} (${what}). ${said}`, { exitCode: 3, remedy, cause: error });
}

/** Comes first, since errors in the state machine are cut, and role names are long. */
function deniedIn(message: string): string {
  const action = /not authorized to perform: ([\w-]+:\w+)/.exec(message)?.[1];
  return action === undefined ? "" : `: ${action}`;
}

export async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error, what);
  }
}

const SAID_CHARS = 300;

const THROTTLED = new Set([
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "ProvisionedThroughputExceededException",
  "SlowDown",
]);

const UNANSWERED = new Set([
  "TimeoutError",
  "RequestTimeout",
  "RequestTimeoutException",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

interface Explanation {
  names: Set<string>;
  happened: string;
  remedy: string;
  isDenial?: true;
}

const EXPLANATIONS: Explanation[] = [
  {
    names: new Set(["ExpiredTokenException", "ExpiredToken", "TokenRefreshRequired"]),
    happened: "The AWS credentials have expired",
    remedy: "Renew them (aws sso login, or a new session token); then resume the run: nothing that was stored is lost.",
  },
  {
    names: new Set([
      "CredentialsProviderError",
      "UnrecognizedClientException",
      "InvalidClientTokenId",
      "InvalidAccessKeyId",
      "MissingAuthenticationToken",
      "MissingAuthenticationTokenException",
    ]),
    happened: "AWS knows no such credentials",
    remedy: "Set credentials of this account: AWS_PROFILE, or aws configure.",
  },
  {
    names: new Set(["InvalidSignatureException", "SignatureDoesNotMatch", "RequestTimeTooSkewed"]),
    happened: "AWS does not take the signature of this computer",
    remedy: "Set the computer's clock and check the secret key.",
  },
  {
    names: new Set(["AccessDenied", "AccessDeniedException", "AllAccessDisabled"]),
    happened: "AWS does not allow this role what the machine needs",
    remedy: "Deploy the stack again; if policies of your own are in force, let them allow what is named here.",
    isDenial: true,
  },
  {
    names: new Set(["ResourceNotFoundException", "NoSuchBucket", "StateMachineDoesNotExist"]),
    happened: "Something that the stack needs is not there",
    remedy: "Check account and region; deploy the stack again if it was removed.",
  },
];

const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined;
