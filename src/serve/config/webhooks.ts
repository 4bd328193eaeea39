// Resolves the webhooks of lintel.yaml: their addresses and secrets, or the errors in them.
import { nearest, type Diagnostic } from "../../diagnostic.js";
import {
  isReferring,
  refuseKey,
  WEBHOOK_PREFIX,
  withoutNewline,
} from "../../document/read/references.js";
import {
  childOf,
  diagnose,
  itemsOf,
  textOf,
  type Node,
  type Text,
} from "../../document/read/tree.js";
import { isSecure } from "../../hosts.js";
import type { Io } from "../../io.js";
import { isUpdate } from "../../request.js";
import { secret, type Secret } from "../../secret.js";

interface Resolved {
  readonly url?: string;
  readonly written?: string | undefined;
  readonly secret?: Secret | undefined;
}

interface ReadWebhooks {
  readonly resolved: readonly Resolved[];
  readonly problems: readonly Diagnostic[];
}

/** Shorter secrets can be guessed. */
const LEAST_SECRET = 16;

export function webhookProblems(root: Node, io: Pick<Io, "env">): ReadWebhooks {
  const problems: Diagnostic[] = [];
  const names = new Set<string>();
  const resolved = itemsOf(childOf(root, "notify")).map((node): Resolved => {
    const name = childOf(node, "name");
    const text = textOf(name) ?? "";
    if (name && names.has(text)) {
      const message = `Two webhooks have the name "${text}".`;
      problems.push(diagnose("duplicate-key", name, message, "Use unique names."));
    }
    names.add(text);
    return resolve(node, io, (problem) => void problems.push(problem));
  });
  return { resolved, problems };
}

type Report = (problem: Diagnostic) => void;

function resolve(node: Node, { env }: Pick<Io, "env">, report: Report): Resolved {
  const form = textOf(childOf(node, "form")) ?? "json";
  const name = textOf(childOf(node, "name")) ?? "";
  const [url, key] = [childOf(node, "url"), childOf(node, "secret")];
  const address = url && addressIn(url, { form, name, env }, report);
  if (!key) return { ...address };
  if (form !== "json") {
    const message = `A message for ${form === "teams" ? "Teams" : "Slack"} is not signed, because the receiver does not check signatures.`;
    report(diagnose("unknown-key", key, message, 'Remove "secret"; its address is the secret.'));
    return { ...address };
  }
  if (!isReferring(key)) {
    const what = '"secret" is written out, where a secret must be a reference';
    report(literal(key, what, "secret", "LINTEL_WEBHOOK_SECRET"));
    return { ...address };
  }
  const text = valueOf(key, "secret", "LINTEL_WEBHOOK_SECRET", env, report);
  if (text !== undefined && text.length < LEAST_SECRET) {
    const message = `The secret of this webhook is shorter than ${LEAST_SECRET} characters, so it could be guessed.`;
    const help = "Create one, and store it with the secrets of both sides:\n  openssl rand -hex 32";
    report(diagnose("wrong-format", key, message, help));
  }
  return { ...address, secret: text === undefined ? undefined : secret(text) };
}

interface Webhook extends Pick<Io, "env"> {
  readonly form: string;
  readonly name: string;
}

function addressIn(
  node: Node,
  { form, name, env }: Webhook,
  report: Report,
): Pick<Resolved, "url" | "written"> {
  const isReference = isReferring(node);
  const plain = textOf(node) ?? "";
  const variable = `LINTEL_WEBHOOK_${name.toUpperCase().replaceAll("-", "_")}`;
  const hasUser = /^[a-z]+:\/\/[^/?#]*@/i.test(plain);
  if (!isReference && (hasUser || form !== "json")) {
    const what = hasUser
      ? '"url" holds a user name or a password'
      : '"url" is written out, and whoever knows such an address can post there';
    report(literal(node, what, "url", variable));
    return {};
  }
  const url = isReference ? valueOf(node, "url", variable, env, report) : plain;
  if (url === undefined) return {};
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isFit =
    address && /^https?:$/.test(address.protocol) && !address.username && !address.password;
  if (!isFit || !isSecure(address)) {
    const subject = isReference ? `The value of "${plain}"` : `"${plain}"`;
    const why = isFit ? "is not encrypted" : "is not a valid address";
    const help = "Use https://HOST/PATH. Only addresses of this machine may use http://.";
    report(diagnose("wrong-format", node, `${subject} ${why}.`, help));
  }
  if (address && isUpdate(address.pathname)) {
    const message = "A webhook cannot have the address of a portal's update interface.";
    report(diagnose("wrong-format", node, message, "Write the address of the receiver."));
  }
  return { url, written: isReference ? plain : undefined };
}

/**
 * The value of one whole reference to a webhook variable. A change under review can edit this file. A reference to
 * another variable, or inside other text, could send a secret to the receiver.
 */
function valueOf(
  node: Text,
  key: "url" | "secret",
  example: string,
  env: Io["env"],
  report: Report,
): string | undefined {
  const [, name] = /^\$\{env:([A-Za-z_]\w*)\}$/.exec(node.value) ?? [];
  if (name === undefined || name === WEBHOOK_PREFIX) {
    const message = `"${key}" must be one whole reference to a variable named ${WEBHOOK_PREFIX}…${key === "url" ? ", or contain no reference" : ""}.`;
    const help = `Put the whole value into a variable:\n  ${key}: \${env:${example}}`;
    report(diagnose("bad-reference", node, message, help));
    return undefined;
  }
  if (!name.startsWith(WEBHOOK_PREFIX)) {
    const refusedKey = refuseKey(node, name);
    const message = `The variable "${name}" cannot be used here. Webhooks only use variables named ${WEBHOOK_PREFIX}….`;
    const help = `If it is for a webhook, rename it:\n  ${WEBHOOK_PREFIX}${name.replace(/^LINTEL_(?:VAR_)?/, "")}`;
    report(refusedKey ?? diagnose("forbidden-variable", node, message, help));
    return undefined;
  }
  const value = env[name];
  if (value !== undefined) return withoutNewline(value);
  // Compares without the common prefix, which would make any two names similar.
  const known = Object.keys(env).filter((each) => each.startsWith(WEBHOOK_PREFIX));
  const [near] = nearest(
    name.slice(WEBHOOK_PREFIX.length),
    known.map((each) => each.slice(WEBHOOK_PREFIX.length)),
  );
  const help =
    near === undefined
      ? `Set it where the run starts:\n  export ${name}=…`
      : `Did you mean "${WEBHOOK_PREFIX}${near}"?`;
  report(diagnose("undefined-variable", node, `The variable "${name}" is not defined.`, help));
  return undefined;
}

function literal(node: Node, what: string, key: string, variable: string): Diagnostic {
  const help = `Put it into a variable, replace it if it was committed, and write:\n  ${key}: \${env:${variable}}`;
  return diagnose("literal-secret", node, `${what}.`, help);
}
