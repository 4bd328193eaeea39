// One reference → the text that it stands for, within what a change under review may refer to.
import { isUtf8 } from "node:buffer";
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { reasonOf } from "../../lib/files.js";
import { readBytes } from "./bytes.js";
import { isInside, isOpenTo, repositoryOf, secretsFolder } from "./repository.js";
import { shellWord } from "../../lib/text.js";
import { isTracked } from "./tracked.js";
import { diagnose, type Scalar } from "./tree.js";

export type Env = Readonly<Record<string, string | undefined>>;

/** The variables that anything under review may refer to; all others may hold secrets. */
const OPEN_VARIABLE = /^LINTEL_VAR_/;
const OWN_VARIABLE = /^LINTEL_/;

/**
 * Addresses and keys of webhooks, for lintel.yaml alone: as a field of a sign-in, one would be posted to the sign-in
 * service.
 */
export const WEBHOOK_PREFIX = "LINTEL_WEBHOOK_";

/** What Lintel signs and opens its own doors with; whoever knows one can forge what it vouches for. */
export const KEYS = [
  "LINTEL_STATE_KEY",
  "LINTEL_STATE_KEY_OLD",
  "LINTEL_QUEUE_KEY",
  "LINTEL_SERVE_TOKEN",
];

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** The name in a reference to a variable; undefined where it names none. */
export function variableIn(body: string): string | undefined {
  return VARIABLE.exec(body)?.[1];
}

/**
 * Where a reference stands, hence what it may name. Anybody may propose a change, so that nothing secret may be named
 * where it would be shown, or would leave with the look-up of a name.
 */
export type Part = "settings" | "address" | "state" | "signIn";

export const OPENNESS: {
  readonly [part in Part]: {
    readonly variables: RegExp;
    readonly files: "repository" | "secrets" | "none";
    /** The names that ${portal.…} knows. */
    readonly portal: readonly string[];
  };
} = {
  settings: { variables: OPEN_VARIABLE, files: "repository", portal: ["name"] },
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
  /** Told of every file that is looked for. */
  readonly noteFile?: (path: string) => void;
}

/** A reference as a text holds it: its kind is "env", "file" or "portal". */
export interface Written {
  readonly whole: string;
  readonly kind: string;
  readonly body: string;
  readonly close: string;
}

/** What one reference stands for, or why it stands for nothing here. */
export function findReferred(
  node: Scalar,
  written: Written,
  context: Surroundings,
): string | Diagnostic {
  const { whole, kind, body } = written;
  const refusal = refusalOf(node, written, context);
  if (refusal) return refusal;
  if (kind === "env") return findVariable(node, body, context);
  if (kind === "file") return findFile(node, body, context);
  const found = context.portal[body];
  const message = `"${whole}" stands inside the portal's own name.`;
  return found ?? refuse(node, message, "Write the name out.");
}

function refuse(node: Scalar, message: string, help: string): Diagnostic {
  return diagnose("bad-reference", node, message, help);
}

/** Why a reference may not stand here, whatever it stands for: nothing is looked up for that. */
export function refusalOf(
  node: Scalar,
  { whole, kind, body, close }: Written,
  context: Surroundings,
): Diagnostic | undefined {
  if (kind === "portal") return undefined;
  if (body.includes("${")) {
    const help = "Write one after the other; a fallback is plain text.";
    return refuse(node, `"${whole}" holds another reference.`, help);
  }
  if (close === "") {
    const help = 'Write "}" after it. For the text as it stands, double the dollar: "$${".';
    return refuse(node, `"${whole}" lacks its closing brace.`, help);
  }
  return kind === "env"
    ? refusedVariable(node, body, context.part)
    : refusedFile(node, body, context);
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
  // Some systems find a variable in whatever letter case.
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
  const help = "Remove the reference. Lintel reads the variable by itself.";
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
  // One that is not there is told of when it is read.
  if (!repository || !existsSync(path)) return undefined;
  const tracked = isTracked({ env }, repository, realpathSync.native(path));
  if (tracked === true) return undefined;
  const { message, help } = tracked
    ? {
        message: `Git does not tell whether it tracks "${body}": ${tracked.why}.`,
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
    `Define it, or write a fallback: \${env:${name}:-fallback}. For the text as it stands, double the dollar: $\${.`;
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
