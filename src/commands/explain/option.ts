// Explains an option of the command line.
import { describeOption } from "../../cli/help.js";
import { aliasesOf, ALL, optionsOf } from "../../cli/all.js";
import { done } from "../../cli/result.js";
import { wrap } from "../../report/text-layout.js";
import type { Option, Result } from "../command.js";

interface Usage {
  readonly name: string;
  readonly option: Option;
  /** The commands that have it; an option may mean something else to each. */
  readonly commands: readonly string[];
}

/** Every option, with the commands in which it means the same. */
export async function optionUsages(): Promise<Usage[]> {
  const usages = new Map<string, Usage>();
  for (const { name: command, load } of ALL) {
    for (const [name, option] of Object.entries(optionsOf((await load()).spec))) {
      const key = JSON.stringify(describeOption(name, option));
      const { commands = [] } = usages.get(key) ?? {};
      usages.set(key, { name, option, commands: [...commands, command] });
    }
  }
  return [...usages.values()];
}

/** `asked` may stand without its dashes, which the command line would read as an option of `explain`. */
export async function explainOption(asked: string): Promise<Result | undefined> {
  const name = asked.replace(/^--?/, "");
  const found = (await optionUsages()).filter(
    (usage) => usage.name === name || aliasesOf(usage.option).includes(name),
  );
  if (found.length === 0) return undefined;
  const facts = found.map((usage) => {
    const [label, description] = describeOption(usage.name, usage.option);
    return { label, description, commands: usage.commands };
  });
  return done("explain", { options: facts }, (styles) => {
    const entries = facts.flatMap(({ label, description, commands }) => [
      styles.bold(label),
      ...[description, `Commands: ${commands.join(", ")}.`]
        .flatMap((text) => wrap(text, styles.width - 6))
        .map((line) => `  ${line}`),
    ]);
    return `${entries.join("\n")}\n`;
  });
}
