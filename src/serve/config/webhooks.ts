// The webhooks of lintel.yaml → their addresses and secrets, from where these are kept; or what gives one away, or is missing.
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

interface Found {
  readonly resolved: readonly Resolved[];
  readonly problems: readonly Diagnostic[];
}

/** Shorter ones can be guessed. */
const LEAST_SECRET = 16;

export function webhookProblems(root: Node, io: Pick<Io, "env">): Found {
  const problems: Diagnostic[] = [];
  const names = new Set<string>();
  const resolved = itemsOf(childOf(root, "notify")).map((node): Resolved => {
    const name = childOf(node, "name");
    const text = textOf(name) ?? "";
    if (name && names.has(text)) {
      const message = `There is another webhook called "${text}".`;
      problems.push(diagnose("duplicate-key", name, message, "Give each a name of its own."));
    }
    names.add(text);
    return resolve(node, io, (problem) => void problems.push(problem));
  });
  return { resolved, problems };
}

type Tell = (problem: Diagnostic) => void;

function resolve(node: Node, { env }: Pick<Io, "env">, tell: Tell): Resolved {
  const form = textOf(childOf(node, "form")) ?? "json";
  const name = textOf(childOf(node, "name")) ?? "";
  const [url, key] = [childOf(node, "url"), childOf(node, "secret")];
  const address = url && addressIn(url, { form, name, env }, tell);
  if (!key) return { ...address };
  if (form !== "json") {
    const message = `A message for ${form === "teams" ? "Teams" : "Slack"} is not signed: nobody there would look at it.`;
    tell(diagnose("unknown-key", key, message, 'Remove "secret"; its address is the secret.'));
    return { ...address };
  }
  if (!isReferring(key)) {
    const what = '"secret" is written out, where a secret must be a reference';
    tell(literal(key, what, "secret", "LINTEL_WEBHOOK_SECRET"));
    return { ...address };
  }
  const text = valueOf(key, "secret", "LINTEL_WEBHOOK_SECRET", env, tell);
  if (text !== undefined && text.length < LEAST_SECRET) {
    const message = `The secret of this webhook is shorter than ${LEAST_SECRET} letters, so that it can be guessed.`;
    const help =
      "Make one, and keep it where both sides keep their secrets:\n  openssl rand -hex 32";
    tell(diagnose("wrong-format", key, message, help));
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
  tell: Tell,
): Pick<Resolved, "url" | "written"> {
  const isReference = isReferring(node);
  const plain = textOf(node) ?? "";
  const variable = `LINTEL_WEBHOOK_${name.toUpperCase().replaceAll("-", "_")}`;
  const hasUser = /^[a-z]+:\/\/[^/?#]*@/i.test(plain);
  if (!isReference && (hasUser || form !== "json")) {
    const what = hasUser
      ? '"url" holds a user name or a password'
      : '"url" is written out, and whoever knows such an address can post there';
    tell(literal(node, what, "url", variable));
    return {};
  }
  const url = isReference ? valueOf(node, "url", variable, env, tell) : plain;
  if (url === undefined) return {};
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isFit =
    address && /^https?:$/.test(address.protocol) && !address.username && !address.password;
  if (!isFit || !isSecure(address)) {
    const subject = isReference ? `What "${plain}" stands for` : `"${plain}"`;
    const why = isFit ? "is not encrypted on its way" : "is no address that can be called";
    const help = "Use https://HOST/PATH. Only addresses of this machine may use http://.";
    tell(diagnose("wrong-format", node, `${subject} ${why}.`, help));
  }
  if (address && isUpdate(address.pathname)) {
    const message = "A webhook cannot be at the address by which a portal's settings are changed.";
    tell(diagnose("wrong-format", node, message, "Write the address of who is to be told."));
  }
  return { url, written: isReference ? plain : undefined };
}

/**
 * What one whole reference to a variable of webhooks stands for. A change under review writes this file: beside other
 * text, or of another variable, a reference would post there what is none of the receiver's business.
 */
function valueOf(
  node: Text,
  key: "url" | "secret",
  example: string,
  env: Io["env"],
  tell: Tell,
): string | undefined {
  const [, name] = /^\$\{env:([A-Za-z_]\w*)\}$/.exec(node.value) ?? [];
  if (name === undefined || name === WEBHOOK_PREFIX) {
    const message = `"${key}" must be one whole reference to a variable named ${WEBHOOK_PREFIX}…${key === "url" ? ", or hold no reference" : ""}.`;
    const help = `Put all of it into a variable, and refer to that:\n  ${key}: \${env:${example}}`;
    tell(diagnose("bad-reference", node, message, help));
    return undefined;
  }
  if (!name.startsWith(WEBHOOK_PREFIX)) {
    const refusedKey = refuseKey(node, name);
    const message = `The variable "${name}" may not be referred to here, because only variables named ${WEBHOOK_PREFIX}… are meant for webhooks.`;
    const help = `If it is meant for one, give it such a name:\n  ${WEBHOOK_PREFIX}${name.replace(/^LINTEL_(?:VAR_)?/, "")}`;
    tell(refusedKey ?? diagnose("forbidden-variable", node, message, help));
    return undefined;
  }
  const value = env[name];
  if (value !== undefined) return withoutNewline(value);
  // Compared without what all of them begin with, by which any two would look alike.
  const known = Object.keys(env).filter((each) => each.startsWith(WEBHOOK_PREFIX));
  const [near] = nearest(
    name.slice(WEBHOOK_PREFIX.length),
    known.map((each) => each.slice(WEBHOOK_PREFIX.length)),
  );
  const help =
    near === undefined
      ? `Set it where the run is started:\n  export ${name}=…`
      : `Did you mean "${WEBHOOK_PREFIX}${near}"?`;
  tell(diagnose("undefined-variable", node, `The variable "${name}" is not defined.`, help));
  return undefined;
}

function literal(node: Node, what: string, key: string, variable: string): Diagnostic {
  const help = `Keep it in a variable, change it if it has been committed, and write:\n  ${key}: \${env:${variable}}`;
  return diagnose("literal-secret", node, `${what}.`, help);
}
