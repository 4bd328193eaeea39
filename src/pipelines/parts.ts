// What the pipelines of all systems have in common: what they are about, how they install, and which secrets they want.
import { branchAt } from "../state-address/branch.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf } from "../state-address/kinds.js";

export interface Pipelined {
  /** What it is about, from the root of the repository, with slashes: a file, a folder, or a pattern. */
  readonly target: string;
  /** What npm installs; absent where nobody has said it. */
  readonly package?: string;
  /** The variables that the sign-ins take secrets from, each once. */
  readonly variables: readonly string[];
  /** Where the states are kept, as the files write it, each place once. */
  readonly states: readonly string[];
  /** LINTEL_VAR_…, which hold nothing secret, as they are where the pipeline is written. */
  readonly values: readonly (readonly [string, string])[];
  /** Where a change concerns it, from the root of the repository: files, and folders with a slash at the end; "" is all. */
  readonly places: readonly string[];
  /** The default one; undefined where nobody could tell. */
  readonly branch?: string | undefined;
  /** Of the portals, their sign-ins and their states, as a list of hosts names them. */
  readonly hosts: readonly string[];
}

/** Nothing of the package runs before `lintel` does. It has no default, because a registry gives for a name what somebody has put there. */
export const INSTALL =
  'npm install --global --ignore-scripts "${LINTEL_PACKAGE:?write into this file where the package of Lintel is}"';

/** The name of a file or folder is never part of a step's text, because shells take names apart. */
export const TARGET = '"$LINTEL_FILES"';

export const BY_THE_CLOCK = `lintel apply ${TARGET} --due schedule,drift --yes`;

/** Where windows open and close at any time, a quarter of an hour late is soon enough for most. */
export const CRON = "7,22,37,52 * * * *";

/** GitHub's, by commit, because a tag may be moved. */
export const ACTIONS = {
  checkout: "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
  node: "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
  upload: "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0",
  download: "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1",
};

/** What every job knows, and nothing of it is secret. */
export function plainVariables({
  target,
  package: address,
  values,
}: Pipelined): readonly (readonly [string, string])[] {
  const files = target.startsWith("-") ? `./${target}` : target;
  return [
    ["LINTEL_PACKAGE", JSON.stringify(address ?? "")],
    ["LINTEL_FILES", JSON.stringify(files)],
    ...values.map(([name, value]) => [name, JSON.stringify(value)] as const),
  ];
}

/** What the platforms put something else for, wherever it stands. */
export function isExpression(target: string): boolean {
  return /\$\{\{|\$\[/.test(target);
}

/** The credentials that a place takes from variables. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  http: ["TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"],
  postgres: ["PGPASSWORD"],
  s3: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
};

/** What a runner would take with it when it ends, so that somebody would have to push it to a branch that people work on. */
export function isBesideFile(state: string): boolean {
  const kind: string | undefined = stateKindOf(state);
  return kind === "file" && /^file:(?![/\\]|\.\.|[a-z]:|\$\{)/i.test(state);
}

/** Of the sign-ins and of the places. */
export function secretsOf({ variables, states }: Pipelined): string[] {
  const ofPlaces = states.flatMap((state) => VARIABLES[stateKindOf(state) ?? ""] ?? []);
  return [...new Set([...variables, ...ofPlaces])];
}

/** Also the keys of signed states, the one of now and the one before: they are empty where nobody has set them. */
export function handedOn(pipelined: Pipelined): string[] {
  return [...secretsOf(pipelined), STATE_KEY, `${STATE_KEY}_OLD`];
}

export const STATE_KEY = "LINTEL_STATE_KEY";

/** What people do before anything runs; what they set there is up to the platform. */
export function beforeLines({ package: address }: Pipelined, where: string): string[] {
  return [
    ...(address === undefined
      ? ["# Write below where Lintel's package is (LINTEL_PACKAGE), made with npm pack."]
      : []),
    `# Before the first run, set in ${where} (why: lintel help pipelines):`,
  ];
}

/** For LINTEL_ALLOWED_HOSTS. */
export function hostsMeant({ hosts }: Pipelined): string {
  return `the hosts that credentials may go to${hosts.length > 0 ? ` (${hosts.join(",")})` : ""}`;
}

/** The branches that are pushed: "lintel-state" for git:lintel-state@upstream. */
export function branchesOf({ states }: Pipelined): string[] {
  const found = states.filter((state) => stateKindOf(state) === "git").map(branchAt);
  return [...new Set(found.flatMap((branch) => (isWrong(branch) ? [] : branch.name)))];
}

/** What becomes of what was applied; `rights` are what a branch wants. */
export function placeLines(pipelined: Pipelined, rights: readonly string[]): string[] {
  const branches = branchesOf(pipelined);
  const pushed = branches.map(
    (name) =>
      `# What was applied is pushed to the branch ${name}, and to no other, so that the default branch may be protected.`,
  );
  const elsewhere =
    "# What was applied is kept where the files say; where that takes credentials, list its host too.";
  const isElsewhere = pipelined.states.some((state) => stateKindOf(state) !== "git");
  return [...pushed, ...(pushed.length > 0 ? rights : []), ...(isElsewhere ? [elsewhere] : [])];
}

export function indented(depth: number, lines: readonly string[]): string[] {
  return lines.map((line) => line && " ".repeat(depth) + line);
}

/** A program that bare Node runs, in the shell; to the shell it is text. */
export function programLines(program: string): string[] {
  return ["node --input-type=module <<'END'", ...program.trimEnd().split("\n"), "END"];
}
