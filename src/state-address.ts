// Noun: where a state may be kept. An address → which kind of place it is, and whom it gives credentials to.

/** Where the state is when the file does not say. */
export const DEFAULT_STATE = "file:.lintel";

interface KindOfPlace {
  /** What such an address begins with, without the colon. */
  readonly schemes: readonly string[];
  /** One to begin with. */
  readonly example: string;
  /** Continues "It keeps states in". */
  readonly noun: string;
  /** A regular expression for the schema, which has no other way to tell a slip. */
  readonly pattern: string;
  /** Whom credentials go to; absent where there are none, or where another program sees to them. */
  readonly recipientOf?: (address: string) => URL;
}

/** All that there is; each is one file in state/, which the address leads to. */
export const STATE_KINDS = {
  file: {
    schemes: ["file"],
    example: DEFAULT_STATE,
    noun: "folders",
    pattern: "file:(?!//).|file://(localhost)?/([^%]|%(?!2[Ff])[0-9A-Fa-f]{2})+$",
  },
  // Git signs in with its own credentials, at remotes that the repository's own configuration names.
  git: {
    schemes: ["git"],
    example: "git:lintel-state",
    noun: "branches of git",
    pattern: String.raw`git:(?![-/.@])([^\s~^:?*@[\\$]|\$\{[^}]*\})+(@\w[\w./-]*)?$`,
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

export function stateRecipientOf(address: string): URL | undefined {
  const kind = stateKindOf(address);
  const found: KindOfPlace | undefined = kind && STATE_KINDS[kind];
  return found?.recipientOf?.(address);
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
