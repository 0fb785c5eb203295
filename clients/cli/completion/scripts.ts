// The completion scripts. Each asks `runs` for proposals, so they know every command and flag; files are the fallback.
import { COMPLETE } from './proposals.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const bash = `# runs: completion for bash; load it with: source <(runs completion bash)
_runs_complete() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" ${COMPLETE} "\${words[@]}" 2>/dev/null)
}
complete -o default -F _runs_complete runs
`;

const zsh = `#compdef runs
# runs: completion for zsh; load it with: source <(runs completion zsh)
_runs() {
  local -a proposals
  local word brief
  while IFS=$'\\t' read -r word brief; do
    proposals+=("\${word//:/\\\\:}:$brief")
  done < <("\${words[1]}" ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#proposals} )); then _describe 'runs' proposals; else _files; fi
}
(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
compdef _runs runs
`;

const fish = `# runs: completion for fish; load it with: runs completion fish | source
function __runs_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] ${COMPLETE} $words[2..-1] 2>/dev/null
end
complete -c runs -a '(__runs_complete)'
`;

/** What `runs completion SHELL` prints. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
