/** The flags of a command's options, derived from the options table. Pure. */
import * as z from "zod";
import { type Option, optionList } from "../../core/run/option-list.ts";
import { OPTION_GROUPS } from "../../core/run/option-row.ts";
import type { CommandSpec, Flag } from "../command.ts";

/** The command with the flags of its options, group by group. */
export function withOptionFlags(spec: CommandSpec): CommandSpec {
  const flags = [...spec.flags, ...optionsOf(spec).flatMap(flagOf)];
  const grouped = OPTION_GROUPS.flatMap((group) => flags.filter((flag) => flag.group === group));
  return { ...spec, flags: [...grouped, ...flags.filter(({ group }) => group === undefined)] };
}

const optionsOf = ({ options = [], omitted = [] }: CommandSpec): Option[] =>
  optionList.filter(
    ({ name, group }) => options.some((each) => each === name || each === group) && !omitted.includes(name),
  );

function flagOf(option: Option): Flag[] {
  const { flag, group, description, formerFlag } = option;
  if (flag === undefined) return [];
  const argument = argumentOf(option);
  return [
    {
      name: flag,
      group,
      description: `${option.isNegated ? negative(description) : description}${defaultWords(option)}`,
      ...(argument ? { argument } : {}),
      ...(formerFlag ? { formerly: formerFlag } : {}),
    },
  ];
}

/** What the option's flag takes, as help shows it; undefined: nothing. */
export function argumentOf({ argument, type }: Option): string | undefined {
  if (argument !== undefined) return argument;
  if (type instanceof z.ZodBoolean) return undefined;
  return type instanceof z.ZodEnum ? type.options.join("|") : "N";
}

const negative = (description: string): string =>
  `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}`;

const defaultWords = ({ default: value }: Pick<Option, "default">): string =>
  value === undefined || typeof value === "boolean" ? "" : ` (default ${value})`;
