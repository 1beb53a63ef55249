/** Signs requests to Amazon Bedrock with the role of the function, whose credentials Lambda keeps in the environment. */
import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";

export interface UnsignedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Answers the headers with which the request is sent. */
export function createBedrockSigner(region: string, env: Environment) {
  const signer = new SignatureV4({ service: "bedrock", region, credentials: () => credentialsIn(env), sha256: Sha256 });
  return async ({ method, url, headers, body }: UnsignedRequest): Promise<Record<string, string>> => {
    const { protocol, hostname, pathname: path, host } = url;
    const request = { method, protocol, hostname, path, query: {}, headers: { ...headers, host } };
    const { host: _host, ...signed } = (await signer.sign({ ...request, ...(body === undefined ? {} : { body }) }))
      .headers;
    return signed;
  };
}

/** Lambda sets all three. */
async function credentialsIn({ AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_SESSION_TOKEN }: Environment) {
  const key = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return AWS_SESSION_TOKEN ? { ...key, sessionToken: AWS_SESSION_TOKEN } : key;
}

type Data = string | ArrayBuffer | ArrayBufferView;

/** Node's own SHA-256, with and without a key, as the signer constructs it. */
const Sha256 = function construct(secret?: Data) {
  const hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  return {
    update: (data: Data) => void hash.update(bytesOf(data)),
    digest: async () => new Uint8Array(hash.digest()),
  };
} as unknown as ConstructorParameters<typeof SignatureV4>[0]["sha256"];

function bytesOf(data: Data): Uint8Array {
  if (typeof data === "string") return new TextEncoder().encode(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
