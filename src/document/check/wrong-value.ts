// A value of the wrong type or form → the diagnostic that tells what would be right.
import { DEFAULT_STATE } from "../../state-address/kinds.js";
import type { Version } from "../../../schemas/names.js";
import { MOST_WINDOWS } from "../../catalog/schedule-schema.js";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions, parseVersion } from "../../catalog/version.js";
import { didYouBegin, type Diagnostic } from "../../diagnostic.js";
import { formatPath, type Path } from "../../settings.js";
import { SIGN_IN_METHODS, type SignInField } from "../../sign-in.js";
import {
  diagnose,
  entryAt,
  nodeAt,
  shapeOf,
  textOf,
  writtenText,
  type Node,
} from "../read/tree.js";

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export function wrongType(root: Node, path: Path, schema: Schema): Diagnostic {
  const entry = entryAt(root, path);
  const node = entry?.value ?? root;
  if (secretAt(path)) return literalSecret(node, path);
  const name = path.length > 0 ? `"${formatPath(path)}"` : "The file";
  const message = `${name} must be ${describeSchema(schema)}, but it is ${describeFor(path, node)}.`;
  return diagnose("wrong-type", node, message, typeHelp(node, schema, path));
}

function typeHelp(node: Node, schema: Schema, path: Path): string {
  const written = shortened(writtenText(node));
  const text = textOf(node);
  const isTime = shapeOf(path).startsWith("schedule.*.");
  if (schema.pattern !== undefined && isTime) return timeHelp(String(path.at(-1)), 18);
  if (schema.pattern !== undefined && path[0] !== "targetVersion") {
    const example = JSON.stringify(schema.examples?.[0] ?? schema.default ?? "…");
    return `Write ${describeSchema(schema)}, for example:\n  ${example}`;
  }
  if (schema.type === "string" && node.kind === "scalar") return `Put it in quotes: "${written}"`;
  if (schema.type === "boolean") {
    const word = text?.toLowerCase() ?? "";
    if (word === "true" || word === "false") return `Write ${word}, without quotes.`;
    if (["yes", "on", "y"].includes(word)) return "Write true; YAML 1.2 reads this word as text.";
    if (["no", "off", "n"].includes(word)) return "Write false; YAML 1.2 reads this word as text.";
    return "Write true or false.";
  }
  if (schema.type === "integer") {
    return text !== undefined && /^\d+$/.test(text)
      ? `Write ${text}, without quotes.`
      : "Write a whole number.";
  }
  if (schema.type === "array" && node.kind === "scalar") {
    return `Write a list:\n  ${path.at(-1)}:\n    - ${written}`;
  }
  if (schema.type === "object") {
    return "Write its properties below it, indented, each as key: value.";
  }
  return `Write ${describeSchema(schema)}.`;
}

/** What stands where a secret may stand is told by its kind alone. */
function describeFor(path: Path, node: Node): string {
  const isWrittenOut = node.kind === "scalar" && node.written === undefined;
  const mayBeSecret =
    path[0] === "state" || (path[0] === "signIn" && !(path[1] === "url" && isWrittenOut));
  const isWord = node.kind === "scalar" && node.value !== "" && typeof node.value !== "boolean";
  return mayBeSecret && isWord && path[1] !== "expiration"
    ? `a ${typeof node.value}`
    : describeNode(node);
}

export function unknownValue(root: Node, path: Path, allowed: unknown): Diagnostic {
  const node = nodeAt(root, path) ?? root;
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  const given = node.kind === "scalar" ? node.value : undefined;
  const list = `Allowed: ${values.map((each) => `"${each}"`).join(", ")}.`;
  const hint = typeof given === "string" ? didYouBegin(given, values) : undefined;
  const described = describeNode(node);
  const shown =
    typeof given === "string"
      ? quoted(given)
      : described.charAt(0).toUpperCase() + described.slice(1);
  const message = `${shown} is not a value of "${formatPath(path)}".`;
  return diagnose("unknown-value", node, message, hint ? `${hint} ${list}` : list);
}

/** A text that is not of the form wanted. */
export function wrongFormat(root: Node, path: Path): Diagnostic {
  const node = nodeAt(root, path) ?? root;
  if (secretAt(path)) return literalSecret(node, path);
  if (path.join() === "targetVersion") return badTarget(node);
  const [must, help] = FORMATS[shapeOf(path)] ?? ["filled", "Write a value, or remove the line."];
  const message = `"${formatPath(path)}" must be ${must}, but it is ${describeFor(path, node)}.`;
  return diagnose("wrong-format", node, message, help);
}

const timeHelp = (key: string, hour: number) =>
  `Write a day and a time, by the clocks of its time zone or with an offset:\n  ${key}: 2026-12-05T${hour}:00\n  ${key}: 2026-12-05T${hour}:00+01:00`;

const FORMATS: Readonly<Record<string, readonly [must: string, help: string]>> = {
  state: ["the address of a place for states", `Write, for example:\n  state: ${DEFAULT_STATE}`],
  "portal.url": [
    "an address",
    "Write the root of the portal's REST interface:\n  url: https://gis.example.com/portal/sharing/rest",
  ],
  "signIn.url": [
    "an address",
    "Write the base address of the sign-in service:\n  url: https://accounts.example.com",
  ],
  schedule: [`a mapping of ${MOST_WINDOWS} windows at most`, "Take out the windows that are over."],
  "schedule.*.from": ["a day and a time", timeHelp("from", 18)],
  "schedule.*.until": ["a day and a time", timeHelp("until", 22)],
  "allow.until": ["a day", "Write it as year, month and day:\n  until: 2027-01-31"],
  "signIn.expiration": [
    "a whole number of minutes above zero",
    "Write, for example:\n  expiration: 60",
  ],
};

function badTarget(node: Node): Diagnostic {
  const text = node.kind === "scalar" ? String(node.value) : "";
  const [oldest] = catalog.versions;
  if (parseVersion(text)) {
    const message = `The target "${text}" is older than "${oldest}", the first version with these settings.`;
    return diagnose("bad-target", node, message, `Known versions: ${catalog.versions.join(", ")}.`);
  }
  const help = `Write major and minor number, for example:\n  targetVersion: "${catalog.versions.at(-1)}"`;
  return diagnose("bad-target", node, `The target "${text}" is no version.`, help);
}

/** A target that the reference does not list is checked by the rules of the newest one below it. */
export function unlistedTarget(root: Node): Diagnostic[] {
  const node = nodeAt(root, ["targetVersion"]);
  const target = textOf(node);
  if (!node || target === undefined) return [];
  const known = knownVersion(target);
  // A number with more digits than any version has.
  if (!known && /^\d+\.\d+(\.\d+)?$/.test(target)) return [badTarget(node)];
  if (!known || compareVersions(known, target) === 0) return [];
  return [diagnose("unlisted-target", node, ...aboutUnlisted(target, known))];
}

export function aboutUnlisted(target: string, known: Version): [message: string, help: string] {
  const message =
    known === catalog.versions.at(-1)
      ? `The reference ends at version ${known}; what it says of that is taken to hold for ${target}.`
      : `The reference does not list version "${target}"; what it says of "${known}" is applied.`;
  const help = `Check that the portal has this version. Versions listed: ${catalog.versions.join(", ")}.`;
  return [message, help];
}

function literalSecret(node: Node, path: Path): Diagnostic {
  const field = String(path[1]);
  const variable = secretAt(path)?.variable ?? "LINTEL_SECRET";
  const message = `"${formatPath(path)}" is written out, where a secret must be a reference.`;
  const help = `Keep it in a variable or a file, change it if it has been committed, and write one of:\n  ${field}: \${env:${variable}}\n  ${field}: \${file:/run/secrets/lintel}`;
  return diagnose("literal-secret", node, message, help);
}

function secretAt(path: Path): SignInField | undefined {
  if (path[0] !== "signIn" || path.length !== 2) return undefined;
  return Object.values<Record<string, SignInField>>(SIGN_IN_METHODS)
    .map((fields) => fields[String(path[1])])
    .find((field) => field?.isSecret);
}

function describeSchema({ type, const: only, anyOf }: Schema): string {
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

function describeNode(node: Node): string {
  switch (node.kind) {
    case "scalar":
      if (node.value === "") return "empty";
      if (typeof node.value === "string") return `the text ${quoted(node.value)}`;
      if (typeof node.value === "number") return `the number ${shortened(writtenText(node))}`;
      return String(node.value);
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

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
