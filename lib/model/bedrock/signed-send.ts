/** Sends requests that the caller's AWS credentials sign, so that no key is needed. */
import { UserError } from "../../core/errors.ts";
import type { Server } from "../refusal.ts";
import type { EventFormat } from "../stream/streaming-send.ts";
import type { OutgoingRequest, Send, Silence } from "../wire.ts";

/** What is signed, and with what is signed for: the headers with which it is sent. */
export type SignRequest = (
  request: Pick<OutgoingRequest, "method" | "headers" | "body"> & { url: URL },
) => Promise<Record<string, string>>;

/** How an adapter asks a server that takes signatures, and what its refusals mean. */
export interface SignedAccess {
  send: Send;
  server: Pick<Server, "refusal">;
  /** The form of its streams. Absent: server-sent events. */
  events?: EventFormat;
}

/** A proxy may change other headers, and a key of another provider does not belong here. */
const SIGNED_HEADERS = ["content-type", "accept"];

export const createSignedSend =
  (send: Send, sign: SignRequest): Send =>
  async (sending) => {
    const { method, body, url } = sending;
    const headers = Object.fromEntries(
      Object.entries(sending.headers).filter(([name]) => SIGNED_HEADERS.includes(name.toLowerCase())),
    );
    try {
      return await send({ ...sending, headers: await sign({ method, headers, body, url: new URL(url) }) });
    } catch (error) {
      return unsigned(error);
    }
  };

function unsigned(error: unknown): Silence {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof UserError && typeof error.remedy === "string" ? ` ${error.remedy}` : "";
  const sentence = remedy === "" || /[.!?]$/.test(message) ? message : `${message}.`;
  return { silence: "unsigned", code: `${sentence}${remedy}`, sent: false };
}
