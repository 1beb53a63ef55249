/** A table of what is known of models, and how a model's name finds its row. Pure. */
import * as z from "zod";
import { Convention, ModelProfile, Price } from "../core/turn/model-profile.ts";

/** A row as a user writes it. Absent fields are those of an unknown model. */
export const KnownModel = z
  .strictObject({
    contextWindow: z.int().positive(),
    maxOutputTokens: z.int().positive(),
    price: Price.strict(),
    convention: Convention,
    outputLimit: ModelProfile.shape.outputLimit,
    temperature: z.boolean(),
    parallelToolCalls: z.boolean(),
    requiredToolChoice: z.boolean(),
  })
  .partial();
type Row = z.infer<typeof KnownModel>;
/** Without the `undefined`s that zod's type has for absent keys. */
export type KnownModel = { [Key in keyof Row]?: Exclude<Row[Key], undefined> };
export type ModelTable = Record<string, KnownModel>;

export const ModelTable = z.record(z.string().min(1), KnownModel);

/** `json` is the value of `models` in a configuration file, or a file of its own. */
export function parseModelTable(json: unknown): { table: ModelTable } | { problem: string } {
  const parsed = ModelTable.safeParse(json);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  return { table: Object.fromEntries(Object.entries(parsed.data).map(([name, row]) => [name, withoutAbsent(row)])) };
}

const withoutAbsent = (row: Row): KnownModel =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** The user's facts win, one by one: a price alone leaves the rest of the row as it was. */
export function extended(base: ModelTable, extra: ModelTable): ModelTable {
  const table: ModelTable = { ...base };
  for (const [name, row] of Object.entries(extra)) {
    const same = Object.keys(base).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
    table[same] = { ...base[same], ...row };
  }
  return table;
}

/** The row that fits best: as it is called, then without what providers put in front; the longest name wins. */
export function lookUp(table: ModelTable, model: string): { name: string; known: KnownModel } | undefined {
  for (const spelling of spellings(model.toLowerCase())) {
    const [best] = Object.keys(table)
      .filter((name) => isVersionOf(spelling, name.toLowerCase()))
      .sort((a, b) => b.length - a.length);
    const known = best === undefined ? undefined : table[best];
    if (best !== undefined && known) return { name: best, known };
  }
  return undefined;
}

/** `openrouter/openai/gpt-4o`, `openai/gpt-4o`, `gpt-4o`; `eu.anthropic.claude-opus-5`, `anthropic.claude-opus-5`. */
const spellings = (model: string): string[] => {
  const parts = model.split("/");
  const tails = parts.map((_, index) => parts.slice(index).join("/"));
  return [...tails, ...tails.filter((tail) => GEOGRAPHY.test(tail)).map((tail) => tail.replace(GEOGRAPHY, ""))];
};

/** In front of the names of Bedrock's inference profiles. */
const GEOGRAPHY = /^(us|us-gov|eu|apac|jp|au|ca|global)\.(?=[a-z0-9]+\.)/;

/** Ollama lists `qwen3:latest` for what is asked for as `qwen3`. */
export const isSameModel = (listed: string, asked: string): boolean => listed === asked || listed === `${asked}:latest`;

/** Only dates and versions are the same model. `gpt-5-pro` is not `gpt-5`: it costs ten times as much. */
function isVersionOf(model: string, name: string): boolean {
  return model.startsWith(name) && VERSION.test(model.slice(name.length));
}
const VERSION = /^(-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-latest)?(-v?\d+:\d+)?$/;
