/** The completion of zsh, as a script. Pure. */
import type { CompletedCommand, CompletedFlag } from "./words.ts";

export const zshCompletion = (commands: readonly CompletedCommand[]): string => `#compdef l2mac
_l2mac() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(caseOf).join("\n")}
  esac
}
if [ "\${funcstack[1]}" = _l2mac ]; then _l2mac "$@"; else compdef _l2mac l2mac; fi
`;

const caseOf = ({ name, flags, words }: CompletedCommand): string => {
  const specs = [...flags.map(specOf), words.length > 0 ? quoted(`*:word:(${words.join(" ")})`) : "'*: :'"];
  return `    ${name})\n      _arguments \\\n${specs.map((spec) => `        ${spec}`).join(" \\\n")}\n      ;;`;
};

function specOf({ name, description, takes }: CompletedFlag): string {
  const text = description.replace(/[[\]:\\]/g, "\\$&");
  const head = `${name}[${text}]`;
  if (takes === undefined) return quoted(head);
  const after = takes === "path" ? ":path:_files" : takes === "word" ? ":value: " : `:value:(${takes.join(" ")})`;
  return quoted(head + after);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
