// Reads the portal and its sign-in from a checked file; secrets are looked up at their first use.
import { knownVersion } from "../../catalog/catalog.js";
import type { Deployment, Version } from "../../../schemas/names.js";
import { formatPlace } from "../../diagnostic.js";
import { Failure } from "../../failure.js";
import type { DriftChoice, SendChoice } from "../../guard.js";
import type { Json } from "../../lib/json.js";
import { secret } from "../../secret.js";
import type { Spot } from "../../settings.js";
import {
  CARRIES,
  DEFAULT_SIGN_IN_METHOD,
  whyUnusable,
  SIGN_IN_METHODS,
  type Carry,
  type SignIn,
  type SignInField,
  type SignInMethod,
} from "../../sign-in.js";
import { spotOf } from "./source.js";
import { commandNamed } from "./commands.js";
import {
  commandIn,
  isReferring,
  nameFor,
  resolveLater,
  withoutNewline,
  type Part,
  type Surroundings,
} from "./references.js";
import { entriesOf, itemsOf, nodeAt, textOf, toJson, type Node } from "./tree.js";

export interface PortalFile {
  readonly file: string;
  /** The file, its bases and all other files with its values. */
  readonly paths: readonly string[];
  readonly target: { readonly asked: string; readonly known: Version };
  readonly deployment: Deployment;
  readonly portal: {
    readonly name: string;
    /** The root of its interface; a check does not require it. */
    readonly url: string | undefined;
    readonly id: string;
    readonly mayRead: boolean;
    readonly send: SendChoice;
  };
  /** As written, with its references; undefined if the file has no sign-in. */
  readonly signIn: Json | undefined;
  /** The address of the state, with unresolved references; undefined if the file sets none. */
  readonly state: string | undefined;
  /** The zone of times in the file and in messages. */
  readonly timeZone: string | undefined;
  /** What happens to manual changes. */
  readonly drift: DriftChoice;
  /** Names that the portal has, but not the reference. */
  readonly allowUnknown: readonly string[];
  readonly root: Node;
}

/** Requires a tree without errors. */
export function desiredOf(file: string, root: Node, paths: readonly string[] = [file]): PortalFile {
  const text = (...path: string[]) => textOf(nodeAt(root, path));
  const asked = text("targetVersion") ?? "";
  const signIn = nodeAt(root, ["signIn"]);
  const known = knownVersion(asked);
  if (!known) {
    // A base may leave it to the files that extend it.
    const help = 'Name a file that extends it, or add a line:\n  targetVersion: "12.1"';
    throw new Failure("file-incomplete", `"${file}" has no targetVersion.`, help);
  }
  return {
    file,
    paths,
    target: { asked, known },
    deployment: (text("deployment") ?? "enterprise") as Deployment,
    portal: {
      name: text("portal", "name") ?? nameFor(file),
      url: text("portal", "url"),
      id: text("portal", "id") ?? "self",
      mayRead: text("portal", "read") !== "never",
      send: (text("portal", "send") ?? "all") as SendChoice,
    },
    signIn: signIn && toJson(signIn),
    state: text("state"),
    timeZone: text("timeZone"),
    drift: (text("drift") ?? "stop") as DriftChoice,
    allowUnknown: itemsOf(nodeAt(root, ["allowUnknown"])).flatMap((item) => textOf(item) ?? []),
    root,
  };
}

/** The portal's address; fails if the file has none. */
export function portalUrlOf({ file, portal }: PortalFile): string {
  if (portal.url) return portal.url;
  const help =
    "Add the root of its REST interface:\n  portal:\n    url: https://gis.example.com/portal/sharing/rest";
  throw new Failure("file-incomplete", `"${file}" does not say where the portal is.`, help);
}

/** The sources of references. */
type Looked = Pick<Surroundings, "cwd" | "env">;

/** A resolved address, and the written one if it has references. */
export interface StateAddress {
  readonly address: string;
  readonly written?: string;
  /** Its place in a file; absent if no file sets it. */
  readonly at?: Spot;
}

/** The same file with another state address. */
export function withState(desired: PortalFile, state: Node): PortalFile {
  const { root } = desired;
  if (root.kind !== "mapping") throw new TypeError(`"${desired.file}" was not checked`);
  const entries = new Map(root.entries).set("state", { key: state, value: state });
  return { ...desired, state: textOf(state), root: { ...root, entries } };
}

/** The state's address; undefined if the file sets none. `key` identifies the portal. */
export function stateAddressOf(
  { root, portal }: PortalFile,
  { cwd, env }: Looked,
  key: string,
): StateAddress | undefined {
  const node = nodeAt(root, ["state"]);
  if (!node) return undefined;
  const value = resolved(node, "state", { cwd, env, portal: { name: portal.name, key } });
  const written = node.kind === "scalar" ? String(node.value) : "";
  const address = String(value ?? "");
  return { address, ...(written !== address && { written }), at: spotOf(node.span) };
}

/** The hosts that get credentials: the portal, and the sign-in service if it is separate. */
export function serviceAndPortalOf(desired: PortalFile): {
  readonly service: URL;
  readonly portal: URL;
} {
  const portal = addressOf(portalUrlOf(desired));
  const url = textOf(nodeAt(desired.root, ["signIn", "url"]));
  return { service: url === undefined ? portal : addressOf(url), portal };
}

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  // The value may come from anywhere, so the message does not show it.
  const message = "An address of the file cannot be called once its references are replaced.";
  const help = "Check portal.url and signIn.url, and the variables that they refer to.";
  throw new Failure("wrong-usage", message, help);
}

/** The sign-in with its references resolved. `key` identifies the portal. */
export function signInOf(desired: PortalFile, looked: Looked, key: string): SignIn {
  const node = nodeAt(desired.root, ["signIn"]);
  if (!node) {
    const message = `"${desired.file}" does not say how to sign in.`;
    const help = "Add it, for example:\n  signIn:\n    url: https://accounts.example.com";
    throw new Failure("credential-missing", message, help);
  }
  const given = entriesOf(node);
  const plain = (name: string) => textOf(given.get(name)?.value);
  const method = (plain("method") ?? DEFAULT_SIGN_IN_METHOD) as SignInMethod;
  const fields: Record<string, SignIn["fields"][string]> = {};
  const variables: Record<string, string> = {};
  const portal = { name: desired.portal.name, key };
  for (const [name, field] of Object.entries<SignInField>(SIGN_IN_METHODS[method])) {
    const written = given.get(name)?.value;
    const command = commandIn(textOf(written) ?? "", key);
    if (command !== undefined) {
      fields[name] = commandNamed(command, looked, {
        ...serviceAndPortalOf(desired),
        file: desired.file,
        key,
      });
      continue;
    }
    const variable = written ? variableOf(written) : field.variable;
    if (variable !== undefined) variables[name] = variable;
    const value = written
      ? resolved(written, "signIn", { ...looked, portal })
      : field.variable && withoutNewline(looked.env[field.variable] ?? "");
    if (value === undefined || value === "") continue;
    const odd = whyUnusable(String(value), field);
    if (odd !== undefined) {
      // Refused before anything is sent, because a header cannot hold it and a server's error would not explain it.
      const named =
        variable === undefined ? `What "signIn.${name}" stands for` : `The variable "${variable}"`;
      const help = "Set it again, whole and without anything around it.";
      throw new Failure("credential-not-usable", `${named} ${odd}.`, help);
    }
    // Any value from outside the file may be secret, in every field.
    const isHidden = field.isSecret || !written || isReferring(written);
    fields[name] = isHidden && name !== "url" ? secret(String(value)) : value;
  }
  const url = given.get("url")?.value;
  const writtenUrl = url?.kind === "scalar" ? url.written : undefined;
  return {
    method,
    carry: (plain("carry") ?? CARRIES[0]) as Carry,
    fields,
    variables,
    ...(writtenUrl !== undefined && { writtenUrl }),
    portalUrl: portalUrlOf(desired),
  };
}

function resolved(
  written: Node,
  part: Part,
  surroundings: Omit<Surroundings, "part">,
): string | number | undefined {
  const variable = variableOf(written);
  // A missing variable is prompted for, or reported by name, when the sign-in needs it.
  const isLeftOpen = part === "signIn" && variable !== undefined;
  if (isLeftOpen && surroundings.env[variable] === undefined) return undefined;
  const { root, problems } = resolveLater(written, { ...surroundings, part });
  const [problem] = problems;
  if (problem) {
    const code = part === "state" ? "bad-state-address" : "credential-missing";
    throw new Failure(code, `${formatPlace(problem)}: ${problem.message}`, problem.help);
  }
  const value = toJson(root);
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** The variable, if the text is only a reference to it. */
function variableOf(node: Node): string | undefined {
  return /^\$\{env:([A-Za-z_]\w*)\}$/.exec(textOf(node) ?? "")?.[1];
}
