// Values and schemas → the words that messages use for them.
import { writtenText, type Node } from "../read/tree.js";

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export function describeSchema({ type, const: only, anyOf }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return anyOf.map(describeSchema).join(" or ");
  return TYPES[String(type)] ?? "another value";
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  array: "a list",
  object: "a mapping of keys to values",
};

export function describeNode(node: Node): string {
  switch (node.kind) {
    case "scalar":
      if (typeof node.value === "string")
        return node.value === "" ? "empty" : `the text ${quoted(node.value)}`;
      return typeof node.value === "number"
        ? `the number ${shortened(writtenText(node))}`
        : String(node.value);
    case "list":
      return "a list";
    case "mapping":
      return "a mapping";
    case "mark":
      return `!${node.mark}`;
    default:
      throw node satisfies never;
  }
}

export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
