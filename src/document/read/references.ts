// Replaces ${env:…}, ${file:…}, ${vars.…} and ${portal.name} in texts, within what a change under review may refer to.
import { isUtf8 } from "node:buffer";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { didYouMean, nearest, type Diagnostic } from "../../diagnostic.js";
import { reasonOf } from "../../lib/files.js";
import { shellWord } from "../../lib/text.js";
import { LARGEST_FILE, readBytes } from "./bytes.js";
import { isInside, isOpenTo, isTracked, repositoryOf, secretsFolder } from "./repository.js";
import {
  childOf,
  diagnose,
  entriesOf,
  textOf,
  type Entry,
  type Mark,
  type Node,
  type Scalar,
  type Text,
  type Via,
} from "./tree.js";

export type Env = Readonly<Record<string, string | undefined>>;

/** The variables that anything under review may refer to; all others may hold secrets. */
const OPEN_VARIABLE = /^LINTEL_VAR_/;
const OWN_VARIABLE = /^LINTEL_/;

/**
 * Addresses and keys of webhooks, for lintel.yaml alone: as a field of a sign-in, one would be posted to the sign-in
 * service.
 */
export const WEBHOOK_PREFIX = "LINTEL_WEBHOOK_";

/** Keys that Lintel signs with and checks logins by: each one allows to forge what it vouches for. */
export const KEYS = [
  "LINTEL_STATE_KEY",
  "LINTEL_STATE_KEY_OLD",
  "LINTEL_SERVE_TOKEN",
  "LINTEL_PROXY_SECRET",
  "LINTEL_HOOK_SECRET",
];

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** The name in a reference to a variable; undefined where it names none. */
export function variableIn(body: string): string | undefined {
  return VARIABLE.exec(body)?.[1];
}

/**
 * Where a reference stands, hence what it may name. A change under review must not name a secret
 * where it would be shown, or would leave with the look-up of a name.
 */
export type Part = "settings" | "vars" | "name" | "address" | "state" | "signIn";

export const OPENNESS: {
  readonly [part in Part]: {
    readonly variables: RegExp;
    readonly files: "repository" | "secrets" | "none";
    /** The names that ${portal.…} knows. */
    readonly portal: readonly string[];
  };
} = {
  settings: { variables: OPEN_VARIABLE, files: "repository", portal: ["name"] },
  vars: { variables: OPEN_VARIABLE, files: "repository", portal: ["name"] },
  name: { variables: OPEN_VARIABLE, files: "repository", portal: ["name"] },
  address: { variables: OPEN_VARIABLE, files: "none", portal: ["name"] },
  state: { variables: OPEN_VARIABLE, files: "none", portal: ["name", "key"] },
  signIn: { variables: OWN_VARIABLE, files: "secrets", portal: ["name"] },
};

/** What a reference is looked up in. */
export interface Surroundings {
  readonly part: Part;
  readonly cwd: string;
  readonly env: Env;
  /** By the names of ${portal.…}; one is undefined while it is being found out. */
  readonly portal: Readonly<Record<string, string | undefined>>;
  /** The values of ${vars.…}; absent where none can be referred to. */
  readonly vars?: Node;
  /** Called for every file that is looked for. */
  readonly noteFile?: (path: string) => void;
}

interface Resolved {
  readonly root: Node;
  readonly problems: readonly Diagnostic[];
}

/** What a reference at this path may name. */
export function partAt(first: string, second: string | undefined): Part {
  if (first === "state" || first === "vars") return first;
  if (first !== "signIn" || second === undefined) return "settings";
  return second === "url" ? "address" : "signIn";
}

/** More would only bury the first. */
const MOST_PROBLEMS = 1000;

/** What stands for the name that a portal's state has. */
export const PORTAL_KEY = "${portal.key}";

const REFERENCE =
  /\$\$\{|\$\{(?:(env:|file:|command:|vars\.)((?:\$\{portal\.key\}|[^}])*)(\}?)|portal\.(name|key)\})/g;

interface Substituted extends Resolved {
  /** The files that the texts refer to, also those that could not be read. */
  readonly paths: readonly string[];
  /** The names of the variables that the texts refer to. */
  readonly used: ReadonlySet<string>;
}

export function substitute(
  root: Node,
  { cwd, env }: Pick<Surroundings, "cwd" | "env">,
): Substituted {
  const problems: Diagnostic[] = [];
  const paths: string[] = [];
  const used = new Set<string>();
  const noteFile = (path: string) => void paths.push(path);
  const around = { cwd, env, problems, noteFile, used, size: { left: LARGEST_FILE } };
  const nameNode = childOf(childOf(root, "portal"), "name");
  const ownName =
    nameNode && resolveNode(nameNode, { ...around, part: "name", portal: { name: undefined } });
  const portalName = textOf(ownName) ?? nameFor(root.span.source.file);
  const varsNode = childOf(root, "vars");
  let ownVars: Node | undefined;

  /** What holds no reference stays what it is, as nearly all does; the first two steps of the way say what it may name. */
  function walk(node: Node, first?: string, second?: string): Node {
    if (node === nameNode) return ownName ?? node;
    if (node === varsNode && ownVars) return ownVars;
    const below = (child: Node, key: string) =>
      first === undefined ? walk(child, key) : walk(child, first, second ?? key);
    switch (node.kind) {
      case "mapping": {
        let entries: Map<string, Entry> | undefined;
        for (const [key, entry] of node.entries) {
          const value = below(entry.value, key);
          if (value !== entry.value) {
            (entries ??= new Map(node.entries)).set(key, { ...entry, value });
          }
        }
        return entries ? { ...node, entries } : node;
      }
      case "list": {
        const items = node.items.map((item) => below(item, "[]"));
        return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
      }
      case "scalar": {
        if (!isReferring(node)) return node;
        const part = partAt(first ?? "", second);
        const known = { portal: { name: portalName }, ...(ownVars && { vars: ownVars }) };
        const context = { ...around, part, ...known };
        // These are resolved when they are first used, so that a check needs no secret; what they name is checked.
        return part === "state" || part === "signIn"
          ? lookOver(node, context)
          : resolveNode(node, context);
      }
      case "mark":
        return node;
      default:
        throw node satisfies never;
    }
  }
  // Before all others, which refer to them.
  ownVars = varsNode && walk(varsNode, "vars");
  return { root: walk(root), problems, paths, used };
}

/** A text that is resolved when it is first used. */
export function resolveLater(node: Node, surroundings: Surroundings): Resolved {
  const problems: Diagnostic[] = [];
  const used = new Set<string>();
  const context = { ...surroundings, problems, used, size: { left: LARGEST_FILE } };
  return { root: resolveNode(node, context), problems };
}

interface Context extends Surroundings {
  readonly problems: Diagnostic[];
  /** The names of variables that were referred to. */
  readonly used: Set<string>;
  /** How long all references of the file may still become: each may stand for a text of the longest kind. */
  readonly size: { left: number };
}

/** A reference as a text holds it. */
interface Written {
  readonly whole: string;
  readonly kind: "env" | "file" | "command" | "portal" | "vars";
  readonly body: string;
  readonly isClosed: boolean;
}

/**
 * A text with its references replaced, each with the place where the text spells it; `replace` gives undefined where nothing more is
 * to be replaced. One by one, because `String.replace` holds all that it finds at once.
 */
function replaceReferences(
  node: Text,
  { part }: Surroundings,
  replace: (at: Scalar, written: Written) => string | undefined,
): string {
  const source = node.span.source.text.slice(0, node.span.end);
  const pieces: string[] = [];
  let [from, end] = [node.span.start, 0];
  for (const found of node.value.matchAll(REFERENCE)) {
    const [whole, kind = "", body = "", close = "", portal] = found;
    const start = source.indexOf(whole, from);
    // What is spelled with escapes is not looked for again: each time would take the whole text.
    from = start === -1 ? source.length : start + whole.length;
    let piece: string | undefined = "${";
    // The name of something that is not known here is a text like any other.
    if (portal && !OPENNESS[part].portal.includes(portal)) piece = whole;
    else if (whole !== "$${") {
      const span = start === -1 ? node.span : { ...node.span, start, end: from };
      const written: Written = portal
        ? { whole, kind: "portal", body: portal, isClosed: true }
        : { whole, kind: kind.slice(0, -1) as Written["kind"], body, isClosed: close !== "" };
      piece = replace({ ...node, span }, written);
    }
    if (piece === undefined) break;
    pieces.push(node.value.slice(end, found.index), piece);
    end = found.index + whole.length;
  }
  return pieces.join("") + node.value.slice(end);
}

/** Whether a text that nothing was replaced in refers to anything. */
export function holdsReference(written: string): boolean {
  return /(?<!\$)\$\{(?:env:|file:|command:|vars\.)|(?<!\$)\$\{portal\.name\}/.test(written);
}

/** Whether a text begins as a reference does, or as one that is misspelt. */
export function beginsReference(text: string): boolean {
  return (
    /^\$\{(?:env|file|command|portal|vars?)[.:]/i.test(text) || shellVariableIn(text) !== undefined
  );
}

export function isReferring(node: Node): node is Text {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.includes("${");
}

/** Says what may not stand there, without looking anything up. */
function lookOver(node: Text, context: Context): Node {
  replaceReferences(node, context, (at, written) => {
    if (context.problems.length > MOST_PROBLEMS) return undefined;
    const refusal = refusalOf(at, written, context);
    if (refusal) context.problems.push(refusal);
    return "";
  });
  context.problems.push(...oddReferences(node, context));
  return node;
}

function resolveNode(node: Node, context: Context): Node {
  if (!isReferring(node)) return node;
  const alone = /^\$\{vars\.([^}]*)\}$/.exec(node.value)?.[1];
  if (alone !== undefined && context.part === "settings")
    return wholeVariable(node, alone, context);
  const { problems, size } = context;
  const through: Via[] = [];
  let isKnown = true;
  const text = replaceReferences(node, context, (at, written) => {
    if (problems.length > MOST_PROBLEMS || size.left < 0) return undefined;
    const found = findReferred(at, written, context);
    if (typeof found === "string") {
      size.left -= found.length;
      if (size.left < 0) problems.push(tooMuch(node));
      const variable = written.kind === "vars" ? childOf(context.vars, written.body) : undefined;
      if (variable)
        through.push({ span: variable.span, message: `is what "${written.whole}" holds` });
      return found;
    }
    isKnown = false;
    if (found) problems.push(found);
    return "";
  });
  problems.push(...oddReferences(node, context));
  if (!isKnown || size.left < 0) return unknownAt(node);
  if (text === node.value) return node;
  const replaced = { ...node, value: text, written: node.value };
  // What stands for a setting is shown; an address is named as it is written.
  if (OPENNESS[context.part].files !== "repository") return replaced;
  through.push({ span: node.span, message: `becomes ${preview(text)}` });
  return { ...replaced, via: [...node.via, ...through] };
}

function unknownAt({ span, via }: Node): Mark {
  return { kind: "mark", mark: "unknown", span, via };
}

/** A text that is one variable and nothing else becomes its value, which keeps its type and its place. */
function wholeVariable(node: Text, name: string, context: Context): Node {
  const { problems, size } = context;
  const found = findOwnVariable(node, name, context);
  if (!found || "code" in found) {
    if (found) problems.push(found);
    return unknownAt(node);
  }
  size.left -= found.span.end - found.span.start;
  if (size.left < 0) {
    problems.push(tooMuch(node));
    return unknownAt(node);
  }
  const use = { span: node.span, message: `uses it as "${node.value}"` };
  return { ...throughVariable(found, [use, ...node.via]), usedAt: node.span };
}

/** A list knows it for each of its entries, at which rules find what is wrong. */
function throughVariable(node: Node, through: readonly Via[]): Node {
  const placed = { ...node, via: [...node.via, ...through] };
  if (placed.kind === "list") {
    return { ...placed, items: placed.items.map((item) => throughVariable(item, through)) };
  }
  if (placed.kind !== "mapping") return placed;
  const entries = [...placed.entries].map(([key, entry]): [string, Entry] => [
    key,
    { ...entry, value: throughVariable(entry.value, through) },
  ]);
  return { ...placed, entries: new Map(entries) };
}

/** The value of a variable of the file; undefined where it lacks one, which has a diagnostic of its own. */
function findOwnVariable(
  node: Scalar,
  name: string,
  { vars, used }: Pick<Context, "vars" | "used">,
): Node | Diagnostic | undefined {
  used.add(name);
  const found = childOf(vars, name);
  // A mark, a null, and what is no value of a variable have diagnostics at their places.
  if (found) return found.kind === "scalar" || found.kind === "list" ? found : undefined;
  if (vars && vars.kind !== "mapping") return undefined;
  const [first = "", ...below] = name.split(".");
  if (below.length > 0 && childOf(vars, first)?.kind === "mapping") {
    used.add(first);
    return undefined;
  }
  const message = `The variable "vars.${name}" is not defined.`;
  const help =
    didYouMean(name, entriesOf(vars).keys()) ??
    `Define it in this file or a base${below.length > 0 ? ", by a name without a dot" : ""}:\n  vars:\n    ${name.replaceAll(".", "-")}: …`;
  return diagnose("undefined-variable", node, message, help);
}

const SHELL_VARIABLES = /(?<!\$)\$\{[A-Z][A-Z0-9_]{0,200}\}/g;

/** The name of the shell variable that a text begins with, as in "${BANNER_TEXT}". */
function shellVariableIn(text: string): string | undefined {
  return /^\$\{([A-Z][A-Z0-9_]{0,200})\}/.exec(text)?.[1];
}

/** A misspelt reference stays in the text: on the portal as a text, in the address of a state as another place. */
function oddReferences(node: Text, { part }: Context): Diagnostic[] {
  const isState = part === "state";
  // Bounded, because each one that is not closed would be looked through to the end of the text.
  const patterns = isState
    ? [/(?<!\$)\$\{[^}]{0,200}\}?/g]
    : [/(?<!\$)\$\{(?:env|file|command|portal|vars?)[.:][^}]{0,200}\}/gi, SHELL_VARIABLES];
  const odd = patterns.flatMap((pattern) => node.value.match(pattern) ?? []);
  const { files, portal } = OPENNESS[part];
  const known = portal.map((name) => `\${portal.${name}}`);
  const list = [
    isState ? "${env:LINTEL_VAR_NAME}" : "${env:NAME}",
    ...(files === "none" ? [] : ["${file:path}"]),
    ...(part === "settings" ? ["${vars.name}"] : []),
    ...known,
  ].join(", ");
  const source = node.span.source.text.slice(0, node.span.end);
  return [...new Set(odd)]
    .filter((whole) => !/^\$\{(?:env:|file:|command:|vars\.)/.test(whole) && !known.includes(whole))
    .slice(0, MOST_PROBLEMS)
    .map((whole) => {
      const start = source.indexOf(whole, node.span.start);
      const span = start === -1 ? node.span : { ...node.span, start, end: start + whole.length };
      const meant = meantBy(whole, portal);
      const hint = meant === undefined ? "" : `Did you mean "\${${meant}}"? `;
      const help = `${hint}References are ${list}. To write this text, double the dollar: $${whole}.`;
      return isState
        ? diagnose("bad-reference", { ...node, span }, `"${whole}" is no reference.`, help)
        : diagnose(
            "odd-reference",
            { ...node, span },
            `"${whole}" is no reference and stays in the text.`,
            help,
          );
    });
}

/** What may be meant by a text that is almost a reference, without its braces. */
function meantBy(whole: string, portal: readonly string[]): string | undefined {
  const own = /^\$\{vars?[.:](.*)\}$/i.exec(whole)?.[1];
  if (own !== undefined) return `vars.${own}`;
  const [near] = nearest(/^\$\{portal[.:](.*)\}$/i.exec(whole)?.[1] ?? whole, portal);
  const variable = shellVariableIn(whole);
  return near === undefined ? variable && openName(variable) : `portal.${near}`;
}

/** Settings refer to variables with this prefix only. */
function openName(variable: string): string {
  return `env:${OPEN_VARIABLE.test(variable) ? "" : "LINTEL_VAR_"}${variable}`;
}

function tooMuch(node: Scalar): Diagnostic {
  const message = `The references of this file stand for more than ${LARGEST_FILE / 1024 / 1024} MiB.`;
  return refuse(node, message, "Refer to shorter texts, or to fewer.");
}

/** What a portal is called whose file does not say. */
export function nameFor(file: string): string {
  return file === "-" ? "stdin" : basename(file).replace(/\.ya?ml$/i, "");
}

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

/** What one reference stands for, or why it stands for nothing here; undefined where a diagnostic reports it already. */
function findReferred(
  node: Scalar,
  written: Written,
  context: Context,
): string | Diagnostic | undefined {
  const { whole, kind } = written;
  const body = withKey(written, context);
  const refusal = refusalOf(node, written, context);
  if (refusal) return refusal;
  if (kind === "env") return findVariable(node, body, context);
  if (kind === "file") return findFile(node, body, context);
  if (kind === "vars") {
    const found = findOwnVariable(node, body, context);
    if (!found || "code" in found) return found;
    if (found.kind === "scalar") return String(found.value);
    const message = `"${whole}" is a list, which cannot be a part of a text.`;
    return refuse(node, message, `Write it alone, without anything around it: ${whole}`);
  }
  const found = context.portal[body];
  const message = `"${whole}" stands inside the portal's own name.`;
  return found ?? refuse(node, message, "Write the name out.");
}

function refuse(node: Scalar, message: string, help: string): Diagnostic {
  return diagnose("bad-reference", node, message, help);
}

/** Why no reference may stand here: nothing is looked up for that. */
function refusalOf(node: Scalar, written: Written, context: Surroundings): Diagnostic | undefined {
  const { whole, kind, isClosed } = written;
  if (kind === "portal") return undefined;
  const body = withKey(written, context);
  if (body.includes("${")) {
    const help = "Write one after the other; a fallback is plain text.";
    return refuse(node, `"${whole}" holds another reference.`, help);
  }
  if (!isClosed) {
    const help = 'Write "}" after it. To write this text, double the dollar: "$${".';
    return refuse(node, `"${whole}" lacks its closing brace.`, help);
  }
  if (kind === "vars") return refusedOwnVariable(node, whole, context.part);
  if (kind === "command") return refusedCommand(node, whole, body, context.part);
  return kind === "env"
    ? refusedVariable(node, body, context.part)
    : refusedFile(node, body, context);
}

/** With the portal's key in the name of a secret, so that one base serves many portals; a stand-in while it is unknown. */
function withKey({ kind, body }: Written, { part, portal }: Surroundings): string {
  if (part !== "signIn" || (kind !== "file" && kind !== "command")) return body;
  return body.replaceAll(PORTAL_KEY, portal["key"] ?? "KEY");
}

/** The program runs when the run signs in: see `commandNamed`. */
function refusedCommand(
  node: Scalar,
  whole: string,
  name: string,
  part: Part,
): Diagnostic | undefined {
  if (part !== "signIn" || node.value !== whole) {
    const help = `Write it below "signIn" as the whole value of a field, such as:\n  password: ${whole}`;
    return refuse(node, `"${whole}" may stand only under "signIn", and alone.`, help);
  }
  if (/^[A-Za-z0-9][\w.~%-]*$/.test(name)) return undefined;
  const help =
    "Write one name, as the configuration of the machine lists it. The program's arguments stand there, too.";
  return refuse(node, `"${whole}" does not name a command.`, help);
}

/** The name of the command that a text refers to and is nothing else; undefined for any other text. */
export function commandIn(text: string, key: string): string | undefined {
  return /^\$\{command:((?:\$\{portal\.key\}|[^}])+)\}$/
    .exec(text)?.[1]
    ?.replaceAll(PORTAL_KEY, key);
}

function refusedOwnVariable(node: Scalar, whole: string, part: Part): Diagnostic | undefined {
  switch (part) {
    case "settings":
      return undefined;
    case "vars":
      return refuse(node, `"${whole}" stands in the value of a variable.`, "Write the value out.");
    case "name":
      return refuse(node, `"${whole}" stands in the portal's name.`, "Write the name out.");
    case "state": {
      const help =
        "Write it out, or refer to ${env:LINTEL_VAR_NAME}, ${portal.name} or ${portal.key}.";
      return refuse(node, `"${whole}" may not stand under "state".`, help);
    }
    case "address":
    case "signIn": {
      const help = `Write it out, or refer to \${env:${part === "address" ? "LINTEL_VAR_NAME" : "LINTEL_NAME"}}.`;
      return refuse(node, `"${whole}" may not stand under "signIn".`, help);
    }
    default:
      throw part satisfies never;
  }
}

function refusedVariable(node: Scalar, body: string, part: Part): Diagnostic | undefined {
  const name = variableIn(body);
  if (name === undefined) {
    const message = `"\${env:${body}}" names no variable.`;
    const help = "Write ${env:LINTEL_VAR_NAME}, or ${env:LINTEL_VAR_NAME:-fallback}.";
    return refuse(node, message, help);
  }
  const refusedKey = refuseKey(node, name);
  if (refusedKey) return refusedKey;
  // Some systems ignore the letter case of variables.
  if (name.toUpperCase().startsWith(WEBHOOK_PREFIX)) {
    const message = `The variable "${name}" belongs to a webhook, and may be referred to only under "notify" of lintel.yaml.`;
    const help = "Refer to another variable.";
    return diagnose("forbidden-variable", node, message, help);
  }
  if (OPENNESS[part].variables.test(name)) return undefined;
  const isForSignIn = part === "signIn";
  const reason = isForSignIn
    ? "LINTEL_… are meant for signing in"
    : "LINTEL_VAR_… hold nothing secret";
  const message = `The variable "${name}" may not be referred to here, because only variables named ${reason}.`;
  const help = isForSignIn
    ? `If it is meant for that, give it such a name:\n  LINTEL_${name}`
    : `If it holds nothing secret, give it such a name:\n  LINTEL_VAR_${name.replace(/^LINTEL_/, "")}`;
  return diagnose("forbidden-variable", node, message, help);
}

/** Undefined for a variable that is no key of Lintel's own. */
export function refuseKey(node: Scalar, name: string): Diagnostic | undefined {
  if (!KEYS.includes(name.toUpperCase())) return undefined;
  const message = `The variable "${name}" is Lintel's own key, and may be referred to nowhere.`;
  const help = "Remove the reference. Lintel reads the variable without one.";
  return diagnose("forbidden-variable", node, message, help);
}

function refusedFile(
  node: Scalar,
  body: string,
  { part, cwd, env }: Surroundings,
): Diagnostic | undefined {
  const from = node.span.source.path;
  if (body === "") {
    return refuse(node, '"${file:}" names no file.', "Write ${file:path/to/text.txt}.");
  }
  const { files } = OPENNESS[part];
  if (files === "none") {
    const message = `"\${file:${body}}" may not stand in an address, which is shown and looked up.`;
    const help = "Write the address out, or refer to a variable named LINTEL_VAR_….";
    return refuse(node, message, help);
  }
  if (from === undefined && !isAbsolute(body)) {
    const message = `"${body}" cannot be found from standard input, which lies in no folder.`;
    return refuse(node, message, "Check a file instead of standard input.");
  }
  const path = pathOf(node, body);
  if (files === "secrets") {
    const folder = secretsFolder(env, cwd);
    if (isInside(folder, path)) return undefined;
    const message = `"${body}" is not a file of the folder "${folder}", the only one that secrets are taken from.`;
    const help =
      "Keep the secret in that folder, or name the folder that you keep them in, outside the repository:\n  export LINTEL_SECRETS=DIR";
    return diagnose("outside-secrets", node, message, help);
  }
  const repository = from === undefined ? undefined : repositoryOf(from);
  const open = repository ?? (from && dirname(from));
  if (!open || !isOpenTo(open, path)) {
    const message = `"${body}" is not a file that a review of this ${repository ? "repository" : "folder"} shows.`;
    const help =
      "Refer to a file beside this one or in the same repository, and to none that is hidden.";
    return diagnose("outside-repository", node, message, help);
  }
  // One that is missing is reported when it is read.
  if (!repository || !existsSync(path)) return undefined;
  const tracked = isTracked({ env }, repository, realpathSync.native(path));
  if (tracked === true) return undefined;
  const { message, help } = tracked
    ? {
        message: `Git does not say whether it tracks "${body}": ${tracked.why}.`,
        help: tracked.help,
      }
    : {
        message: `"${body}" is not tracked by git, so that no review of this repository shows it.`,
        help: `Add it:\n  git add ${shellWord(body)}`,
      };
  return diagnose("outside-repository", node, message, help);
}

function pathOf({ span: { source } }: Scalar, body: string): string {
  return source.path === undefined ? body : resolve(dirname(source.path), body);
}

function findVariable(node: Scalar, body: string, { env, part }: Surroundings) {
  const [, name = "", fallback] = VARIABLE.exec(body) ?? [];
  const value = env[name] ?? fallback;
  if (value !== undefined) return part === "signIn" ? withoutNewline(value) : value;
  const known = Object.keys(env).filter((each) => OPEN_VARIABLE.test(each));
  const help =
    didYouMean(name, known) ??
    `Define it, or write a fallback: \${env:${name}:-fallback}. To write this text, double the dollar: $\${.`;
  return diagnose("undefined-variable", node, `The variable "${name}" is not defined.`, help);
}

function findFile(node: Scalar, body: string, { noteFile }: Surroundings): string | Diagnostic {
  const path = pathOf(node, body);
  noteFile?.(path);
  try {
    const bytes = readBytes(path);
    return isUtf8(bytes) && !bytes.includes(0)
      ? withoutNewline(new TextDecoder().decode(bytes))
      : refuse(node, `"${body}" is not a text in UTF-8.`, "Save it as UTF-8.");
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) {
      const help = "Check the path; it starts from this file's folder.";
      return refuse(node, `There is no file "${body}".`, help);
    }
    const message = `"${body}" cannot be read: ${reasonOf(error) ?? String(error)}.`;
    return refuse(node, message, "Check the path and its permissions.");
  }
}

/** What most programs put at the end of what they write. */
export function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}
