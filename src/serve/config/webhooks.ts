// The webhooks of lintel.yaml → their addresses and secrets, from where these are kept; or what gives one away, or is missing.
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { isReferring, resolveLater } from "../../document/read/substitute.js";
import { childOf, diagnose, itemsOf, textOf, type Node } from "../../document/read/tree.js";
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

export function webhookProblems(root: Node, io: Pick<Io, "cwd" | "env">): Found {
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

function resolve(node: Node, io: Pick<Io, "cwd" | "env">, tell: Tell): Resolved {
  const form = textOf(childOf(node, "form")) ?? "json";
  const [url, key] = [childOf(node, "url"), childOf(node, "secret")];
  const address = url && addressIn(url, form, io, tell);
  if (!key) return { ...address };
  if (form !== "json") {
    const message = `A message for ${form === "teams" ? "Teams" : "Slack"} is not signed: nobody there would look at it.`;
    tell(diagnose("unknown-key", key, message, 'Remove "secret"; its address is the secret.'));
    return { ...address };
  }
  if (!isReferring(key)) {
    tell(
      literal(
        key,
        '"secret" is written out, where a secret must be a reference',
        "LINTEL_WEBHOOK_SECRET",
      ),
    );
    return { ...address };
  }
  const text = valueOf(key, io, tell);
  if (text !== undefined && text.length < LEAST_SECRET) {
    const message = `The secret of this webhook is shorter than ${LEAST_SECRET} letters, so that it can be guessed.`;
    const help =
      "Make one, and keep it where both sides keep their secrets:\n  openssl rand -hex 32";
    tell(diagnose("wrong-format", key, message, help));
  }
  return { ...address, secret: text === undefined ? undefined : secret(text) };
}

function addressIn(
  node: Node,
  form: string,
  io: Pick<Io, "cwd" | "env">,
  tell: Tell,
): Pick<Resolved, "url" | "written"> {
  const isReference = isReferring(node);
  const plain = textOf(node) ?? "";
  const isSecret = form !== "json" || /^[a-z]+:\/\/[^/?#]*@/i.test(plain);
  if (!isReference && isSecret) {
    const what =
      form === "json"
        ? '"url" holds a user name or a password'
        : '"url" is written out, and whoever knows such an address can post there';
    tell(
      literal(
        node,
        what,
        form === "json" ? "LINTEL_WEBHOOK_URL" : `LINTEL_${form.toUpperCase()}_URL`,
      ),
    );
    return {};
  }
  const url = isReference ? valueOf(node, io, tell) : plain;
  if (url === undefined) return {};
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isFit =
    address && /^https?:$/.test(address.protocol) && !address.username && !address.password;
  if (!isFit || !isSecure(address)) {
    const subject = isReference ? `What "${plain}" stands for` : `"${plain}"`;
    const why = isFit ? "is not encrypted on its way" : "is no address that can be called";
    const help = "Write it as https://HOST/PATH; only this machine itself may do without https.";
    tell(diagnose("wrong-format", node, `${subject} ${why}.`, help));
  }
  if (address && isUpdate(address.pathname)) {
    const message = "A webhook cannot be at the address by which a portal's settings are changed.";
    tell(diagnose("wrong-format", node, message, "Write the address of who is to be told."));
  }
  return { url, written: isReference ? plain : undefined };
}

/** As under `signIn`: variables of Lintel's own and files of the secrets' folder, and none of its own keys. */
function valueOf(
  node: Node,
  { cwd, env }: Pick<Io, "cwd" | "env">,
  tell: Tell,
): string | undefined {
  const { root, problems } = resolveLater(node, { part: "signIn", cwd, env, portal: {} });
  for (const problem of problems) {
    const [, name = ""] = /The variable "(\w+)"/.exec(problem.message) ?? [];
    const known = Object.keys(env).filter((each) => each.startsWith("LINTEL_"));
    const help = didYouMean(name, known) ?? `Set it where the run is started:\n  export ${name}=…`;
    tell(problem.code === "undefined-variable" ? { ...problem, help } : problem);
  }
  return textOf(root);
}

function literal(node: Node, what: string, variable: string): Diagnostic {
  const help = `Keep it in a variable or a file, change it if it has been committed, and write one of:\n  \${env:${variable}}\n  \${file:/run/secrets/lintel}`;
  return diagnose("literal-secret", node, `${what}.`, help);
}
