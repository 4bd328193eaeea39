// A checked tree → what it says of the portal, and how to sign in there; secrets are looked up when they are asked for.
import { knownVersion } from "../catalog/catalog.js";
import type { Deployment, Version } from "../catalog/names.js";
import { Failure } from "../failure.js";
import { secret, type Secret } from "../secret.js";
import {
  CARRIES,
  DEFAULT_SIGN_IN_METHOD,
  SIGN_IN_METHODS,
  type Carry,
  type SignIn,
  type SignInField,
  type SignInMethod,
} from "../sign-in.js";
import type { Env } from "./reference.js";
import { nameFor, resolveSecret } from "./substitute.js";
import { entriesOf, nodeAt, toJson, type Node } from "./tree.js";
import { placeOf } from "./source.js";

export interface Desired {
  readonly file: string;
  /** The file and all that it takes part of itself from. */
  readonly paths: readonly string[];
  readonly target: { readonly asked: string; readonly known: Version };
  readonly deployment: Deployment;
  readonly portal: {
    readonly name: string;
    /** The root of its interface; a file may be checked without it. */
    readonly url: string | undefined;
    readonly id: string;
    readonly mayRead: boolean;
  };
  /** Where the last applied state is kept, with its references not resolved yet; undefined where the file does not say. */
  readonly state: string | undefined;
  readonly root: Node;
}

/** The tree of a file without errors. */
export function desiredOf(file: string, root: Node, paths: readonly string[] = [file]): Desired {
  const text = (...path: string[]) => {
    const node = nodeAt(root, path);
    const value = node && toJson(node);
    return typeof value === "string" ? value : undefined;
  };
  const asked = text("targetVersion") ?? "";
  const known = knownVersion(asked);
  if (!known) throw new TypeError(`"${file}" was not checked`);
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
    },
    state: text("state"),
    root,
  };
}

/** Without the tree of the settings, for whoever has their leaves and holds on to thousands of files. */
export function withoutSettings(desired: Desired): Desired {
  const { root } = desired;
  if (root.kind !== "mapping") return desired;
  const entries = [...root.entries].filter(([key]) => key !== "settings");
  return { ...desired, root: { ...root, entries: new Map(entries) } };
}

/** The portal's address, for whoever cannot do without. */
export function portalUrlOf({ file, portal }: Desired): string {
  if (portal.url) return portal.url;
  throw new Failure(
    "no-portal-url",
    `"${file}" does not say where the portal is.`,
    "Add the root of its REST interface:\n  portal:\n    url: https://gis.example.com/portal/sharing/rest",
  );
}

/** Where the last applied state is kept, with every reference replaced; undefined where the file does not say. */
export function stateAddressOf({ root, portal }: Desired, env: Env): string | undefined {
  const written = nodeAt(root, ["state"]);
  const address = written && resolved(written, env, portal.name);
  return address === undefined || address === "" ? undefined : String(address);
}

/** How to sign in, with every reference replaced. */
export function signInOf(desired: Desired, env: Env): SignIn {
  const node = nodeAt(desired.root, ["signIn"]);
  if (!node) throw noSignIn(desired);
  const given = entriesOf(node);
  const plain = (name: string): unknown => {
    const value = given.get(name)?.value;
    return value && toJson(value);
  };
  const method = (plain("method") ?? DEFAULT_SIGN_IN_METHOD) as SignInMethod;
  const fields: Record<string, string | number | Secret | undefined> = {};
  const variables: Record<string, string> = {};
  for (const [name, field] of Object.entries<SignInField>(SIGN_IN_METHODS[method])) {
    const written = given.get(name)?.value;
    const variable = written ? variableOf(written) : field.variable;
    if (variable !== undefined) variables[name] = variable;
    const value = written
      ? resolved(written, env, desired.portal.name)
      : field.variable && env[field.variable];
    if (value === undefined || value === "") continue;
    fields[name] = field.isSecret || isHidden(name, written) ? secret(String(value)) : value;
  }
  const carry = (plain("carry") ?? CARRIES[0]) as Carry;
  return { method, carry, fields, variables, portalUrl: portalUrlOf(desired) };
}

function noSignIn({ file }: Desired): Failure {
  return new Failure(
    "no-sign-in",
    `"${file}" does not say how to sign in.`,
    "Add it, for example:\n  signIn:\n    url: https://accounts.example.com",
  );
}

/** A variable may hold a secret whatever field it is named for; an address and a referer are shown by their nature. */
function isHidden(name: string, written: Node | undefined): boolean {
  const text = written?.kind === "scalar" && typeof written.value === "string" ? written.value : "";
  return text.includes("${") && name !== "url" && name !== "referer";
}

function resolved(written: Node, env: Env, portalName: string): string | number | undefined {
  // A variable that is not set is asked for, or missed under its name, when the sign-in needs it.
  const variable = variableOf(written);
  if (variable !== undefined) return env[variable];
  const { root, problems } = resolveSecret(written, env, portalName);
  const [problem] = problems;
  if (problem) {
    const { file, line, column } = problem.place ?? placeOf(written.span);
    throw new Failure(
      "credential-missing",
      `${file}:${line}:${column}: ${problem.message}`,
      problem.help,
    );
  }
  const value = toJson(root);
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** The variable that a text refers to and is nothing else. */
function variableOf(node: Node): string | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string") return undefined;
  return /^\$\{env:([A-Za-z_]\w*)\}$/.exec(node.value)?.[1];
}
