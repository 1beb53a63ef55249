/** The options as a list, each with what follows from its row: flags, variables, default. Pure. */
import * as z from "zod";
import { type OptionRow, optionRows } from "./option-row.ts";
import { allOptions, type OptionName } from "./options.ts";

/** Without its default. */
export const bare = (type: z.ZodType): z.ZodType =>
  type instanceof z.ZodDefault ? (type.unwrap() as z.ZodType) : type;

/** A row with what follows from it. */
export interface Option extends OptionRow {
  name: OptionName;
  /** Without its default. */
  type: z.ZodType;
  default?: unknown;
  variables: string[];
  formerFlag?: string;
  formerVariables: string[];
}

const variableOf = (flag: string): string => `L2MAC_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`;
const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const optionList: Option[] = Object.entries(allOptions).map(([name, type]: [string, z.ZodType]) => {
  const row = optionRows.get(type);
  if (!row) throw new Error(`The option ${name} is not registered.`);
  const formerFlag = row.formerly && row.flag ? flagOf(row.formerly) : undefined;
  return {
    ...row,
    name: name as OptionName,
    type: bare(type),
    variables: row.env ?? (row.flag ? [variableOf(row.flag)] : []),
    ...(type instanceof z.ZodDefault ? { default: type.def.defaultValue } : {}),
    ...(formerFlag ? { formerFlag } : {}),
    formerVariables: formerFlag ? [variableOf(formerFlag)] : [],
  };
});
