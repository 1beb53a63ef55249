/** `l2mac models`: the known models, what a million tokens cost, and which of them the keys here can use. */
import { UserError } from "../../core/errors.ts";
import { amount } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { KNOWN_AS_OF } from "../../model/known-models.ts";
import { type ListedModel, listModels } from "../../model/list-models.ts";
import type { Command } from "../command.ts";
import { type Column, table } from "../display/table.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { modelServerIn } from "../settings/model-server.ts";
import { readSettings } from "../settings/settings.ts";

export const models: Command = async ({ flags, words }, { env, cwd, ...shell }) => {
  const [text = ""] = words;
  const wish = modelServerIn(readSettings({ flags, env, cwd }), env);
  const { models: all, notes } = await listModels(wish);
  const found = all.filter(({ model, provider }) => `${provider} ${model}`.toLowerCase().includes(text.toLowerCase()));
  for (const note of notes) shell.say(sanitizeLine(note));
  if (found.length === 0) throw noModel(text);
  if (flags.has(JSON_OUTPUT.name)) {
    for (const model of found) shell.out(`${JSON.stringify(model)}\n`);
    return 0;
  }
  shell.out(table(COLUMNS, found.map(rowOf), shell.resultColumns));
  shell.say("Prices in US dollars per million tokens. ✔: the key or region for it is set here, or none is needed.");
  if (found.some(({ isDefault }) => isDefault)) shell.say("▶: taken where no model is set; --model changes it.");
  return 0;
};

const noModel = (text: string): UserError =>
  new UserError(`No known model has "${text}" in its name.`, {
    exitCode: 2,
    remedy: "Use it with --price IN,OUT and --context-window N, or put it under `models` in your configuration.",
  });

const COLUMNS: Column[] = [
  { head: " " },
  { head: "MODEL", least: 20 },
  { head: "ASKED AS", from: 100 },
  { head: "WINDOW", from: 60 },
  { head: "IN" },
  { head: "CACHED", from: 72 },
  { head: "OUT" },
  { head: "TOOLS", from: 80 },
  { head: "FROM", from: 90 },
];

const rowOf = ({ isDefault, from, provider, asOf = KNOWN_AS_OF, ...row }: ListedModel) => [
  isDefault ? "▶" : row.isReachable ? "✔" : "",
  sanitizeLine(row.model),
  row.api,
  row.contextWindow === undefined ? "-" : amount(row.contextWindow),
  dollars(row.price?.input),
  dollars(row.price?.cachedInput),
  dollars(row.price?.output),
  row.convention,
  from === "built in" ? `${provider}, ${asOf}` : from,
];

const dollars = (value: number | undefined): string => (value === undefined ? "-" : String(value));
