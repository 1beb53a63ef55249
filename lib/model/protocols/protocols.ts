/** The protocols of providers, by name. Pure. */
import type { Api } from "../../core/turn/model-profile.ts";
import { messagesApi } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses.ts";

export const protocols: Record<Api, Protocol> = { responses, messages: messagesApi };
