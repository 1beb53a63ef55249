/** Signs requests to Amazon Bedrock with the role of the function, whose credentials Lambda keeps in the environment. */
import { Hash } from "@smithy/core/serde";
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
  const credentials = () => credentialsIn(env);
  const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Hash.bind(null, "sha256") });
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
