/** Verifies an AWS Signature Version 4, in the Authorization header or in the query of a presigned URL. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Iam, Principal, WireRequest } from "../parts.ts";
import { canonicalRequest, decoded, partsOf, sha256 } from "./canonical-request.ts";
import { type ProblemKind, problem, type Refusal } from "./signature-problem.ts";

export interface VerifiedRequest {
  principal: Principal;
  /** Of the credential's scope. */
  service: string;
  presigned: boolean;
}

export interface VerificationParts {
  iam: Pick<Iam, "find"> & { isExpired?(accessKeyId: string): boolean };
  region: string;
  /** Those that listen here. */
  services: readonly string[];
  /** In milliseconds. */
  now: number;
}

export function verify(request: WireRequest, verifying: VerificationParts): VerifiedRequest | Refusal {
  const claim = claimOf(request, verifying);
  if ("kind" in claim) return problem(claim.service, claim.kind);
  const { service } = claim;
  const refuse = (kind: ProblemKind, detail?: string) => problem(service, kind, detail);
  if (!verifying.services.includes(service) || claim.region !== verifying.region || claim.terminator !== "aws4_request")
    return refuse("wrong scope", `; the request is scoped to ${claim.region}/${service}`);
  const late = untimely(claim, verifying.now);
  if (late) return refuse(late.kind, service === "s3" ? "" : late.detail);
  const principal = verifying.iam.find(claim.accessKeyId);
  if (!principal) return refuse("unknown key");
  if (verifying.iam.isExpired?.(claim.accessKeyId)) return refuse("expired token");
  if (claim.token !== principal.credentials.sessionToken) return refuse("wrong token");
  const unsigned = mustBeSigned(request).find((name) => !claim.signedHeaders.includes(name));
  if (unsigned !== undefined) return refuse("not signed", `: ${unsigned}`);
  const unsent = claim.signedHeaders.find((name) => request.headers[name] === undefined);
  if (unsent !== undefined && service !== "s3") return refuse("not sent", `: ${unsent}`);
  const payloadHash = hashOf(request, claim);
  if (payloadHash === undefined) return refuse("wrong hash");
  const { signedHeaders } = claim;
  const canonical = canonicalRequest({ request, service, signedHeaders, payloadHash });
  const toSign = ["AWS4-HMAC-SHA256", claim.date, claim.scope, sha256(canonical)].join("\n");
  const expected = createHmac("sha256", keyOf(principal.credentials.secretAccessKey, claim)).update(toSign).digest();
  const given = Buffer.from(claim.signature, "hex");
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  return isRight ? { principal, service, presigned: claim.expires !== undefined } : refuse("mismatch");
}

interface Claim {
  accessKeyId: string;
  scope: string;
  day: string;
  region: string;
  service: string;
  terminator: string;
  /** As YYYYMMDDTHHMMSSZ. */
  date: string;
  signedHeaders: string[];
  signature: string;
  token: string | undefined;
  /** Of a presigned URL, in seconds. */
  expires?: number;
  /** Of a presigned URL. */
  queryHash?: string;
}

type MissingClaim = { kind: "unsigned" | "malformed"; service: string };

function claimOf({ headers, target }: WireRequest, { services }: VerificationParts): Claim | MissingClaim {
  const query = new Map(partsOf(target).query);
  if (query.has("X-Amz-Algorithm")) return presignedClaim(query);
  const { authorization } = headers;
  // A request without a scope names no service. Where several listen, S3 is the one that knows such requests.
  const [only = "", ...others] = services;
  const otherwise = others.length === 0 ? only : headers["x-amz-target"] === undefined ? "s3" : "";
  if (authorization === undefined) return { kind: "unsigned", service: otherwise };
  const fields = new Map(
    authorization
      .replace(/^AWS4-HMAC-SHA256\s+/, "")
      .split(/,\s*/)
      .map((field): [string, string] => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]),
  );
  if (!authorization.startsWith("AWS4-HMAC-SHA256 ")) return { kind: "malformed", service: otherwise };
  return complete({
    credential: fields.get("Credential"),
    date: headers["x-amz-date"],
    signedHeaders: fields.get("SignedHeaders"),
    signature: fields.get("Signature"),
    token: headers["x-amz-security-token"],
  });
}

function presignedClaim(query: Map<string, string>): Claim | MissingClaim {
  const claim = complete({
    credential: query.get("X-Amz-Credential"),
    date: query.get("X-Amz-Date"),
    signedHeaders: query.get("X-Amz-SignedHeaders"),
    signature: query.get("X-Amz-Signature"),
    token: query.get("X-Amz-Security-Token"),
  });
  if ("kind" in claim) return claim;
  const expires = Number(query.get("X-Amz-Expires"));
  const isHonest = Number.isInteger(expires) && expires >= 1 && expires <= WEEK_SECONDS;
  if (!isHonest || query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256")
    return { kind: "malformed", service: claim.service };
  const queryHash = query.get("X-Amz-Content-Sha256");
  return { ...claim, expires, ...(queryHash === undefined ? {} : { queryHash }) };
}

const WEEK_SECONDS = 7 * 24 * 3_600;

type Written = Record<"credential" | "date" | "signedHeaders" | "signature" | "token", string | undefined>;

function complete({ credential, date, signedHeaders, signature, token }: Written): Claim | MissingClaim {
  const [accessKeyId = "", ...scope] = decoded(credential ?? "").split("/");
  const [day = "", region = "", service = "", terminator = ""] = scope;
  const isWhole =
    scope.length === 4 && DATE.test(date ?? "") && /^[0-9a-f]{64}$/.test(signature ?? "") && signedHeaders;
  if (!isWhole) return { kind: "malformed", service };
  return {
    ...{ accessKeyId, scope: scope.join("/"), day, region, service, terminator },
    ...{ date: date ?? "", signedHeaders: signedHeaders.split(";"), signature: signature ?? "", token },
  };
}

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const SKEW_MS = 15 * 60_000;

function untimely({ date, day, expires }: Claim, now: number): { kind: ProblemKind; detail: string } | undefined {
  const signed = Date.parse(date.replace(DATE, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(signed) || !date.startsWith(day)) return { kind: "malformed", detail: "" };
  const until = signed + (expires === undefined ? SKEW_MS : expires * 1_000);
  if (now > until) {
    const kind = expires === undefined ? "expired" : "link expired";
    return { kind, detail: `${date} is now earlier than ${written(now - (until - signed))}` };
  }
  if (signed > now + SKEW_MS)
    return { kind: "too early", detail: `${date} is still later than ${written(now + SKEW_MS)}` };
  return undefined;
}

const written = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

/** Whatever AWS decides by must be what the signer has seen. */
const mustBeSigned = ({ headers }: WireRequest): string[] => [
  "host",
  ...Object.keys(headers).filter((name) => name.startsWith("x-amz-")),
];

const UNSIGNED = "UNSIGNED-PAYLOAD";
/** What S3 takes in the place of a hash; what is signed piece by piece is not played. */
const IN_PLACE_OF_A_HASH = new Set([UNSIGNED, "STREAMING-UNSIGNED-PAYLOAD-TRAILER"]);

/** Undefined: it is not the hash of this body, or S3 got none. */
function hashOf({ headers, body }: WireRequest, { service, expires, queryHash }: Claim): string | undefined {
  const given = headers["x-amz-content-sha256"] ?? queryHash;
  if (service === "s3") {
    if (given === undefined) return expires === undefined ? undefined : UNSIGNED;
    if (IN_PLACE_OF_A_HASH.has(given)) return given;
  }
  const hash = sha256(body);
  return given === undefined || given === hash ? hash : undefined;
}

const keys = new Map<string, Buffer>();

/** Kept: it is the same for a day. */
function keyOf(secret: string, { day, region, service, terminator }: Claim): Buffer {
  const name = JSON.stringify([secret, day, region, service]);
  const scope = [day, region, service, terminator];
  const key =
    keys.get(name) ??
    scope.reduce((made, part) => createHmac("sha256", made).update(part).digest(), Buffer.from(`AWS4${secret}`));
  keys.set(name, key);
  return key;
}
