// Noun: what a revision says of each portal, for the rows that follow it.
import type { Bundle } from "./bundle.js";

export interface Revised {
  readonly number: number;
  readonly commit: string | null;
  /** All of them; whatever else has a row is gone. */
  readonly portals: readonly RevisedPortal[];
  /** The keys of those that are new or not as they were, as far as that can be told. */
  readonly changed: readonly string[];
  /** The keys of those that were published before, and are no longer. */
  readonly gone: readonly string[];
}

export type RevisedPortal = Pick<
  Bundle,
  "key" | "file" | "name" | "url" | "id" | "pool" | "windows" | "problem"
> & { readonly digest: string };
