// Types of the JSON that the server sends the preview's page about each file.

/** The address of a home page on the preview's server, or its documents by the visitor's answer. */
export type Home =
  | { readonly address: string; readonly stamp: string }
  | Readonly<Partial<Record<"asked" | "accepted" | "declined", string>>>;

export type Homes = Readonly<Record<string, Home>>;

export type Card = {
  readonly file: string;
  readonly status: string;
  /** The file has errors; the preview shows its last content without any. */
  readonly isWrong: boolean;
  /** HTML of the errors and of the warnings. */
  readonly problems: string;
  readonly warnings: string;
  readonly facts: string;
  /** Null if the file always had errors. */
  readonly homes: Homes | null;
};

/** Changed previews, each with the index of its file. */
export type CardUpdates = readonly (readonly [at: number, card: Card])[];
