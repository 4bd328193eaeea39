// Core type: the kinds of places for states. Finds the kind of an address, and the host that gets credentials.
import { didYouMean, nearest } from "../diagnostic.js";
import type { Io } from "../io.js";
import { branches } from "./branch.js";
import { buckets } from "./bucket.js";
import { databases } from "./database.js";
import { folders } from "./folder.js";
import type { KindOfPlace, Wrong } from "./kind.js";
import { serverUrl, servers } from "./server.js";

/** All kinds; each has its own backend in state/. */
export const STATE_KINDS = {
  file: folders,
  git: branches,
  postgres: databases,
  http: servers,
  s3: buckets,
} as const satisfies Readonly<Record<string, KindOfPlace>>;

/** The address of a state if the file sets none. */
export const DEFAULT_STATE = STATE_KINDS.file.example;

export type StateKind = keyof typeof STATE_KINDS;

const SCHEMES = Object.values(STATE_KINDS).flatMap(({ schemes }) => schemes as readonly string[]);

const KINDS = Object.entries(STATE_KINDS) as [StateKind, KindOfPlace][];

export function stateKindOf(address: string): StateKind | undefined {
  const scheme = schemeOf(address);
  return KINDS.find(([, { schemes }]) => scheme !== undefined && schemes.includes(scheme))?.[0];
}

/** In lower case; undefined without a scheme. */
function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
}

export function stateHostOf(address: string, env: Io["env"]): URL | undefined {
  return kindOf(address)?.recipientOf?.(address, env);
}

/** Also true for an address with a misspelt scheme. */
export function stateNamesUser(address: string): boolean {
  const scheme = schemeOf(address);
  const kind = kindOf(address) ?? kindOf(`${scheme && nearest(scheme, SCHEMES)[0]}:`);
  return kind?.namesUser ?? false;
}

function kindOf(address: string): KindOfPlace | undefined {
  const kind = stateKindOf(address);
  return kind && STATE_KINDS[kind];
}

/** The normalised address, if it can keep the state of one portal only. */
export function placeForOne(address = ""): string | undefined {
  return kindOf(address)?.isForOne ? serverUrl(address)?.href : undefined;
}

/** The help if several portals share an address for one state. */
export const ADDRESS_FOR_EACH =
  "Give each portal its own address, such as:\n  state: https://…/${portal.key}";

/** Whether the text, with its references, names the same place for one portal in every file. */
export function isForOnePortal(written: string): boolean {
  return (kindOf(written)?.isForOne ?? false) && !/\$\{portal\./.test(written);
}

/** A reference without its "$", or without its braces. */
const HALF_A_REFERENCE = /(?<!\$)\{(portal\.\w+|(?:env|file):[^{}]*)\}|\$(portal\.\w+)/;

/** Checks an address as written in a file. The values of references are unknown, so each counts as right. */
export function wrongAsWritten(text: string): Wrong | undefined {
  const slip = HALF_A_REFERENCE.exec(text);
  if (slip) {
    const [found, braced, bare] = slip;
    const why = `holds ${JSON.stringify(found)}, which is no reference and stays as it is`;
    const help = `Did you mean "\${${braced ?? bare}}"? A reference stands in an address as in:\n  state: ${STATE_KINDS.http.example}`;
    return { why, help };
  }
  return text.startsWith("${") ? undefined : wrongIn(withStandIns(text), text);
}

/** The same with references replaced, before the address is used. `written` is set if there were any. */
export function wrongIn(address: string, written: string | undefined): Wrong | undefined {
  const scheme = schemeOf(address);
  const kind = kindOf(address);
  if (!kind) return noKind(scheme);
  if (address.startsWith(`${scheme}:`)) return kind.wrongIn(address, written);
  const help = `Write it in small letters:\n  state: ${kind.example}`;
  return { why: "begins with capital letters", help };
}

function noKind(scheme: string | undefined): Wrong {
  const { nouns, examples } = statePlaces();
  const list = `States are kept in ${nouns}, such as:${examples}`;
  if (scheme === undefined) {
    return { why: "does not say what kind of place it is", help: list };
  }
  const hint = didYouMean(scheme, SCHEMES);
  const why = `begins with "${scheme}:", which is no place for states`;
  return { why, help: hint ? `${hint} ${list}` : list };
}

/** Stand-ins for references, by the parameter whose value they are. */
const STAND_INS: Readonly<Record<string, string>> = {
  endpoint: "https://s3.example.com",
  "path-style": "true",
  sslmode: "verify-full",
  host: "/run",
};

function withStandIns(written: string): string {
  return written.replace(/\$\$\{|\$\{[^}]*\}/g, (whole, at: number) => {
    if (whole === "$${") return "${";
    const before = written.slice(0, at);
    // A port, or a host, which may be this machine.
    if (before.endsWith(":")) return "5432";
    if (before.endsWith("//")) return "localhost";
    const [, word = ""] = /[?&]([\w-]+)=$/.exec(before) ?? [];
    return STAND_INS[word] ?? "abc";
  });
}

/** An address of each kind, and its purpose. */
export const STATE_REASONS = KINDS.map(([, { example, reason }]) => [example, reason] as const);

/** An example of the same kind. */
export function exampleFor(address: string): string {
  return (kindOf(address) ?? STATE_KINDS.file).example;
}

/** "folders", or "folders, branches of git and HTTP servers", and an example of each. */
export function statePlaces(): { readonly nouns: string; readonly examples: string } {
  const nouns = KINDS.map(([, { noun }]) => noun);
  const list = [nouns.slice(0, -1).join(", "), nouns.at(-1)].filter(Boolean).join(" and ");
  return {
    nouns: list,
    examples: KINDS.map(([, { example }]) => `\n  state: ${example}`).join(""),
  };
}
