// Noun: where a state may be kept. An address → which kind of place it is, and whom it gives credentials to.
import type { Io } from "../io.js";
import { branches } from "./branch.js";
import { buckets } from "./bucket.js";
import { databases } from "./database.js";
import { folders } from "./folder.js";
import type { KindOfPlace } from "./kind.js";
import { serverAt, servers } from "./server.js";

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

const KINDS = Object.entries(STATE_KINDS) as [StateKind, KindOfPlace][];

export function stateKindOf(address: string): StateKind | undefined {
  const scheme = schemeOf(address);
  return KINDS.find(([, { schemes }]) => scheme !== undefined && schemes.includes(scheme))?.[0];
}

/** In lower case; undefined where the text begins with none. */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
}

export function stateRecipientOf(address: string, env: Io["env"]): URL | undefined {
  return kindOf(address)?.recipientOf?.(address, env);
}

export function stateNamesUser(address: string): boolean {
  return kindOf(address)?.namesUser ?? false;
}

function kindOf(address: string): KindOfPlace | undefined {
  const kind = stateKindOf(address);
  return kind && STATE_KINDS[kind];
}

/** The address as it is called, where it is one that can keep the state of one portal only. */
export function placeForOne(address = ""): string | undefined {
  return kindOf(address)?.isForOne ? serverAt(address)?.href : undefined;
}

/** Whether what is written there, references and all, leads every file that says it to a place for one portal only. */
export function isForOnePortal(written: string): boolean {
  return (kindOf(written)?.isForOne ?? false) && !/\$\{portal\./.test(written);
}

/** Whether it is an address such as its kind has, as far as that shows before it is used. */
export function isFit(address: string): boolean {
  return kindOf(address)?.isFit?.(address) ?? true;
}

/** An address of each kind, and for whom it is. */
export const STATE_REASONS = KINDS.map(([, { example, reason }]) => [example, reason] as const);

/** "folders", or "folders, branches of git and HTTP servers", and an address of each as a file writes it. */
export function statePlaces(): { readonly nouns: string; readonly examples: string } {
  const nouns = KINDS.map(([, { noun }]) => noun);
  const list = [nouns.slice(0, -1).join(", "), nouns.at(-1)].filter(Boolean).join(" and ");
  return {
    nouns: list,
    examples: KINDS.map(([, { example }]) => `\n  state: ${example}`).join(""),
  };
}
