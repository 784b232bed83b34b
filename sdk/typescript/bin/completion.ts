import { UsageError } from "./usage_error.ts";

/** A script for a shell that completes commands and options. */
export function completion(
  shell: string | undefined,
  commands: Record<string, { options: string[]; about: string }>,
  common: string[],
): string {
  const names = [...Object.keys(commands), "completion", "help"];
  const optionsOf = (own: string[]) =>
    [...own, ...common].map((each) => `--${each.replace(/[!*]$/, "")}`);
  if (shell === "bash" || shell === "zsh") {
    const cases = Object.entries(commands).map(([name, { options }]) =>
      `    ${name}) words="${optionsOf(options).join(" ")}" ;;`
    );
    return [
      ...shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : [],
      "_letterbox() {",
      '  local words="" current="${COMP_WORDS[COMP_CWORD]}"',
      `  if [ "$COMP_CWORD" = 1 ]; then words="${
        names.join(" ")
      }"; else case "\${COMP_WORDS[1]}" in`,
      ...cases,
      "  esac; fi",
      '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
      "}",
      "complete -o default -F _letterbox letterbox",
    ].join("\n");
  }
  if (shell === "fish") {
    return Object.entries(commands).flatMap(([name, { options, about }]) => [
      `complete -c letterbox -n __fish_use_subcommand -a ${name} -d '${about.replace(/'/g, "")}'`,
      ...optionsOf(options).map((each) =>
        `complete -c letterbox -n '__fish_seen_subcommand_from ${name}' -l ${each.slice(2)}`
      ),
    ]).join("\n");
  }
  throw new UsageError("completion wants bash, zsh or fish");
}
