// Declares a policy: an organisation's own rule, parsed, checked and compiled.
import type { Diagnostic, Severity } from "../diagnostic.js";
import type { Check } from "../document/check/compile.js";
import type { Placed } from "../document/read/tree.js";
import type { Json } from "../lib/json.js";

export interface Policy {
  readonly name: string;
  readonly severity: Severity & ("error" | "warning");
  readonly message: string;
  readonly help: string;
  /** The zone of its times. */
  readonly timeZone: string;
  /** It applies if all of these are met. */
  readonly when: readonly Condition[];
  readonly must: readonly Condition[];
  readonly examples: readonly Example[];
  readonly file: string;
  /** The place of its name. */
  readonly at: Placed;
}

/** The value at a path must match a schema. */
export interface Condition {
  /** In the reference's spelling. */
  readonly path: readonly string[];
  readonly check: Check;
  /** The place in the policy's file. */
  readonly at: Placed;
}

export interface Example {
  readonly kind: "good" | "bad";
  /** A part of the input document. */
  readonly given: Json;
  readonly at: Placed;
}

/** The policies at some paths. A broken one is only in `problems`, which stop a run. */
export interface ReadPolicies {
  readonly policies: readonly Policy[];
  readonly problems: readonly Diagnostic[];
}

export const NONE: ReadPolicies = { policies: [], problems: [] };

/** The prefix of the codes of policy findings. */
export const POLICY = "policy/";

/** The names of the policies with errors, without duplicates. */
export function policiesIn(diagnostics: readonly Diagnostic[]): string[] {
  const errors = diagnostics.filter((each) => each.severity === "error" && isOfPolicy(each));
  return [...new Set(errors.map(({ code }) => code.slice(POLICY.length)))];
}

export function isOfPolicy({ code }: Pick<Diagnostic, "code">): boolean {
  return code.startsWith(POLICY);
}
