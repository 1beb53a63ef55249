/** How a model is asked, in words: the protocol, and how it calls tools. Pure. */
import type { Api, Convention, ModelProfile } from "../../core/turn/model-profile.ts";

const PROTOCOLS: Record<Api, string> = {
  responses: "Responses API",
  messages: "Messages API",
  converse: "Converse API",
  "bedrock-chat": "Chat Completions, signed",
  gemini: "Chat Completions",
  openrouter: "Chat Completions",
};

const CALLS: Record<Convention, string> = {
  native: "native calls",
  schema: "calls by JSON schema",
  json: "calls as JSON text",
};

export const protocolWords = ({ api, convention }: Pick<ModelProfile, "api" | "convention">): string =>
  `${api ? PROTOCOLS[api] : "Chat Completions"}, ${CALLS[convention]}`;
