// lintel completion: the list of commands → a script for bash, zsh or fish.
import { SETTINGS, catalog } from "../catalog/catalog.js";
import { didYouMean } from "../diagnostic.js";
import { EXIT, Failure } from "../failure.js";
import { optionsOf } from "./arguments.js";
import type { Option, Run, Spec } from "./command.js";
import { COMMANDS } from "./list.js";
import { TOPICS } from "./topics.js";

const SHELLS = { bash, zsh, fish };

export const run: Run = async (_io, { operands: [shell] }) => {
  const names = Object.keys(SHELLS);
  if (shell === undefined || !Object.hasOwn(SHELLS, shell)) {
    throw new Failure(
      "wrong-usage",
      shell === undefined ? "No shell is named." : `There is no script for the shell "${shell}".`,
      didYouMean(shell ?? "", names) ?? `Name one of: ${names.join(", ")}.`,
    );
  }
  const text = SHELLS[shell as keyof typeof SHELLS]();
  return { outcome: { command: "completion", exit: EXIT.done, diagnostics: [] }, text: () => text };
};

/** The words that a command's operand may be; undefined where it is a file. */
function operandsOf({ completes }: Spec): readonly string[] | undefined {
  switch (completes) {
    case "settings":
      return [...catalog.parameters.map(({ name }) => name), ...SETTINGS.map(({ path }) => path)];
    case "versions":
      return catalog.versions;
    case "shells":
      return Object.keys(SHELLS);
    case "topics":
      return [...COMMANDS.map(({ name }) => name), ...TOPICS];
    case "files":
    case undefined:
      return undefined;
    default:
      throw completes satisfies never;
  }
}

function valuesOf(spec: Spec, name: string, option: Option): readonly string[] | undefined {
  return name === "output" ? spec.formats : option.values;
}

function optionsIn(spec: Spec): { name: string; option: Option; values?: readonly string[] }[] {
  return Object.entries(optionsOf(spec)).map(([name, option]) => {
    const values = valuesOf(spec, name, option);
    return { name, option, ...(values && { values }) };
  });
}

function bash(): string {
  const cases = COMMANDS.map((spec) => {
    const values = optionsIn(spec)
      .filter(({ option }) => option.value)
      .map(({ name, option, values }) => {
        const names = [`--${name}`, ...(option.short ? [`-${option.short}`] : [])].join("|");
        const reply = values ? `compgen -W "${values.join(" ")}"` : "compgen -f";
        return `        ${names}) COMPREPLY=($(${reply} -- "$word")); return ;;`;
      });
    const operands = operandsOf(spec);
    const reply = operands ? `compgen -W "${operands.join(" ")}"` : "compgen -f";
    return [
      `    ${spec.name})`,
      '      case "$before" in',
      ...values,
      "      esac",
      `      options="${optionsIn(spec)
        .map(({ name }) => `--${name}`)
        .join(" ")}"`,
      `      [[ $word == -* ]] || { COMPREPLY=($(${reply} -- "$word")); return; } ;;`,
    ].join("\n");
  });
  return `# Completes lintel in bash.
_lintel() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options=""
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${COMMANDS.map(({ name }) => name).join(" ")} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o filenames -o bashdefault -F _lintel lintel
`;
}

function zsh(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string) => text.replace(/[[\]:]/g, (found) => `\\${found}`);
  const cases = COMMANDS.map((spec) => {
    const options = optionsIn(spec).map(({ name, option, values }) => {
      const of = option.value
        ? `:${option.value.toLowerCase()}:${values ? `(${values.join(" ")})` : "_files"}`
        : "";
      const repeat = option.isRepeatable ? "*" : "";
      return quoted(`${repeat}--${name}[${plain(option.meaning)}]${of}`);
    });
    const operands = operandsOf(spec);
    options.push(
      quoted(`*:${spec.operands || "operand"}:${operands ? `(${operands.join(" ")})` : "_files"}`),
    );
    return `    ${spec.name}) _arguments ${options.join(" ")} ;;`;
  });
  const commands = COMMANDS.map(
    ({ name, summary }) => `    ${quoted(`${name}:${plain(summary)}`)}`,
  );
  return `#compdef lintel
# Completes lintel in zsh.
_lintel() {
  local -a commands=(
${commands.join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  ((CURRENT--))
  case "$command" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _lintel ]; then _lintel "$@"; else compdef _lintel lintel; fi
`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = COMMANDS.flatMap((spec) => {
    const inside = quoted(`__fish_seen_subcommand_from ${spec.name}`);
    const operands = operandsOf(spec);
    return [
      `complete -c lintel -n __fish_use_subcommand -f -a ${spec.name} -d ${quoted(spec.summary)}`,
      ...(operands ? [`complete -c lintel -n ${inside} -f -a ${quoted(operands.join(" "))}`] : []),
      ...optionsIn(spec).map(({ name, option, values }) =>
        [
          `complete -c lintel -n ${inside} -l ${name}`,
          ...(option.short ? [`-s ${option.short}`] : []),
          ...(option.value ? ["-r"] : []),
          ...(values ? [`-f -a ${quoted(values.join(" "))}`] : []),
          `-d ${quoted(option.meaning)}`,
        ].join(" "),
      ),
    ];
  });
  return `# Completes lintel in fish.\n${lines.join("\n")}\n`;
}
