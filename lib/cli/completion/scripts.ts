/** What a shell loads to complete `l2mac`: it asks `l2mac __complete` for the words, and looks for files itself. */

export const COMPLETE = "__complete";

export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    "bash",
    `_l2mac() {
  local IFS=$'\\n' found
  found=($(l2mac ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [ "\${found[0]-}" = :files ]; then found=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
  COMPREPLY=("\${found[@]%%$'\\t'*}")
}
complete -o filenames -F _l2mac l2mac
`,
  ],
  [
    "zsh",
    `#compdef l2mac
_l2mac() {
  local -a found=(\${(f)"$(l2mac ${COMPLETE} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ \${found[1]-} == :files ]]; then _files; else found=("\${(@)found/$'\\t'/:}"); _describe l2mac found; fi
}
if [ "\${funcstack[1]}" = _l2mac ]; then _l2mac "$@"; else compdef _l2mac l2mac; fi
`,
  ],
  [
    "fish",
    `function __l2mac_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    set -l found (l2mac ${COMPLETE} $words "$current" 2>/dev/null)
    if test "$found" = :files
        __fish_complete_path "$current"
    else
        string join \\n -- $found
    end
end
complete -c l2mac -f -a '(__l2mac_complete)'
`,
  ],
]);
