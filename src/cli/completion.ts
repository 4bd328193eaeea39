// lintel completion: a shell's name → the script that asks Lintel what may stand where the cursor is.
import yargs from "yargs";
import type { Run, Words } from "../commands/command.js";
import { didYouMean } from "../diagnostic.js";
import { done } from "../commands/result/result.js";
import { wrongUsage } from "../failure.js";

const SHELLS = ["bash", "zsh", "fish"];

export const words = {
  operands: "SHELL",
  options: {},
  formats: ["text"],
  examples: [
    ["lintel completion bash > /etc/bash_completion.d/lintel", "for every user"],
    ["source <(lintel completion zsh)", "for this terminal; in zsh"],
    ["lintel completion fish > ~/.config/fish/completions/lintel.fish", "in fish"],
  ],
  offers: [SHELLS],
} as const satisfies Words;

export const run: Run<{}> = async (_io, { operands: [shell] }) => {
  if (shell === undefined || !SHELLS.includes(shell)) {
    throw wrongUsage(
      shell === undefined ? "No shell is named." : `There is no script for the shell "${shell}".`,
      didYouMean(shell ?? "", SHELLS) ?? `Name one of: ${SHELLS.join(", ")}.`,
    );
  }
  return done("completion", {}, () => (shell === "fish" ? FISH : yargsScript(shell)));
};

/** yargs prints the script where its own command is called. */
function yargsScript(shell: string): string {
  const command = `completion ${shell}`;
  let script = "";
  // yargs takes the shell from the environment alone.
  process.env["SHELL"] = shell;
  void yargs()
    .locale("en")
    .scriptName("lintel")
    .completion(command, false)
    .exitProcess(false)
    .parse([command], {}, (_error, _argv, output) => {
      script = output;
    });
  // Its comments tell of yargs, and of another place for the script than our help does. To bash, a "=" at the end is the
  // word to complete; what completes it stands behind. And bash writes a word as it is given, so that its "$" and "?"
  // have to be quoted; where there is a choice it is shown, and what the words have in common needs no quotes.
  const plain = script
    .replace(/^\s*#(?!compdef).*\n/gm, "")
    .replace(/^( *)cur_word=.*$/m, '$&\n$1[ "$cur_word" = "=" ] && cur_word=')
    .replace(
      /^( *)return 0$/m,
      '$1[ ${#COMPREPLY[@]} -eq 1 ] && COMPREPLY=("$(printf %q "${COMPREPLY[0]}")")\n$&',
    );
  return `${plain}\n`;
}

/** The script of yargs for fish never offers a file. */
const FISH = `# Completes lintel in fish.
function __lintel_complete
  set -l found (env LINTEL_COMPLETES=fish lintel --get-yargs-completions (commandline -opc) (commandline -ct))
  if test -n "$found"
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c lintel -f -a '(__lintel_complete)'
`;
