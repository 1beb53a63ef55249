/** AWS's errors for invalid signatures: those of S3, and those of the other services. Pure. */

export interface Problem {
  status: number;
  code: string;
  message: string;
}

/** With the service whose words these are. */
export interface Refusal extends Problem {
  service: string;
}

const KINDS = [
  ...["unsigned", "malformed", "unknown key", "expired token", "wrong token", "expired", "too early", "link expired"],
  ...["wrong scope", "not signed", "not sent", "wrong hash", "mismatch"],
] as const;
export type ProblemKind = (typeof KINDS)[number];

/** `detail`: what this one is about, where its message says so. */
export function problem(service: string, kind: ProblemKind, detail = ""): Refusal {
  const [s3, others] = WORDS[kind];
  if (service === "s3") return { service, status: s3[0], code: s3[1], message: `${s3[2]}${detail}` };
  return { service, status: statusOf(service), code: others[0], message: `${others[1]}${detail}` };
}

/** The protocols that put the error's name into the body say 400. */
const statusOf = (service: string): number => (service === "lambda" || service === "execute-api" ? 403 : 400);

const SIGNATURE =
  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.";
const TOKEN = "The security token included in the request is invalid.";

type Words = [s3: [status: number, code: string, message: string], others: [code: string, message: string]];

const WORDS: Record<ProblemKind, Words> = {
  unsigned: [
    [403, "AccessDenied", "Access Denial"],
    ["MissingAuthenticationTokenException", "Missing Authentication Token"],
  ],
  malformed: [
    [400, "AuthorizationHeaderMalformed", "The authorization header is malformed"],
    ["IncompleteSignatureException", "The request's authorization is malformed"],
  ],
  "unknown key": [
    [403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."],
    ["UnrecognizedClientException", TOKEN],
  ],
  "expired token": [
    [400, "ExpiredToken", "The provided token has expired."],
    ["ExpiredTokenException", "The security token included in the request is expired"],
  ],
  "wrong token": [
    [400, "InvalidToken", "The provided token is malformed or otherwise invalid."],
    ["UnrecognizedClientException", TOKEN],
  ],
  expired: [
    [403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large."],
    ["InvalidSignatureException", "Signature expired: "],
  ],
  "too early": [
    [403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large."],
    ["InvalidSignatureException", "Signature not yet current: "],
  ],
  "link expired": [
    [403, "AccessDenied", "Request has expired"],
    ["InvalidSignatureException", "Signature expired: "],
  ],
  "wrong scope": [
    [400, "AuthorizationHeaderMalformed", "The authorization header is malformed"],
    ["InvalidSignatureException", "Credential should be scoped to what is asked"],
  ],
  "not sent": [
    [403, "AccessDenied", "There were headers signed which are not present in the request"],
    ["IncompleteSignatureException", "A header is named as a SignedHeader, but it does not exist in the HTTP request"],
  ],
  "not signed": [
    [403, "AccessDenied", "There were headers present in the request which were not signed"],
    ["InvalidSignatureException", "Headers that must be signed are not"],
  ],
  "wrong hash": [
    [400, "XAmzContentSHA256Mismatch", "The provided 'x-amz-content-sha256' header does not match what was computed."],
    ["InvalidSignatureException", SIGNATURE],
  ],
  mismatch: [
    [403, "SignatureDoesNotMatch", SIGNATURE],
    ["InvalidSignatureException", SIGNATURE],
  ],
};
