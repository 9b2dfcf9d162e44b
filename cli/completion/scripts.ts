// Each script asks hearth for candidates at the cursor, one a line with its description. Without a candidate it offers files.

const bash = `_hearth() {
  local IFS=$'\\n' word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <("\${1/#\\~/$HOME}" completion --words bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _hearth hearth
`;

const zsh = `#compdef hearth
_hearth() {
  local word about
  local -a found
  while IFS=$'\\t' read -r word about; do
    found+=("\${word//:/\\\\:}:$about")
  done < <("\${(Q)~words[1]}" completion --words zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe -t hearth hearth found; else _files; fi
}
if [[ $funcstack[1] == _hearth ]]; then _hearth; else compdef _hearth hearth; fi
`;

const fish = `function __hearth
  set -l words (commandline -opc) (commandline -ct)
  set -l found (eval (string escape -- $words[1]) completion --words fish (string escape -- $words[2..-1]) 2>/dev/null)
  if test (count $found) -gt 0
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hearth -f -a '(__hearth)'
`;

/** The completion of each shell. */
export const completionScripts = { bash, zsh, fish } as const;
