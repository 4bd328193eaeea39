// Noun: what is published as one: of each portal the digest of its bundle, under one signature. As a value ⇄ as a row; what is forged or of another queue is told.
import { isSignedWith, signatureOf } from "./key.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import type { Secret } from "../../secret.js";

export interface Revision {
  /** Of the queue that it was published in. */
  readonly queue: string;
  /** Goes up by one at least with every revision. */
  readonly number: number;
  /** That the files stand in; null outside of git. */
  readonly commit: string | null;
  /** By the portals' keys. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** As the table holds it; whoever may write there can have written anything. */
export interface RevisionRow {
  readonly number: number;
  readonly document: string;
  readonly signature: string;
}

const FORMAT = 1;

export function rowOf(revision: Revision, key: Secret): RevisionRow {
  const { queue, number, commit, bundles } = revision;
  const entries = [...bundles].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const facts = { format: FORMAT, queue, number, commit };
  const document = JSON.stringify({ ...facts, bundles: Object.fromEntries(entries) });
  return { number, document, signature: signatureOf(document, key) };
}

/** What a row says of itself, whoever has signed it. */
export type Claimed = Pick<Revision, "commit">;

export type ReadRevision =
  | { readonly revision: Revision; readonly odd?: undefined }
  /** What is odd about it, as what follows "The revision in the queue". */
  | {
      readonly odd: string;
      readonly help?: string;
      readonly claimed: Claimed;
      readonly revision?: undefined;
    };

export const SAME_VERSION = "Install the same version everywhere, on the workers first.";

export function readRevision(
  { number, document, signature }: RevisionRow,
  { key, queue }: { readonly key: Secret; readonly queue: string },
): ReadRevision {
  const isSigned = isSignedWith(key, document, signature);
  const json = parseJson(document);
  const said = isJsonObject(json) ? (json as unknown as Written) : undefined;
  const claimed = { commit: typeof said?.commit === "string" ? said.commit : null };
  if (!isSigned) return { odd: "is signed with another key, or was changed", claimed };
  if (said?.format !== FORMAT) {
    return { odd: "was published by another version of Lintel", help: SAME_VERSION, claimed };
  }
  if (said.queue !== queue) return { odd: "was published in another queue", claimed };
  if (said.number !== number) {
    return { odd: "stands there under another number than its own", claimed };
  }
  const bundles = new Map(Object.entries(said.bundles));
  return { revision: { queue, number, commit: said.commit, bundles } };
}

interface Written extends Omit<Revision, "bundles"> {
  readonly format: number;
  readonly bundles: Readonly<Record<string, string>>;
}
