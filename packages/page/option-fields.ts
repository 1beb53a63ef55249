/** The options of a run as fields of a form, made of the table of options; and what is entered in them. Pure. */
import * as z from "zod";
import { bodyFieldOf, type GivenOptions } from "../../lib/core/run/option-forms.ts";
import { type Option, optionList } from "../../lib/core/run/option-list.ts";
import { OPTION_GROUPS, type OptionGroup } from "../../lib/core/run/option-row.ts";
import type { OptionName } from "../../lib/core/run/options.ts";

export interface OptionField {
  name: OptionName;
  label: string;
  flag: string;
  /** Absent: it is typed. */
  choices?: string[];
  placeholder: string;
  /** The first choice: nothing is chosen. */
  unset: string;
}

const ON_OFF = ["on", "off"];

/** These have fields of their own in the form. */
const OWN: ReadonlySet<OptionName> = new Set(["domain", "model", "budget", "approve"]);

const offered = optionList.filter(({ name }) => bodyFieldOf(name) !== undefined && !OWN.has(name));

export const optionGroups: { group: OptionGroup; fields: OptionField[] }[] = OPTION_GROUPS.map((group) => ({
  group,
  fields: offered.filter((option) => option.group === group).map((option) => fieldOf(option)),
})).filter(({ fields }) => fields.length > 0);

/** `now`: what holds if it stays empty; absent: what the server sets. */
export function fieldOf(
  { name, description, flag = "", type, argument, default: value }: Option,
  now?: string,
): OptionField {
  const choices =
    type instanceof z.ZodEnum ? type.options.map(String) : type instanceof z.ZodBoolean ? ON_OFF : undefined;
  const example = argument === undefined || type instanceof z.ZodNumber ? "" : argument;
  const given = typeof value === "boolean" ? (value ? "on" : "off") : value === undefined ? example : String(value);
  const empty = given === "" ? "server default" : `default: ${given}`;
  return {
    name,
    label: description,
    flag,
    ...(choices ? { choices } : {}),
    placeholder: now === undefined ? given || empty : `now ${now}`,
    unset: now === undefined ? empty : `unchanged (now ${now})`,
  };
}

export const fieldName = (name: OptionName): string => `option-${name}`;

/** The field of a form by the name that the API has for it. */
export const bodyFields: Record<string, string> = Object.fromEntries(
  optionList.map(({ name }) => [bodyFieldOf(name) ?? name, fieldName(name)]),
);

type ReadOptions = { options: GivenOptions } | { field: string; problem: string };

/** Empty fields are left to the server. */
export function readOptions(textOf: (field: string) => string, asked: readonly Option[] = offered): ReadOptions {
  const options: Record<string, unknown> = {};
  for (const option of asked) {
    const text = textOf(fieldName(option.name)).trim();
    if (text === "") continue;
    const read = option.type.safeParse(readValue(option.type, text));
    if (!read.success) {
      const { message = "it has another form" } = read.error.issues[0] ?? {};
      return { field: fieldName(option.name), problem: `${option.description}: ${message}.` };
    }
    options[option.name] = read.data;
  }
  return { options: options as GivenOptions };
}

function readValue(type: z.ZodType, text: string): unknown {
  if (type instanceof z.ZodBoolean) return text === "on";
  if (type instanceof z.ZodNumber) return Number(text);
  const parts = text.split(",").map((part) => part.trim());
  if (type instanceof z.ZodArray) return parts;
  if (!(type instanceof z.ZodObject)) return text;
  const [input, output] = parts.map(Number);
  return { input, output };
}
