/**
 * What a shell runs to complete commands and their options: `source <(catalog completion)`, in bash or zsh.
 * @param commands the usage of each command, by its name
 */
export function completion(commands: Readonly<Record<string, string>>): string {
  const cases = Object.entries(commands).map(
    ([name, usage]) => `    ${name}) words='${wordsOf(name, usage).join(' ')}' ;;`,
  );
  return `# Completes commands and options of catalog in bash and zsh: source <(catalog completion)
if [ -n "\${ZSH_VERSION:-}" ]; then autoload -Uz bashcompinit && bashcompinit; fi
_catalog() {
  local words=
  case "$([ "$COMP_CWORD" -eq 1 ] || echo "\${COMP_WORDS[1]}")" in
    '') words='${Object.keys(commands).join(' ')} completion --help --version' ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _catalog catalog`;
}

/** What may follow a command: its verbs and its options, as the usage names them. */
function wordsOf(name: string, usage: string): string[] {
  const verbs = [...usage.matchAll(new RegExp(`-- ${name} ([a-z]+)`, 'g'))].map(([, verb = '']) => verb);
  const options = [...usage.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
  return [...new Set([...verbs, ...options, '--help'])];
}
