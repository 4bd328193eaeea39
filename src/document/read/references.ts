// Replaces ${env:…}, ${file:…}, ${vars.…} and ${portal.name} in texts, as far as a change under review may use them.
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

/** The variables that anything under review may use; all others may be secrets. */
const OPEN_VARIABLE = /^LINTEL_VAR_/;
const OWN_VARIABLE = /^LINTEL_/;

/**
 * Addresses and keys of webhooks, only for lintel.yaml. In a sign-in field, one would be sent to the sign-in service.
 */
export const WEBHOOK_PREFIX = "LINTEL_WEBHOOK_";

/** Keys that sign states or check logins: with one, anyone can forge these. */
export const KEYS = [
  "LINTEL_STATE_KEY",
  "LINTEL_STATE_KEY_OLD",
  "LINTEL_SERVE_TOKEN",
  "LINTEL_PROXY_SECRET",
  "LINTEL_HOOK_SECRET",
];

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** The variable's name; undefined if the body is no valid reference. */
export function variableIn(body: string): string | undefined {
  return VARIABLE.exec(body)?.[1];
}

/**
 * The part of the file that contains a reference, which decides what it may name. A change under review must not use a
 * secret where output or a DNS query would reveal it.
 */
export type Part = "settings" | "vars" | "name" | "address" | "state" | "signIn";

export const OPENNESS: {
  readonly [part in Part]: {
    readonly variables: RegExp;
    readonly files: "repository" | "secrets" | "none";
    /** The allowed names of ${portal.…}. */
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

/** The sources of references. */
export interface Surroundings {
  readonly part: Part;
  readonly cwd: string;
  readonly env: Env;
  /** The values of ${portal.…}; undefined while one is being resolved. */
  readonly portal: Readonly<Record<string, string | undefined>>;
  /** The values of ${vars.…}; absent if no reference to them is allowed. */
  readonly vars?: Node;
  /** Called for every file that is looked up. */
  readonly noteFile?: (path: string) => void;
}

interface Resolved {
  readonly root: Node;
  readonly problems: readonly Diagnostic[];
}

/** The part of the file for a path. */
export function partAt(first: string, second: string | undefined): Part {
  if (first === "state" || first === "vars") return first;
  if (first !== "signIn" || second === undefined) return "settings";
  return second === "url" ? "address" : "signIn";
}

/** More problems would hide the first. */
const MOST_PROBLEMS = 1000;

/** The reference to the key of a portal's state. */
export const PORTAL_KEY = "${portal.key}";

const REFERENCE =
  /\$\$\{|\$\{(?:(env:|file:|command:|vars\.)((?:\$\{portal\.key\}|[^}])*)(\}?)|portal\.(name|key)\})/g;

interface Substituted extends Resolved {
  /** The files in references, including unreadable ones. */
  readonly paths: readonly string[];
  /** The names of variables in references. */
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

  /** Returns nodes without references unchanged, as most are. The first two keys decide what a reference may name. */
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
        // Resolved at their first use, so that a check needs no secret; only the names are checked here.
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
  // Resolved first, because all others refer to them.
  ownVars = varsNode && walk(varsNode, "vars");
  return { root: walk(root), problems, paths, used };
}

/** Resolves a text at its first use. */
export function resolveLater(node: Node, surroundings: Surroundings): Resolved {
  const problems: Diagnostic[] = [];
  const used = new Set<string>();
  const context = { ...surroundings, problems, used, size: { left: LARGEST_FILE } };
  return { root: resolveNode(node, context), problems };
}

interface Context extends Surroundings {
  readonly problems: Diagnostic[];
  /** The names of used variables. */
  readonly used: Set<string>;
  /** The remaining length for all resolved references of the file, because each may be very long. */
  readonly size: { left: number };
}

/** A reference in a text. */
interface Written {
  readonly whole: string;
  readonly kind: "env" | "file" | "command" | "portal" | "vars";
  readonly body: string;
  readonly isClosed: boolean;
}

/**
 * Replaces the references of a text, each with its place; `replace` returns undefined to stop. One by one, because
 * `String.replace` collects all matches first.
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
    // A reference with escapes is not searched for again, because each search would scan the whole text.
    from = start === -1 ? source.length : start + whole.length;
    let piece: string | undefined = "${";
    // An unknown name here is plain text.
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

/** Whether an unresolved text contains references. */
export function holdsReference(written: string): boolean {
  return /(?<!\$)\$\{(?:env:|file:|command:|vars\.)|(?<!\$)\$\{portal\.name\}/.test(written);
}

/** Whether a text begins with a reference, even a misspelt one. */
export function beginsReference(text: string): boolean {
  return (
    /^\$\{(?:env|file|command|portal|vars?)[.:]/i.test(text) || shellVariableIn(text) !== undefined
  );
}

export function isReferring(node: Node): node is Text {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.includes("${");
}

/** Reports references that are not allowed, without resolving any. */
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
  // Values of settings are shown; an address is shown as written.
  if (OPENNESS[context.part].files !== "repository") return replaced;
  through.push({ span: node.span, message: `becomes ${preview(text)}` });
  return { ...replaced, via: [...node.via, ...through] };
}

function unknownAt({ span, via }: Node): Mark {
  return { kind: "mark", mark: "unknown", span, via };
}

/** A text that is only a variable becomes its value, with its type and place. */
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

/** Marks all entries of a list, because rules report problems at entries. */
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

/** The value of a variable in the file; undefined if it has none, which has its own diagnostic. */
function findOwnVariable(
  node: Scalar,
  name: string,
  { vars, used }: Pick<Context, "vars" | "used">,
): Node | Diagnostic | undefined {
  used.add(name);
  const found = childOf(vars, name);
  // Marks, nulls and invalid values have diagnostics at their places.
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

/** The shell variable at the start of a text, such as "${BANNER_TEXT}". */
function shellVariableIn(text: string): string | undefined {
  return /^\$\{([A-Z][A-Z0-9_]{0,200})\}/.exec(text)?.[1];
}

/** A misspelt reference stays in the text: a portal would show it, and a state address would name another place. */
function oddReferences(node: Text, { part }: Context): Diagnostic[] {
  const isState = part === "state";
  // Limited, because each unclosed one would be searched to the end of the text.
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

/** The likely reference for a text that is almost one, without braces. */
function meantBy(whole: string, portal: readonly string[]): string | undefined {
  const own = /^\$\{vars?[.:](.*)\}$/i.exec(whole)?.[1];
  if (own !== undefined) return `vars.${own}`;
  const [near] = nearest(/^\$\{portal[.:](.*)\}$/i.exec(whole)?.[1] ?? whole, portal);
  const variable = shellVariableIn(whole);
  return near === undefined ? variable && openName(variable) : `portal.${near}`;
}

/** Settings may only use variables with this prefix. */
function openName(variable: string): string {
  return `env:${OPEN_VARIABLE.test(variable) ? "" : "LINTEL_VAR_"}${variable}`;
}

function tooMuch(node: Scalar): Diagnostic {
  const message = `The references of this file stand for more than ${LARGEST_FILE / 1024 / 1024} MiB.`;
  return refuse(node, message, "Refer to shorter texts, or to fewer.");
}

/** The name of a portal whose file sets none. */
export function nameFor(file: string): string {
  return file === "-" ? "stdin" : basename(file).replace(/\.ya?ml$/i, "");
}

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

/** The value of a reference, or why it has none here; undefined if a diagnostic already reports it. */
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

/** Why no reference is allowed here, without resolving it. */
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

/** Inserts the portal's key into a secret's name, so that one base serves many portals; a placeholder if unknown. */
function withKey({ kind, body }: Written, { part, portal }: Surroundings): string {
  if (part !== "signIn" || (kind !== "file" && kind !== "command")) return body;
  return body.replaceAll(PORTAL_KEY, portal["key"] ?? "KEY");
}

/** The program runs at the sign-in: see `commandNamed`. */
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

/** The command's name, if the text is only a reference to it; else undefined. */
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
  // On some systems, names of variables are not case-sensitive.
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

/** Undefined for a variable that is not one of Lintel's keys. */
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
  // A missing file is reported when it is read.
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

/** Most programs end their output with a line break. */
export function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}
