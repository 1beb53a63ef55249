/** The completion of fish, as a script. Pure. */
import type { CompletedCommand, CompletedFlag } from "./words.ts";

export const fishCompletion = (commands: readonly CompletedCommand[]): string =>
  `${["# fish completion for l2mac", "complete -c l2mac -f", ...commands.flatMap(linesOf)].join("\n")}\n`;

function linesOf({ name, description, flags, words }: CompletedCommand): string[] {
  const inside = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    `complete -c l2mac -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...(words.length > 0 ? [`complete -c l2mac ${inside} -a ${quoted(words.join(" "))}`] : []),
    ...flags.map((flag) => `complete -c l2mac ${inside} ${flagOf(flag)}`),
  ];
}

function flagOf({ name, description, takes }: CompletedFlag): string {
  const value =
    takes === undefined
      ? ""
      : takes === "path"
        ? " -r -F"
        : takes === "word"
          ? " -x"
          : ` -x -a ${quoted(takes.join(" "))}`;
  return `-l ${name.slice(2)}${value} -d ${quoted(description)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
