/** The completion of bash, as a script. Pure. */
import type { CompletedCommand, CompletedFlag } from "./words.ts";

export const bashCompletion = (commands: readonly CompletedCommand[]): string => `# bash completion for l2mac
_l2mac() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} flags= words=
  local command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(" ")} --help --version' -- "$current"))
    return
  fi
  # A task or a flag in the place of the command is a run.
  case $command in
${commands.map(caseOf).join("\n")}
    *) flags='${flagsOf(commands.find(({ name }) => name === "run"))}' ;;
  esac
  case $previous in
    ${patternOf(commands, "path")}) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); return ;;
${choiceCases(commands)}    ${patternOf(commands, "word")}) return ;;
  esac
  if [[ $current == -* ]]; then words=$flags; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _l2mac l2mac
`;

const caseOf = (command: CompletedCommand): string =>
  `    ${command.name}) flags='${flagsOf(command)}'; words='${command.words.join(" ")}' ;;`;

const flagsOf = (command: CompletedCommand | undefined): string =>
  (command?.flags ?? []).map(({ name }) => name).join(" ");

/** Flags of one name may take different things in different commands: then it is a path. */
function patternOf(commands: readonly CompletedCommand[], takes: "path" | "word"): string {
  const all = commands.flatMap(({ flags }) => flags);
  const names = all.filter((flag) => flag.takes === takes).map(({ name }) => name);
  const paths = new Set(all.filter((flag) => flag.takes === "path").map(({ name }) => name));
  return [...new Set(names)].filter((name) => takes === "path" || !paths.has(name)).join("|");
}

function choiceCases(commands: readonly CompletedCommand[]): string {
  const choices = new Map<string, readonly string[]>();
  for (const { name, takes } of commands.flatMap(({ flags }): CompletedFlag[] => flags)) {
    if (Array.isArray(takes)) choices.set(name, takes);
  }
  return [...choices]
    .map(([name, words]) => `    ${name}) COMPREPLY=($(compgen -W '${words.join(" ")}' -- "$current")); return ;;\n`)
    .join("");
}
