// A rule of an organisation's own, read, checked and compiled.
import type { Diagnostic, Severity } from "../diagnostic.js";
import type { Check } from "../document/check/compile.js";
import type { Placed } from "../document/read/tree.js";
import type { Json } from "../lib/json.js";

export interface Policy {
  readonly name: string;
  readonly severity: Severity & ("error" | "warning");
  readonly message: string;
  readonly help: string;
  /** By whose clock it asks what time it is. */
  readonly timeZone: string;
  /** It judges where all of these are met. */
  readonly when: readonly Condition[];
  readonly must: readonly Condition[];
  readonly examples: readonly Example[];
  readonly file: string;
  /** Where its name stands. */
  readonly at: Placed;
}

/** What stands at a path of the document has to be as a schema says. */
export interface Condition {
  /** In the reference's spelling. */
  readonly path: readonly string[];
  readonly check: Check;
  /** Where a policy says it. */
  readonly at: Placed;
}

export interface Example {
  readonly kind: "good" | "bad";
  /** A part of the document. */
  readonly given: Json;
  readonly at: Placed;
}

/** What was read at some paths. A broken one is among the problems alone, which stop a run. */
export interface ReadPolicies {
  readonly policies: readonly Policy[];
  readonly problems: readonly Diagnostic[];
}

export const NONE: ReadPolicies = { policies: [], problems: [] };

/** What the code of a policy's finding begins with. */
export const POLICY = "policy/";

/** The names of the policies whose errors these are, each once. */
export function policiesIn(diagnostics: readonly Diagnostic[]): string[] {
  const errors = diagnostics.filter((each) => each.severity === "error" && isOfPolicy(each));
  return [...new Set(errors.map(({ code }) => code.slice(POLICY.length)))];
}

export function isOfPolicy({ code }: Pick<Diagnostic, "code">): boolean {
  return code.startsWith(POLICY);
}
