// Checks the variables of a file: invalid names, missing values and unused ones.
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { placeOf } from "../read/source.js";
import { childOf, diagnose, entriesOf, isAnchorKey, type Entry, type Node } from "../read/tree.js";
import { startOf } from "./explain.js";

/** Help for a variable without a value. */
export const REQUIRED_HELP =
  'Write a value, such as "" for an empty text. In a base, !required asks each file for one.';

interface Use {
  /** The names that the file and its bases refer to. */
  readonly used: ReadonlySet<string>;
  /** Other files extend it, and set its variables. */
  readonly isPart: boolean;
}

export function variableProblems(root: Node, { used, isPart }: Use): Diagnostic[] {
  const entries = [...entriesOf(childOf(root, "vars"))].filter(([name]) => !isAnchorKey(name));
  const names = entries.map(([name]) => name);
  return entries.flatMap(([name, entry]) => {
    if (!/^[A-Za-z][\w-]*$/.test(name)) return [unfitName(name, entry)];
    const { value } = entry;
    if (isPart) return [];
    if (value.kind === "mark") return value.mark === "required" ? [missing(root, name, value)] : [];
    // A base may declare variables that only some portals use.
    const isOwn = entry.key.span.source === root.span.source && !entry.below;
    const others = names.filter((each) => each !== name);
    return isOwn && !used.has(name) ? [unused(name, entry, others)] : [];
  });
}

function unfitName(name: string, { key }: Entry): Diagnostic {
  const message = `"${name}" is not the name of a variable.`;
  const help = "Begin with a letter, and go on with letters, digits, _ and -.";
  return diagnose("wrong-format", key, message, help);
}

function missing(root: Node, name: string, mark: Node): Diagnostic {
  const { source } = root.span;
  const message = `The variable "vars.${name}" is required and has no value.`;
  if (mark.span.source === source) {
    const help = `Write its value:\n  vars:\n    ${name}: …`;
    return diagnose("missing-key", mark, message, help);
  }
  const help = `Add it to ${source.file === "-" ? "the file" : source.file}:\n  vars:\n    ${name}: …`;
  const found = diagnose("missing-key", startOf(root.span), message, help);
  return { ...found, related: [{ place: placeOf(mark.span), message: "requires it" }] };
}

function unused(name: string, { key }: Entry, others: readonly string[]): Diagnostic {
  const help =
    didYouMean(name, others) ?? `Remove it, or refer to it in a setting: \${vars.${name}}`;
  return diagnose("unused-variable", key, `No setting uses the variable "vars.${name}".`, help);
}
