// What the server sends the preview's page about each file, as JSON: types alone, for the server and for the browser.

/** A home on the preview's server, or the documents themselves by what the visitor answered. */
export type Home =
  | { readonly address: string; readonly stamp: string }
  | Readonly<Partial<Record<"asked" | "accepted" | "declined", string>>>;

export type Homes = Readonly<Record<string, Home>>;

export type Card = {
  readonly file: string;
  readonly status: string;
  /** The file has errors; what is shown is what it said before them. */
  readonly isWrong: boolean;
  /** HTML: what keeps the home from being shown, and what does not. */
  readonly problems: string;
  readonly warnings: string;
  readonly facts: string;
  /** null where the file has not been right yet. */
  readonly homes: Homes | null;
};

/** Those that are new, each with its place in the list of files. */
export type News = readonly (readonly [at: number, card: Card])[];
