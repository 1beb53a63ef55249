/** The webhook as it is configured: where notifications go, and what they are signed with. Pure. */
import * as z from "zod";

/** What a signature is worth hangs on it. */
export const SECRET_CHARS = 16;

export const WebhookTarget = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "expected an address, https://… (http:// for loopback only)" })
    .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), "expected an address without a user and a password")
    .describe("Where notifications are sent: https://…, or http:// on loopback, where that is allowed."),
  allowPrivate: z
    .boolean()
    .optional()
    .describe("Whether it may be a loopback or private address. Link-local ones are refused always."),
});
export type WebhookTarget = z.infer<typeof WebhookTarget>;

export interface Webhook extends WebhookTarget {
  secret: string;
}
