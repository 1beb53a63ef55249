/** A DSSE envelope: a statement with its signatures. What is signed are its type and bytes, not its JSON. Pure. */
import * as z from "zod";
import { fromBase64, toBase64 } from "../base64.ts";
import { canonicalJson } from "../text/canonical-json.ts";

export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** The signature of a key that `keyid` names: the SHA-256 of its public half as DER. */
export const EnvelopeSignature = z.object({ keyid: z.string(), sig: z.string().describe("In base64.") });
export type EnvelopeSignature = z.infer<typeof EnvelopeSignature>;

/** Each is checked, and this program writes one. */
const SIGNATURES = 16;

export const Envelope = z.object({
  payloadType: z.string(),
  payload: z.string().describe("The statement, in base64."),
  /** Empty: it was not signed. */
  signatures: z.array(EnvelopeSignature).max(SIGNATURES),
});
export type Envelope = z.infer<typeof Envelope>;

const encoder = new TextEncoder();

/** The bytes of a statement as they are signed and stored: the same statement has the same bytes. */
export const payloadOf = (statement: object): Uint8Array => encoder.encode(canonicalJson(statement));

export const envelopeOf = (payload: Uint8Array, signatures: EnvelopeSignature[]): Envelope => ({
  payloadType: PAYLOAD_TYPE,
  payload: toBase64(payload),
  signatures,
});

/** What is signed: DSSE's pre-authentication encoding. */
export function signedBytes(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = encoder.encode(payloadType);
  const head = encoder.encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** Throws if it is not base64. */
export const payloadIn = ({ payload }: Envelope): Uint8Array => fromBase64(payload);
