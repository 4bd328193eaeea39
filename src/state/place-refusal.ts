// Explains why a place for states does not work: what failed, its answer, and one hint.
import { Failure } from "../failure.js";

export type Cause = "not-found" | "not-allowed" | "not-reachable" | "not-ours";

/** The answer of the place, as the end of `cannot be read: `. Safe for a terminal and without credentials. */
export interface Said {
  readonly why: string;
  readonly cause?: Cause | undefined;
  /** Replaces the hint for the cause. */
  readonly help?: string | undefined;
}

/** A word in braces is replaced by the name from the address. */
const HINTS = {
  file: {
    "not-found": "Check the folder and its permissions.",
    "not-allowed": "Check the folder and its permissions, or name another one:\n  state: file:DIR",
    "not-reachable": "Check the folder and its permissions.",
    "not-ours": "Lintel needs this name for a folder. Move the other content away.",
  },
  git: {
    "not-found": "Check the repository and its disk space:\n  git fsck",
    "not-allowed":
      "Allow this account to push to the branch of states, without a pull request: check its permissions, the protection rules and the hooks of the remote. In a pipeline the job's token must be allowed to push (GitHub: contents: write).",
    "not-reachable":
      "Git connects with its own credentials; in a pipeline the checkout must keep them (GitHub: persist-credentials, Azure: persistCredentials). Test the connection:\n  git ls-remote {remote}",
    "not-ours":
      "Name a branch for states only. The first apply creates it:\n  state: git:lintel-state",
  },
  postgres: {
    "not-found":
      "Create the database, or correct its name in the address:\n  CREATE DATABASE {database};",
    "not-allowed":
      "Check the role, its password (PGPASSWORD, PGPASSFILE or ~/.pgpass) and the server's pg_hba.conf. In the database the role needs:\n  CREATE SCHEMA {schema} AUTHORIZATION {role};\nor, if another role owns the schema and has written a state:\n  GRANT USAGE ON SCHEMA {schema} TO {role};\n  GRANT SELECT, INSERT, UPDATE ON {schema}.state TO {role};",
    "not-reachable": "Check the address, the network and the server, then run the command again.",
    "not-ours":
      "Name another schema. Lintel creates it:\n  state: postgres://USER@HOST/DATABASE?schema=lintel",
  },
  s3: {
    "not-found":
      "Create the bucket, or correct its name in the address and the region in the address or AWS_REGION.",
    "not-allowed":
      "Check the keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN) and the clock of this machine. The keys need s3:GetObject and s3:PutObject for the objects, and s3:ListBucket for the bucket.",
    "not-reachable": "Check the region and the endpoint of the address.",
    "not-ours": "Name another bucket or folder.",
  },
  http: {
    "not-found":
      "Check the address, and TF_HTTP_LOCK_ADDRESS, TF_HTTP_UNLOCK_ADDRESS and their methods, if set. To plan without the state:\n  lintel plan --no-state",
    "not-allowed":
      "Set the user and the password or token:\n  export TF_HTTP_USERNAME=… TF_HTTP_PASSWORD=…\nGitLab: reading takes the Developer role, writing the Maintainer role (a project access token with the scope api). In a pipeline of that GitLab the job token is used without them. To plan without the state:\n  lintel plan --no-state",
    "not-reachable": "Check the address, and the log of the server.",
    "not-ours": "Name an address of its own for each portal's state.",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Cause, string>>>>;

export type PlaceKind = keyof typeof HINTS;

/** The values of words in braces. Without a value, the word appears in capitals. */
export type Names = Readonly<Record<string, string>>;

export function hintFor(kind: PlaceKind, cause: Cause, names: Names = {}): string {
  return HINTS[kind][cause].replace(/\{(\w+)\}/g, (_, word: string) => {
    return names[word] ?? word.toUpperCase();
  });
}

export function refusedAt(
  kind: PlaceKind,
  place: string,
  doing: "read" | "written" | "locked",
  { why, cause = "not-reachable", help }: Said,
  { names, error }: { readonly names?: Names; readonly error?: unknown } = {},
): Failure {
  return new Failure(
    doing === "read" ? "state-not-readable" : "state-not-writable",
    `The state "${place}" cannot be ${doing}: ${why.replace(/\.$/, "")}.`,
    help ?? hintFor(kind, cause, names),
    { cause: error },
  );
}
