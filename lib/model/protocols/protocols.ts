/** The protocols of providers, by name. Pure. */
import type { Api } from "../../core/turn/model-profile.ts";
import { converse } from "./converse.ts";
import { messagesApi } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses.ts";

export const protocols: Record<Exclude<Api, "bedrock-chat" | "gemini" | "openrouter">, Protocol> = {
  responses,
  messages: messagesApi,
  converse,
};
