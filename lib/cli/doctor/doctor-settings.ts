/** What `l2mac doctor` finds in configuration files, variables and prompt packs. */
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { choosePack } from "../../files/prompt-folder.ts";
import { refusalOfTarget } from "../../webhook/destination.ts";
import {
  configPaths,
  type Layers,
  readSettings,
  type Settings,
  settingNotices,
  settingsInFile,
} from "../settings/settings.ts";
import { WEBHOOK_SECRET, webhookOf } from "../settings/webhook.ts";
import type { Finding } from "./doctor.ts";

/** Without settings where they cannot be read. */
export function configFindings(layers: Layers): { findings: Finding[]; settings?: Settings } {
  const files = configPaths(layers).filter((path) => existsSync(path));
  const findings: Finding[] = [
    ...files.map((path) => found("config", () => void settingsInFile(path), path)),
    ...(files.length === 0 ? [{ what: "config", state: "ok", says: "no configuration files" } as const] : []),
    ...settingNotices(layers).map((says): Finding => ({ what: "variables", state: "note", says })),
  ];
  if (findings.some(({ state }) => state === "missing")) return { findings };
  let settings: Settings | undefined;
  const readable = found(
    "settings",
    () => {
      settings = readSettings(layers);
    },
    "readable",
  );
  return settings ? { findings, settings } : { findings: [...findings, readable] };
}

export async function packFindings(settings: Settings): Promise<Finding[]> {
  try {
    const { declaration } = await choosePack(settings);
    return [{ what: "prompts", state: "ok", says: `${settings.prompts}: ${declaration.name} (${declaration.domain})` }];
  } catch (error) {
    return [problem("prompts", error)];
  }
}

/** The secret is not shown, nor what of the address may be one. */
export async function webhookFinding(settings: Settings, env: Layers["env"]): Promise<Finding> {
  try {
    const webhook = webhookOf(settings, env);
    if (!webhook) return { what: "webhook", state: "ok", says: "not set: nobody is told of runs" };
    const { host } = new URL(webhook.url);
    const refused = await refusalOfTarget(webhook);
    // A run starts all the same, and waits for no webhook.
    if (refused) return { what: "webhook", state: "note", says: `${host} is not told of runs: ${refused}\n${MAY_GO}` };
    const from = env[WEBHOOK_SECRET] ? `set by ${WEBHOOK_SECRET}` : "set in a configuration file";
    return { what: "webhook", state: "ok", says: `${host} is told of runs; its secret is ${from}` };
  } catch (error) {
    return problem("webhook", error);
  }
}

const MAY_GO =
  'Give webhook.url an https address of the Internet; or, for this computer or its network, put "allowPrivate": true beside it (docs/webhook.md).';

function found(what: string, look: () => void, says: string): Finding {
  try {
    look();
    return { what, state: "ok", says };
  } catch (error) {
    return problem(what, error);
  }
}

function problem(what: string, error: unknown): Finding {
  if (!(error instanceof UserError)) throw error;
  return { what, state: "missing", says: error.message };
}
