/** Opens a model of Amazon Bedrock: by Converse, or by the Chat Completions that Bedrock speaks itself. */
import { UserError } from "../../core/errors.ts";
import type { Model } from "../../core/ports.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { sendWithLongTimeout } from "../long-timeout-fetch.ts";
import { createOpenAiModel } from "../openai.ts";
import { converse } from "../protocols/converse.ts";
import { createProtocolModel, providerName } from "../protocols/protocol.ts";
import type { EventFormat } from "../stream/streaming-send.ts";
import { createFetchSend } from "../wire.ts";
import { createFrameReader } from "./frame-reader.ts";
import { readBedrockRefusal } from "./refusal.ts";
import { createSignedSend, type SignedAccess, type SignRequest } from "./signed-send.ts";

/** Signs for one region. */
export type SignerFor = (region: string) => Promise<SignRequest>;

export interface BedrockAccess {
  region: string;
  /** Absent: Bedrock's own of that region. */
  endpoint?: string | undefined;
  signerFor: SignerFor | undefined;
  fetch?: typeof globalThis.fetch;
}

/** Part of a host name, so that nothing else may be in it. */
const REGION = /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/;

const FRAMES: EventFormat = { contentType: "application/vnd.amazon.eventstream", createReader: createFrameReader };

const serverIn = (region: string): string =>
  `https://bedrock-runtime.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;

/** Requests carry a session token, so plain HTTP goes no further than this computer. */
function checkedEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint);
  const isOwn = url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || isOwn) return endpoint.replace(/(?<!\/)\/+$/, "");
  throw new UserError(`AWS_ENDPOINT_URL_BEDROCK_RUNTIME is no https address: ${endpoint.slice(0, 100)}`, {
    exitCode: 3,
    remedy: "Set it to https://…, or unset it.",
  });
}

export async function openBedrock(
  profile: ModelProfile,
  { region, endpoint, signerFor, fetch }: BedrockAccess,
): Promise<Model> {
  if (!signerFor) throw new UserError("Models of Amazon Bedrock run on your own computer only.", { exitCode: 3 });
  if (!REGION.test(region)) {
    throw new UserError(`AWS_REGION is not a region: ${region.slice(0, 60)}`, {
      exitCode: 3,
      remedy: "Set it to us-east-1, for example.",
    });
  }
  const model = providerName(profile);
  const signed: SignedAccess = {
    send: createSignedSend(fetch ? createFetchSend(fetch) : sendWithLongTimeout, await signerFor(region)),
    server: { refusal: (reply, errorBody) => readBedrockRefusal(reply, errorBody, { region, model }) },
  };
  const server = endpoint === undefined ? serverIn(region) : checkedEndpoint(endpoint);
  if (profile.api === "converse") {
    // A colon in the name is part of what is signed, encoded as it is sent.
    const access = { profile, baseUrl: `${server}/model/${encodeURIComponent(model)}` };
    return createProtocolModel(converse, { ...access, signed: { ...signed, events: FRAMES } });
  }
  return createOpenAiModel({ profile: { ...profile, model }, baseUrl: `${server}/openai/v1`, signed });
}
