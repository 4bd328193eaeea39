// lintel completion: prints the completion script of a shell.
import yargs from "yargs";
import type { CommandSpec, Run } from "../commands/command.js";
import { didYouMean } from "../diagnostic.js";
import { done } from "./result.js";
import { wrongUsage } from "../failure.js";

const SHELLS = ["bash", "zsh", "fish", "powershell"];

export const spec = {
  operands: "SHELL",
  options: {},
  formats: ["text"],
  examples: [
    ["lintel completion bash > /etc/bash_completion.d/lintel", "bash, all users"],
    ["source <(lintel completion zsh)", "zsh, this terminal"],
    ["lintel completion fish > ~/.config/fish/completions/lintel.fish", "fish"],
    ["lintel completion powershell | Add-Content $PROFILE", "PowerShell"],
  ],
  offers: [SHELLS],
} as const satisfies CommandSpec;

export const run: Run<{}> = async (_io, { operands: [shell] }) => {
  if (shell === undefined || !SHELLS.includes(shell)) {
    throw wrongUsage(
      shell === undefined ? "The shell is missing." : `Unknown shell "${shell}".`,
      didYouMean(shell ?? "", SHELLS) ?? `Shells: ${SHELLS.join(", ")}.`,
    );
  }
  const own = { fish: FISH, powershell: POWERSHELL }[shell];
  return done("completion", {}, () => own ?? yargsScript(shell));
};

/** yargs prints the script only from its own command. */
function yargsScript(shell: string): string {
  const command = `completion ${shell}`;
  let script = "";
  withShell(shell, () => {
    void yargs()
      .locale("en")
      .scriptName("lintel")
      .completion(command, false)
      .exitProcess(false)
      .parse([command], {}, (_error, _argv, output) => {
        script = output;
      });
  });
  return `${CORRECTIONS.reduce((text, [wrong, right]) => text.replace(wrong, right), script)}\n`;
}

/** Corrections for the scripts of yargs. */
const CORRECTIONS: readonly (readonly [wrong: RegExp, right: string])[] = [
  // Their comments name yargs, and a path that our help does not use.
  [/^\s*#(?!compdef).*\n/gm, ""],
  // bash passes "=" as a word, before the value.
  [/^( *)cur_word=.*$/m, '$&\n$1[ "$cur_word" = "=" ] && cur_word='],
  // bash inserts a single completion unquoted, with its "$" and "?".
  [
    /^( *)return 0$/m,
    '$1[ ${#COMPREPLY[@]} -eq 1 ] && COMPREPLY=("$(printf %q "${COMPREPLY[0]}")")\n$&',
  ],
  // From the second completion on, zsh calls the file as a function.
  [/"\$\{zsh_eval_context\[-1\]\}" == "loadautofunc"/, '"${funcstack[1]}" == "_lintel"'],
];

/** yargs reads the shell only from the environment. */
function withShell(shell: string, work: () => void): void {
  const { SHELL, ZSH_NAME } = process.env;
  Object.assign(process.env, { SHELL: shell, ZSH_NAME: "" });
  work();
  for (const [name, value] of Object.entries({ SHELL, ZSH_NAME })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** The fish script of yargs never completes files. */
const FISH = `# Completes lintel in fish.
function __lintel_offers
  set -g __lintel_offered (env LINTEL_COMPLETES=fish lintel --get-yargs-completions (commandline -opc) (commandline -ct))
  test -n "$__lintel_offered"
end
complete -c lintel -n __lintel_offers -f -a '$__lintel_offered'
`;

/**
 * Windows PowerShell passes no empty argument to a program, so "_" represents a new word. It is never compared: the
 * script filters the completions.
 */
const POWERSHELL = `# Completes lintel in PowerShell.
Register-ArgumentCompleter -Native -CommandName lintel -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '_' }
  $env:LINTEL_COMPLETES = 'powershell'
  try {
    lintel --get-yargs-completions @words | Where-Object { $_.StartsWith($word) } | ForEach-Object {
      $text, $about = $_ -split "\`t", 2
      if (-not $about) { $about = $text }
      [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
    }
  } finally {
    Remove-Item Env:LINTEL_COMPLETES
  }
}
`;
