// What the pipelines of all systems have in common: how they install, which variables they want, and how they keep a state.
import { branchAt } from "../state-address/branch.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf } from "../state-address/kinds.js";

export interface Pipelined {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  /** The variables that its sign-in takes secrets from. */
  readonly variables: readonly string[];
  /** Where its state is kept, as the file writes it. */
  readonly state: string;
}

/** Not a name: a registry gives whoever asks for one what somebody has put there, and the pipeline holds secrets. */
export const INSTALL = 'npm install --global "$LINTEL_PACKAGE"';

/** The credentials that a place takes from variables. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  http: ["TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"],
  postgres: ["PGPASSWORD"],
  s3: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
};

/** How a pipeline keeps the state: it pushes the file's own branch, or another one, or leaves that to the place. */
export type Keeping = "own-branch" | "other-branch" | "elsewhere";

export function keepingOf({ state }: Pipelined): Keeping {
  const kind: string | undefined = stateKindOf(state);
  if (kind === "file") return isBeside(state) ? "own-branch" : "elsewhere";
  return kind === "git" ? "other-branch" : "elsewhere";
}

/** What is not in the repository cannot be pushed with it. */
function isBeside(state: string): boolean {
  return /^file:(?![/\\]|\.\.|[a-z]:|\$\{)/i.test(state);
}

/** Of the sign-in and of the place. */
export function secretsOf({ variables, state }: Pipelined): string[] {
  const kind: string | undefined = stateKindOf(state);
  return [...variables, ...((kind !== undefined && VARIABLES[kind]) || [])];
}

/** Also the key of signed states: it is empty where nobody has set it, and no system gives it to the changes of strangers. */
export function handedOn(pipelined: Pipelined): string[] {
  return [...secretsOf(pipelined), STATE_KEY];
}

export const STATE_KEY = "LINTEL_STATE_KEY";

/** "lintel-state" for git:lintel-state@upstream. */
export function branchOf({ state }: Pipelined): string {
  const found = branchAt(state);
  return isWrong(found) ? "" : found.name;
}

/** What was applied is kept in the repository, whatever the apply ended with; locks stay out of it. */
export function keepState(
  { file, state }: Pipelined,
  push: string,
  message = "Record what was applied",
): string[] {
  const own = state.replace(/^file:(\.\/)?/i, "").replace(/\/+$/, "");
  const folder = file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/${own}` : own;
  return [
    `git add "${folder}"/*.json || exit 0`,
    "git diff --cached --quiet && exit 0",
    `git -c user.name=lintel -c user.email=lintel@localhost commit --message "${message}"`,
    push,
  ];
}

export function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
