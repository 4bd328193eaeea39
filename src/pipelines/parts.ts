// What the pipelines of all systems have in common: how they install, which variables they want, and how they keep a state.
import { branchAt } from "../state-address/branch.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf } from "../state-address/kinds.js";

export interface Pipelined {
  /** What it is about, from the root of the repository, with slashes: a file, a folder, or a pattern. */
  readonly target: string;
  /** The variables that the sign-ins take secrets from, each once. */
  readonly variables: readonly string[];
  /** Where the states are kept, as the files write it, each place once. */
  readonly states: readonly string[];
}

/** Not a name: a registry gives whoever asks for one what somebody has put there, and the pipeline holds secrets. */
export const INSTALL = 'npm install --global "$LINTEL_PACKAGE"';

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

/** Also the key of signed states: it is empty where nobody has set it, and no system gives it to the changes of strangers. */
export function handedOn(pipelined: Pipelined): string[] {
  return [...secretsOf(pipelined), STATE_KEY];
}

export const STATE_KEY = "LINTEL_STATE_KEY";

/** The branches that are pushed: "lintel-state" for git:lintel-state@upstream. */
export function branchesOf({ states }: Pipelined): string[] {
  const found = states.filter((state) => stateKindOf(state) === "git").map(branchAt);
  return [...new Set(found.flatMap((branch) => (isWrong(branch) ? [] : branch.name)))];
}

/** What becomes of what was applied; `rights` goes on after the name of a branch. */
export function placeLines(pipelined: Pipelined, [first = "", ...rest]: readonly string[]) {
  const branches = branchesOf(pipelined);
  const pushed = branches.map(
    (name) => `# What was applied is pushed to the branch ${name}, ${first}`,
  );
  const elsewhere =
    "# What was applied is kept where the files say; where that takes credentials, list its host too.";
  const isElsewhere = pipelined.states.some((state) => stateKindOf(state) !== "git");
  return [...pushed, ...(pushed.length > 0 ? rest : []), ...(isElsewhere ? [elsewhere] : [])];
}

export function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
