/** Where each setting may stand: its flag, its variable, and how its text is read there. */
import type { Config } from "./config.ts";
import {
  approve,
  domain,
  modelNames,
  offOn,
  onOff,
  onTrap,
  positive,
  price,
  type Reader,
  text,
  toolNames,
  wholeNumber,
} from "./read-value.ts";

export type Settings = Omit<Config, "$schema">;

export interface SettingSource {
  flag?: string;
  variables: string[];
  read: Reader<NonNullable<Settings[keyof Settings]>>;
}

const onFlag = (flag: string, read: SettingSource["read"], ...variables: string[]): SettingSource => ({
  flag,
  variables: variables.length > 0 ? variables : [`L2MAC_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`],
  read,
});

/** `models` and `webhook` are for files only: they do not fit a line. */
export const settingsTable: Record<Exclude<keyof Settings, "models" | "webhook">, SettingSource> = {
  apiUrl: { variables: ["L2MAC_API_URL"], read: text },
  model: onFlag("--model", modelNames),
  baseUrl: onFlag("--base-url", text, "OPENAI_BASE_URL", "OPENAI_API_BASE"),
  apiVersion: { variables: ["OPENAI_API_VERSION"], read: text },
  contextWindow: onFlag("--context-window", wholeNumber(1_024)),
  price: onFlag("--price", price),
  unpriced: onFlag("--unpriced", onOff),
  budget: onFlag("--budget", positive),
  dailyUsd: onFlag("--daily-usd", positive),
  maxTokens: onFlag("--max-tokens", wholeNumber(1)),
  maxTurns: onFlag("--max-turns", wholeNumber(1)),
  maxMinutes: onFlag("--max-minutes", positive),
  domain: onFlag("--domain", domain),
  steps: onFlag("--steps", wholeNumber(1, 10_000)),
  reflect: onFlag("--reflect", wholeNumber(0, 5)),
  tools: onFlag("--tools", toolNames),
  prompts: onFlag("--prompts", text),
  tests: onFlag("--no-tests", offOn),
  install: onFlag("--no-install", offOn),
  unsealed: onFlag("--unsealed", onOff),
  onTrap: onFlag("--on-trap", onTrap),
  approve: onFlag("--approve", approve),
  seed: onFlag("--seed", wholeNumber(Number.MIN_SAFE_INTEGER)),
};

/** Variables that mean something without being a setting of a run. */
export const OTHER_VARIABLES = ["L2MAC_HOME", "L2MAC_DEBUG", "L2MAC_WEBHOOK_SECRET"];
