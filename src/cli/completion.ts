/** What a shell runs to complete the names of commands: `source <(catalog completion)`, in bash or zsh. */
export function completion(commands: readonly string[]): string {
  return `# Completes the commands of catalog in bash and zsh: source <(catalog completion)
if [ -n "\${ZSH_VERSION:-}" ]; then autoload -Uz bashcompinit && bashcompinit; fi
_catalog() { [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W '${commands.join(' ')} completion' -- "\${COMP_WORDS[1]}")); }
complete -o default -F _catalog catalog`;
}
