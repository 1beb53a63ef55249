/** The webhook of this computer: its address from the configuration files, its secret from there or the environment. */
import { UserError } from "../../core/errors.ts";
import { isSigned, SECRET_CHARS, type Webhook } from "../../core/notification/webhook.ts";
import { type Layers, readSettings, type Settings } from "./settings.ts";

export const WEBHOOK_SECRET = "L2MAC_WEBHOOK_SECRET";

type SettingsSource = Pick<Layers, "env" | "cwd">;

export const webhookIn = ({ env, cwd }: SettingsSource): Webhook | undefined =>
  webhookOf(readSettings({ env, cwd, flags: new Map() }), env);

/** For commands that only read or stop runs: they work with a wrong configuration, without notifications. */
export function readableWebhookIn(place: SettingsSource): Webhook | undefined {
  try {
    return webhookIn(place);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Nothing is sent unsigned, except to Slack. */
export function webhookOf({ webhook }: Settings, env: Layers["env"]): Webhook | undefined {
  if (!webhook) return undefined;
  if (!isSigned(webhook)) return { ...webhook, secret: undefined };
  const secret = env[WEBHOOK_SECRET] || webhook.secret;
  if (secret === undefined) throw wrong("A webhook is configured, and no secret to sign with.");
  if (secret.length < SECRET_CHARS) throw wrong(`The webhook's secret has less than ${SECRET_CHARS} characters.`);
  return { ...webhook, secret };
}

const wrong = (message: string): UserError =>
  new UserError(message, {
    exitCode: 3,
    remedy: `export ${WEBHOOK_SECRET}=…, with what the receiver has too; docs/webhook.md says how to make one`,
  });
