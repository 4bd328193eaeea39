// Noun: where a state may be kept. An address → which kind of place it is, and whom it gives credentials to.

import { POSTGRES } from "./hosts.js";
import type { Io } from "./io.js";

/** Where the state is when the file does not say. */
export const DEFAULT_STATE = "file:.lintel";

interface KindOfPlace {
  /** What such an address begins with, without the colon. */
  readonly schemes: readonly string[];
  /** One to begin with. */
  readonly example: string;
  /** Continues "It keeps states in". */
  readonly noun: string;
  /** What it is, and for whom; manual, README and the question of init say it so. */
  readonly reason: string;
  /** A regular expression for the schema, which has no other way to tell a slip. */
  readonly pattern: string;
  /** Its address says as whom, which is no secret. */
  readonly namesUser?: true;
  /** Whom credentials go to; absent where there are none, or where another program sees to them. */
  readonly recipientOf?: (address: string, env: Io["env"]) => URL | undefined;
  /** Whether it is such an address, as far as that shows with its references replaced; absent where that shows when it is used. */
  readonly isFit?: (address: string) => boolean;
  /** One address keeps the state of one portal. */
  readonly isForOne?: true;
}

/** A letter of an address that has no meaning of its own there, or a reference. */
const PIECE = "([^:/?#@$]|\\$\\{[^}]*\\})";

/** A password stands in an address by reference alone. */
const DATABASE = [
  "postgres(ql)?://",
  `(${PIECE}*(:\\$\\{[^}]*\\})?@)?`,
  `(\\[[0-9A-Fa-f:.]+\\]|${PIECE}*)(:([0-9]+|\\$\\{[^}]*\\}))?`,
  `/${PIECE}+(\\?[^#]*)?$`,
].join("");

/** What the address of a bucket may say besides. */
const WORD = "(endpoint|region|path-style)=[^&#\\s]*";

/** All that there is; each is one file in state/, which the address leads to. */
export const STATE_KINDS = {
  file: {
    schemes: ["file"],
    example: DEFAULT_STATE,
    noun: "folders",
    reason: "a folder beside the file, committed with it; for one person",
    pattern: "file:(?!//).|file://(localhost)?/([^%]|%(?!2[Ff])[0-9A-Fa-f]{2})+$",
  },
  // Git signs in with its own credentials, at remotes that the repository's own configuration names.
  git: {
    schemes: ["git"],
    example: "git:lintel-state",
    noun: "branches of git",
    reason: "a branch of its own in this repository; main may be protected",
    pattern: String.raw`git:(?![-/.@])([^\s~^:?*@[\\$]|\$\{[^}]*\})+(@\w[\w./-]*)?$`,
  },
  postgres: {
    schemes: ["postgres", "postgresql"],
    example: "postgres://lintel@db.example.com/lintel",
    noun: "PostgreSQL databases",
    reason: "a database; for many portals and machines",
    pattern: DATABASE,
    namesUser: true,
    recipientOf: databaseServerOf,
  },
  http: {
    schemes: ["https", "http"],
    example: "https://gitlab.example.com/api/v4/projects/7/terraform/state/${portal.key}",
    noun: "HTTP servers",
    reason: "what GitLab or Gitea keeps for Terraform, or a server like it",
    // Without a user name or a password, which belong into variables.
    pattern: "https?://[^/?#@\\s]+/[^#\\s]+$",
    isForOne: true,
    isFit: (address) => serverOf(address) !== undefined,
    recipientOf: serverOf,
  },
  s3: {
    schemes: ["s3"],
    example: "s3://bucket/lintel?region=eu-central-1",
    noun: "S3 buckets",
    reason: "a bucket of Amazon S3, or of a store like it",
    pattern: `s3://([a-z0-9.-]|\\$\\{[^}]*\\})+(/[^?#\\s]*)?(\\?${WORD}(&${WORD})*)?$`,
    isFit: (address) => bucketOf(address, {}) !== undefined,
    recipientOf: (address, env) => bucketOf(address, env)?.root,
  },
} as const satisfies Readonly<Record<string, KindOfPlace>>;

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
  return kindOf(address)?.isForOne ? serverOf(address)?.href : undefined;
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

/** Without a user name or a password, which belong into variables. */
function serverOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isBare = url && !url.username && !url.password && !url.hash && url.pathname !== "/";
  return isBare ? url : undefined;
}

export interface Bucket {
  readonly bucket: string;
  /** Between slashes; none for the whole bucket. */
  readonly folders: readonly string[];
  readonly region: string | undefined;
  /** What the bucket's objects stand below; undefined where nobody says which region it is in. */
  readonly root: URL | undefined;
}

/** The region is that of the address, else of the variables. A store of one's own is called by path, unless it says otherwise. */
export function bucketOf(address: string, env: Io["env"]): Bucket | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const bucket = url?.hostname ?? "";
  if (!url || url.username || url.password || url.port || url.hash) return undefined;
  const { searchParams: words } = url;
  if ([...words.keys()].some((key) => !/^(endpoint|region|path-style)$/.test(key)))
    return undefined;
  const [endpoint, style] = [words.get("endpoint"), words.get("path-style")];
  const folders = url.pathname.split("/").filter(Boolean);
  const isPath =
    style === "true" || (style === null && (endpoint !== null || bucket.includes(".")));
  const isPlain =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    !/%|\/\.{1,2}(?=[/?]|$)/.test(address.replace(/\?.*/s, ""));
  const given = words.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const region = given || (endpoint === null ? undefined : "us-east-1");
  if (!isPlain || !/^(true|false)$/.test(style ?? "true")) return undefined;
  if (region === undefined) return { bucket, folders, region, root: undefined };
  if (!/^[a-z0-9-]+$/.test(region)) return undefined;
  const amazon = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`;
  const root = serverOf(`${(endpoint ?? amazon).replace(/\/*$/, "/")}${isPath ? bucket : "-"}/`);
  if (!root || !/^https?:$/.test(root.protocol) || root.search) return undefined;
  if (!isPath) {
    root.hostname = `${bucket}.${root.hostname}`;
    root.pathname = root.pathname.slice(0, -"-/".length);
  }
  return { bucket, folders, region, root };
}

const DATABASE_PORT = "5432";

/**
 * Host and port of a database server, written as a list of hosts does: undefined for a socket of this machine, which
 * has neither, and for what is no such address.
 */
export function databaseServerOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  // A scheme that browsers do not know leaves a host's name as it is written; that of https tells it as it is called.
  const called = `https://${hostname}`;
  // Some programs take several hosts at once; a list of hosts could not name them.
  if (hostname === "" || hostname.includes(",") || !URL.canParse(called)) return undefined;
  return new URL(`${POSTGRES}//${new URL(called).hostname}:${port || DATABASE_PORT}`);
}
