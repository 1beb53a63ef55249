/** Signs requests to API Gateway and Bedrock with the caller's AWS credentials (Signature Version 4). */
import type { SignatureV4 } from "@smithy/signature-v4";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface Unsigned {
  method: string;
  /** With the query in it, encoded as `withQuery` does. */
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Answers the headers with which the request is sent. */
export type Signer = (request: Unsigned) => Promise<Record<string, string>>;

export interface SignerParts {
  credentials: () => Promise<Credentials>;
  region: string;
  service?: "execute-api" | "bedrock" | "ec2";
  now: () => number;
}

export function createSigner({ credentials, region, service = "execute-api", now }: SignerParts): Signer {
  // Late: nothing is signed on the way to the runs of this computer.
  let opening: Promise<SignatureV4> | undefined;
  const open = async (): Promise<SignatureV4> => {
    const [smithy, { Hash }] = await Promise.all([import("@smithy/signature-v4"), import("@smithy/core/serde")]);
    return new smithy.SignatureV4({ service, region, credentials, sha256: Hash.bind(null, "sha256") });
  };
  return async ({ method, url, headers, body }) => {
    opening ??= open();
    const signer = await opening;
    const { host: _host, ...signed } = (
      await signer.sign(
        {
          method,
          protocol: url.protocol,
          hostname: url.hostname,
          path: url.pathname,
          query: queryOf(url),
          headers: { ...headers, host: url.host },
          ...(body === undefined ? {} : { body }),
        },
        { signingDate: new Date(now()) },
      )
    ).headers;
    return signed;
  };
}

const queryOf = ({ searchParams }: URL): Record<string, string> => Object.fromEntries(searchParams);

export type Query = Record<string, string | number | undefined>;

/** Only what RFC 3986 leaves unreserved stays as it is: a signature is over exactly these characters. */
export function withQuery(base: string, query: Query = {}): URL {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${escaped(name)}=${escaped(String(value))}`],
  );
  return new URL(pairs.length > 0 ? `${base}?${pairs.join("&")}` : base);
}

const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
