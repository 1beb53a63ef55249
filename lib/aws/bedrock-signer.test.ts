import { expect, it } from "vitest";
import { verify } from "../../packages/aws-rehearsal/sigv4/sigv4.ts";
import { createBedrockSigner } from "./bedrock-signer.ts";

const env = {
  AWS_ACCESS_KEY_ID: "ASIATESTKEYOFNOBODY1",
  AWS_SECRET_ACCESS_KEY: "a-secret/with+characters",
  AWS_SESSION_TOKEN: "a-session-token==",
};

it("signs as an independent reader of the specification checks it, session token and all", async () => {
  const url = new URL("https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.anthropic.claude-v1%3A0/converse");
  const headers = { "content-type": "application/json" };
  const body = '{"messages":[]}';
  const sent = await createBedrockSigner("eu-west-1", env)({ method: "POST", url, headers, body });
  expect(sent).not.toHaveProperty("host");
  expect(sent["x-amz-security-token"]).toBe(env.AWS_SESSION_TOKEN);
  const credentials = {
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    sessionToken: env.AWS_SESSION_TOKEN,
  };
  const known = { name: "role", arn: "arn:aws:iam::1:role/execute", credentials, policies: [] };
  const iam = { find: (id: string) => (id === env.AWS_ACCESS_KEY_ID ? known : undefined) };
  const request = {
    method: "POST",
    target: url.pathname,
    headers: { ...sent, host: url.host },
    body: Buffer.from(body),
  };
  const checked = { iam: iam as never, region: "eu-west-1", services: ["bedrock"], now: Date.now() };
  expect(await verify(request as never, checked)).toMatchObject({ service: "bedrock" });
});
