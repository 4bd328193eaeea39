// What the pipelines of all systems have in common.
export interface Pipelined {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  /** The variables that its sign-in takes secrets from. */
  readonly variables: readonly string[];
}

/** Not a name: a registry gives whoever asks for one what somebody has put there, and the pipeline holds secrets. */
export const INSTALL = 'npm install --global "$LINTEL_PACKAGE"';

/** What was applied is kept in the repository, whatever the apply ended with; locks stay out of it. */
export function keepState(file: string, push: string): string[] {
  const folder = file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/.lintel` : ".lintel";
  return [
    `git add "${folder}"/*.json || exit 0`,
    "git diff --cached --quiet && exit 0",
    'git -c user.name=lintel -c user.email=lintel@localhost commit --message "Record what was applied"',
    push,
  ];
}

export function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
