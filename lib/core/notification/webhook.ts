/** The webhook as it is configured: where notifications go, in which form, and what they are signed with. Pure. */
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
  format: z
    .enum(["json", "slack"])
    .optional()
    .describe("The form of the body: `json` (default), signed; or `slack`, for an incoming webhook, unsigned."),
});
export type WebhookTarget = z.infer<typeof WebhookTarget>;

export interface Webhook extends WebhookTarget {
  /** Absent: notifications are not signed. Only for receivers that could not verify it. */
  secret?: string | undefined;
}

/** Slack ignores signatures: its address is the secret. */
export const isSigned = ({ format }: Pick<WebhookTarget, "format">): boolean => format !== "slack";
