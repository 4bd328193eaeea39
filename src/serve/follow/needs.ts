// A file as it was read → what another machine needs to read it so, too.
import type { PortalFile } from "../../document/read/desired.js";
import { referredIn, type Referred } from "../../document/referred.js";
import type { Policed } from "../../apply/policy-checks.js";

export interface Needs extends Referred {
  /** Of the file, its bases, the files that its settings refer to and its own policies: absolute, each once. */
  readonly paths: readonly string[];
}

export function needsOf({ root, paths }: PortalFile, policed: Policed | undefined): Needs {
  return { ...referredIn(root), paths: [...new Set([...paths, ...(policed?.paths ?? [])])] };
}
