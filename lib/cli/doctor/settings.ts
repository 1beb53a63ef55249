/** Findings about configuration files, environment variables, prompt packs and the webhook. */
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { Finding } from "../../deployment/finding.ts";
import { choosePack } from "../../files/prompt-folder.ts";
import { refusalOfTarget } from "../../webhook/destination.ts";
import {
  configPaths,
  type Layers,
  readSettings,
  refuseUntrusted,
  type Settings,
  settingNotices,
  settingsInFile,
} from "../settings/settings.ts";
import { WEBHOOK_SECRET, webhookOf } from "../settings/webhook.ts";

/** Without settings if they cannot be read. */
export function configFindings(layers: Layers): { findings: Finding[]; settings?: Settings } {
  const files = configPaths(layers).filter((path) => existsSync(path));
  const findings: Finding[] = [
    ...files.map((path) => tried("config", () => void settingsInFile(path), path)),
    ...(files.length === 0 ? [{ what: "config", state: "ok", says: "no configuration files" } as const] : []),
    ...settingNotices(layers).map((says): Finding => ({ what: "variables", state: "note", says })),
  ];
  if (findings.some(({ state }) => state === "missing")) return { findings };
  let settings: Settings | undefined;
  const readable = tried(
    "settings",
    () => {
      settings = readSettings(layers);
    },
    "readable",
  );
  if (!settings) return { findings: [...findings, readable] };
  const trusted = tried("trust", () => refuseUntrusted(layers), "nothing of this folder asks for trust");
  return { findings: trusted.state === "ok" ? findings : [...findings, trusted], settings };
}

export async function packFindings(settings: Settings): Promise<Finding[]> {
  try {
    const { declaration } = await choosePack(settings);
    return [{ what: "prompts", state: "ok", says: `${settings.prompts}: ${declaration.name} (${declaration.domain})` }];
  } catch (error) {
    return [problem("prompts", error)];
  }
}

/** Shows neither the secret nor the URL's path, which may contain one. */
export async function webhookFinding(settings: Settings, env: Layers["env"]): Promise<Finding> {
  try {
    const webhook = webhookOf(settings, env);
    if (!webhook) return { what: "webhook", state: "ok", says: "not configured" };
    const { host } = new URL(webhook.url);
    const refused = await refusalOfTarget(webhook);
    // A note: runs start without it.
    if (refused) return { what: "webhook", state: "note", says: `${host} is not notified: ${refused}\n${ALLOW}` };
    if (webhook.secret === undefined)
      return { what: "webhook", state: "ok", says: `${host} is notified of runs, in Slack's form and unsigned` };
    const from = env[WEBHOOK_SECRET] ? `set by ${WEBHOOK_SECRET}` : "set in a configuration file";
    return { what: "webhook", state: "ok", says: `${host} is notified of runs; its secret is ${from}` };
  } catch (error) {
    return problem("webhook", error);
  }
}

const ALLOW =
  'Set webhook.url to a public https URL; or, for this computer or its network, add "allowPrivate": true (docs/webhook.md).';

function tried(what: string, work: () => void, says: string): Finding {
  try {
    work();
    return { what, state: "ok", says };
  } catch (error) {
    return problem(what, error);
  }
}

function problem(what: string, error: unknown): Finding {
  if (!(error instanceof UserError)) throw error;
  return { what, state: "missing", says: error.message };
}
