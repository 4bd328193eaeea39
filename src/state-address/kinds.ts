// Core type: where a state may be kept. Finds the kind of an address, and the host that gets credentials.
import { didYouMean, nearest } from "../diagnostic.js";
import type { Io } from "../io.js";
import { branches } from "./branch.js";
import { buckets } from "./bucket.js";
import { databases } from "./database.js";
import { folders } from "./folder.js";
import type { KindOfPlace, Wrong } from "./kind.js";
import { serverUrl, servers } from "./server.js";

/** All that there is; each is one backend of state/, which the address leads to. */
export const STATE_KINDS = {
  file: folders,
  git: branches,
  postgres: databases,
  http: servers,
  s3: buckets,
} as const satisfies Readonly<Record<string, KindOfPlace>>;

/** Where the state is when the file does not say. */
export const DEFAULT_STATE = STATE_KINDS.file.example;

export type StateKind = keyof typeof STATE_KINDS;

const SCHEMES = Object.values(STATE_KINDS).flatMap(({ schemes }) => schemes as readonly string[]);

const KINDS = Object.entries(STATE_KINDS) as [StateKind, KindOfPlace][];

export function stateKindOf(address: string): StateKind | undefined {
  const scheme = schemeOf(address);
  return KINDS.find(([, { schemes }]) => scheme !== undefined && schemes.includes(scheme))?.[0];
}

/** In lower case; undefined where the text begins with none. */
function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
}

export function stateHostOf(address: string, env: Io["env"]): URL | undefined {
  return kindOf(address)?.recipientOf?.(address, env);
}

/** Also of an address whose scheme is a slip of the keyboard. */
export function stateNamesUser(address: string): boolean {
  const scheme = schemeOf(address);
  const kind = kindOf(address) ?? kindOf(`${scheme && nearest(scheme, SCHEMES)[0]}:`);
  return kind?.namesUser ?? false;
}

function kindOf(address: string): KindOfPlace | undefined {
  const kind = stateKindOf(address);
  return kind && STATE_KINDS[kind];
}

/** The address as it is called, where it is one that can keep the state of one portal only. */
export function placeForOne(address = ""): string | undefined {
  return kindOf(address)?.isForOne ? serverUrl(address)?.href : undefined;
}

/** Where several portals name one place that can hold one state. */
export const ADDRESS_FOR_EACH =
  "Give each portal its own address, such as:\n  state: https://…/${portal.key}";

/** Whether what is written there, references and all, leads every file that says it to a place for one portal only. */
export function isForOnePortal(written: string): boolean {
  return (kindOf(written)?.isForOne ?? false) && !/\$\{portal\./.test(written);
}

/** Without its "$", or without its braces. */
const HALF_A_REFERENCE = /(?<!\$)\{(portal\.\w+|(?:env|file):[^{}]*)\}|\$(portal\.\w+)/;

/** What is wrong with an address as a file writes it: what its references stand for is not known yet, and each may be right. */
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

/** The same once they are replaced, as far as it shows before the address is used; `written` where it held any. */
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

/** What may stand in the place of a reference, by the word of the address that it is the value of. */
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
    // It may be a port; or a host, which may be of this machine.
    if (before.endsWith(":")) return "5432";
    if (before.endsWith("//")) return "localhost";
    const [, word = ""] = /[?&]([\w-]+)=$/.exec(before) ?? [];
    return STAND_INS[word] ?? "abc";
  });
}

/** An address of each kind, and for whom it is. */
export const STATE_REASONS = KINDS.map(([, { example, reason }]) => [example, reason] as const);

/** One of the same kind. */
export function exampleFor(address: string): string {
  return (kindOf(address) ?? STATE_KINDS.file).example;
}

/** "folders", or "folders, branches of git and HTTP servers", and an address of each as a file writes it. */
export function statePlaces(): { readonly nouns: string; readonly examples: string } {
  const nouns = KINDS.map(([, { noun }]) => noun);
  const list = [nouns.slice(0, -1).join(", "), nouns.at(-1)].filter(Boolean).join(" and ");
  return {
    nouns: list,
    examples: KINDS.map(([, { example }]) => `\n  state: ${example}`).join(""),
  };
}
