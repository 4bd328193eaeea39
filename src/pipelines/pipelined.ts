// What a pipeline is about: its files, the package of Lintel, the secrets of its sign-ins, and where its states are.
import { branchIn } from "../state-address/branch.js";
import { stateKindOf } from "../state-address/kinds.js";

export interface Pipelined {
  /** A file, a folder, or a pattern, from the root of the repository, with slashes. */
  readonly target: string;
  readonly package: Package;
  /** The variables that the sign-ins take secrets from, each once. */
  readonly variables: readonly string[];
  /** Where the states are kept, as the files write it, each place once. */
  readonly states: readonly string[];
  /** LINTEL_VAR_…, which hold nothing secret, as they are where the pipeline is written. */
  readonly values: readonly (readonly [string, string])[];
  /** The default branch. GitLab's file takes a variable instead. */
  readonly branch: string;
  /** Of the portals, their sign-ins and their states, as a host allowlist names them. */
  readonly hosts: readonly string[];
  /** When the jobs by the clock run; undefined where there are none. */
  readonly cron?: string | undefined;
}

/** What npm downloads, and the sum of its bytes. */
export interface Package {
  readonly address: string;
  readonly sum: { readonly algorithm: "sha256" | "sha512"; readonly hex: string };
}

/** The environment, or variable group, whose secrets wait for an approval; and that of the clock, which needs no approval. */
export const ENVIRONMENT = "portal";
export const UNATTENDED = "portal-unattended";

/** Five fields of digits and the signs that all three platforms read alike. */
export function isCron(text: string): boolean {
  return /^[\d*,/-]+( [\d*,/-]+){4}$/.test(text);
}

/** What the platforms put something else for, wherever it stands. */
export function isExpression(text: string): boolean {
  return /\$\{\{|\$\[/.test(text);
}

/** A folder of the checkout, which ends with the runner. */
export function isBesideFile(state: string): boolean {
  const kind: string | undefined = stateKindOf(state);
  return kind === "file" && /^file:(?![/\\]|\.\.|[a-z]:|\$\{)/i.test(state);
}

/** The credentials that a place takes from variables. A bucket of Amazon's takes a token of the platform instead. */
const OF_PLACES: Readonly<Record<string, readonly string[]>> = {
  s3: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  http: ["TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"],
  postgres: ["PGPASSWORD"],
};

/** Of the sign-ins and of the places. */
export function secretsOf({ variables, states }: Pick<Pipelined, "variables" | "states">) {
  const ofPlaces = states.flatMap((state) =>
    isOfAmazon(state) ? [] : (OF_PLACES[stateKindOf(state) ?? ""] ?? []),
  );
  return [...new Set([...variables, ...ofPlaces])];
}

/** The branches that are pushed: "lintel-state" for git:lintel-state@upstream. */
export function branchesOf({ states }: Pick<Pipelined, "states">): string[] {
  return [...new Set(states.flatMap((state) => branchIn(state)?.name ?? []))];
}

/** On Azure, the repository of its own that holds the states: "portal-states" for git:lintel-state@portal-states. */
export function stateRepositoryOf({ states }: Pick<Pipelined, "states">): string | undefined {
  return states.map((state) => branchIn(state)?.remote).find(Boolean);
}

export function isInBucket({ states }: Pick<Pipelined, "states">): boolean {
  return states.some(isOfAmazon);
}

function isOfAmazon(state: string): boolean {
  return stateKindOf(state) === "s3" && !/[?&]endpoint=/.test(state);
}

/** Whether a job without credentials can read where the states are. */
export function isOpen({ states }: Pick<Pipelined, "states">): boolean {
  return states.every((state) => /^(?:git|file)$/.test(stateKindOf(state) ?? ""));
}

export function isKeptByGitlab(state: string): boolean {
  return stateKindOf(state) === "http" && state.includes("/api/v4/projects/");
}
