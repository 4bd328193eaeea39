// Checks the addresses of a file: invalid ones, those with secrets, and hosts that are not allowed.
import type { Diagnostic } from "../../diagnostic.js";
import { Failure } from "../../failure.js";
import {
  ALLOWED_HOSTS,
  bareNameHint,
  entryFor,
  isListed,
  isSecure,
  parseHosts,
  type ListedHost,
} from "../../hosts.js";
import { isOneStep, isUpdate } from "../../request.js";
import { formatPath } from "../../settings.js";
import { stateNamesUser, wrongAsWritten } from "../../state-address/kinds.js";
import type { Env } from "../read/references.js";
import { diagnose, nodeAt, textOf, type Node, type Text } from "../read/tree.js";
import type { Problem } from "./rules/all.js";

const LONGEST_ADDRESS = 2_000;

/** The id is one segment of request paths: another form would lead to a wrong path. */
export function unfitId(root: Node): Diagnostic[] {
  const node = textAt(root, ["portal", "id"]);
  if (!node || node.value === "" || isOneStep(node.value)) return [];
  return [
    diagnose(
      "wrong-format",
      node,
      '"portal.id" is no id: it would lead to another address than that of the portal.',
      'Write the id as the portal shows it, without any of / \\ ; ? # %, or "self".',
    ),
  ];
}

/** An address must be plain: text before "@" or after "?" may be a secret. */
export function unfitAddresses(root: Node): Diagnostic[] {
  return [
    ["portal", "url"],
    ["signIn", "url"],
  ].flatMap((path): Diagnostic[] => {
    const node = textAt(root, path);
    if (!node) return [];
    const text = node.value;
    const name = formatPath(path);
    if (HAS_USER.test(text)) return [literalUser(node, name)];
    const wrong = wrongAddress(text, name, path[0] === "portal");
    return wrong ? [diagnose("wrong-format", node, ...wrong)] : [];
  });
}

function wrongAddress(
  text: string,
  name: string,
  isPortal: boolean,
): [message: string, help: string] | undefined {
  if (text.length > LONGEST_ADDRESS) {
    const help = "No server takes an address of that length. Check what it refers to.";
    return [`"${name}" is longer than ${LONGEST_ADDRESS.toLocaleString("en")} letters.`, help];
  }
  const isHttp = /^https?:/i.test(text);
  // At this point, "${" in the portal's address is plain text.
  if ((isHttp || (isPortal && text.includes("${"))) && !URL.canParse(text)) {
    const help = "Check the host, the port and the brackets.";
    return [`"${name}" is no address that can be called.`, help];
  }
  if (isHttp && isUpdate(new URL(text).pathname)) {
    const help = "Write what stands before it, which ends in /sharing/rest.";
    return [`"${name}" is the address of the update, and not the root of an interface.`, help];
  }
  const [sign] = /[?#]/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const message = `"${name}" must be a plain address, but it contains "${sign}".`;
  return [message, "Remove what stands behind the path."];
}

export function unlikelyAddress(root: Node): Diagnostic[] {
  const node = textAt(root, ["portal", "url"]);
  const page = node && pageAddress(node.value);
  return page ? [diagnose("unlikely-address", node, page.message, page.help)] : [];
}

/** People often paste the address of a page, such as the portal's home. */
export function pageAddress(
  url: string,
): { readonly message: string; readonly help: string } | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  if (/\/rest\/services(?:\/|$)/i.test(pathname)) {
    const message = `"portal.url" is the address of an ArcGIS Server, not of a portal.`;
    return { message, help: `Write the portal's, such as:\n  url: ${origin}/portal/sharing/rest` };
  }
  const [, folder] = PAGE.exec(pathname) ?? [];
  if (folder === undefined) return undefined;
  const message = `"portal.url" does not end in "/sharing/rest", as the REST interface of a portal does.`;
  const help =
    folder === ""
      ? `Add the portal's folder, such as:\n  url: ${origin}/portal/sharing/rest`
      : `Write:\n  url: ${origin}${folder}/sharing/rest`;
  return { message, help };
}

const PAGE = /^((?:\/(?!rest\/*$)[^/]+)?)(?:\/home(?:\/.*)?|\/sharing|\/portaladmin)?\/*$/;

const HAS_USER = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;

function literalUser(node: Node, name: string): Diagnostic {
  const what = `"${name}" holds a user name or a password`;
  return literal(node, what, 'what stands before the "@"');
}

/** Problems of the state's address: secrets first, then why it cannot keep states. */
export function stateProblems(root: Node): Problem[] {
  const node = textAt(root, ["state"]);
  const found = node && (literalInState(node) ?? unfitState(node));
  return found ? [{ path: ["state"], isOfValue: true, diagnostic: found }] : [];
}

function literalInState(node: Text): Diagnostic | undefined {
  const text = node.value;
  if (stateNamesUser(text)) {
    // A reference is no secret, because its value is never shown.
    const plain = text.replace(/\$\{[^}]*\}/g, "*");
    const hasPassword = /^[a-z]+:\/\/[^/?#@:]*:(?!\*@)[^/?#]*@/i.test(plain);
    return hasPassword ? literal(node, '"state" holds a password', "it") : undefined;
  }
  // Also in a repository's address, which is not allowed here.
  if (HAS_USER.test(text) || /^git:.*:\/\/[^/?#]*@/i.test(text)) return literalUser(node, "state");
  const [, field] = SECRET_FIELD.exec(text) ?? [];
  return field ? literal(node, `"state" holds the field "${field}"`, "it") : undefined;
}

function unfitState(node: Text): Diagnostic | undefined {
  const wrong = wrongAsWritten(node.value);
  return wrong && diagnose("wrong-format", node, `"state" ${wrong.why}.`, wrong.help);
}

const SECRET_FIELD = /[?&;]([\w.-]*(?:password|passwd|secret|token|key|signature)[\w.-]*|sig)=/i;

function literal(node: Node, what: string, taken: string): Diagnostic {
  const help = `Take ${taken} out; credentials belong into variables. Change the password if it has been committed.`;
  return diagnose("literal-secret", node, `${what}.`, help);
}

/** Reported by the check, because the failing run may be someone else's, and later. */
export function unlistedHosts(root: Node, env: Env): Diagnostic[] {
  const hosts = listIn(env);
  if (!hosts) return [];
  return ["portal", "signIn"].flatMap((part): Diagnostic[] => {
    const path = [part, "url"];
    const node = textAt(root, path);
    const address = node && URL.canParse(node.value) ? new URL(node.value) : undefined;
    if (!node || !address || !/^https?:$/.test(address.protocol)) return [];
    if (isSecure(address) && isListed(address, hosts)) return [];
    const named = `"${formatPath(path)}" names "${entryFor(address)}"`;
    if (!isSecure(address)) {
      const help = "Use https://. Only addresses of this machine may use http://.";
      const message = `${named}, and credentials go to no host without https.`;
      return [diagnose("host-not-listed", node, message, help)];
    }
    const hint = bareNameHint(address, hosts);
    const message = `${named}, and ${ALLOWED_HOSTS} does not list that host${hint}.`;
    const help = `Correct the address, or add the host to ${ALLOWED_HOSTS} outside the repository: ${entryFor(address)}`;
    const found = diagnose("host-not-listed", node, message, help);
    return [hint === "" ? { ...found, unlistedHost: entryFor(address) } : found];
  });
}

/** An unreadable list fails runs that need it, but not a check. */
function listIn(env: Env): readonly ListedHost[] | undefined {
  try {
    const list = env[ALLOWED_HOSTS]?.trim();
    return list ? parseHosts(list) : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function textAt(root: Node, path: readonly string[]): Text | undefined {
  const node = nodeAt(root, path);
  return textOf(node) ? (node as Text) : undefined;
}
