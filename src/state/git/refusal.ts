// What is wrong with a repository, a remote or a branch, or what a server says → the Failure that tells it, and what to allow.
import { Failure, interrupted, type FailureCode } from "../../failure.js";
import { shellWord, showForeign } from "../../lib/text.js";
import type { Branch } from "./branch.js";
import type { Ended, Unusable } from "../../lib/git.js";

const OTHER_PLACE = "or name another place:\n  state: file:DIR";

export function noRepository(file: string, folder: string, unusable?: Unusable): Failure {
  if (unusable) {
    const { why, help } = unusable;
    return new Failure(
      "state-not-readable",
      `The state is kept on a branch of git, and ${why}.`,
      help,
    );
  }
  return new Failure(
    "bad-state-address",
    `The state is to be kept on a branch of git, and "${file}" is in no git repository.`,
    `Make one of "${showForeign(folder, [])}" and give it a remote, ${OTHER_PLACE}`,
  );
}

export function noRemote(name: string, remotes: readonly string[], file: string): Failure {
  const list = remotes.map((each) => `"${showForeign(each, [])}"`).join(", ");
  return new Failure(
    "bad-state-address",
    `The repository that holds "${file}" has no remote "${showForeign(name, [])}".`,
    remotes.length > 0
      ? `It has ${list}. Name one of them:\n  state: git:BRANCH@${remotes[0]}`
      : `The state is kept on a branch of the remote, so that everybody shares it. Add it:\n  git remote add ${shellWord(name)} URL\n${OTHER_PLACE}`,
  );
}

export function defaultBranch({ name, remote }: Pick<Branch, "name" | "remote">): Failure {
  return new Failure(
    "bad-state-address",
    `"${name}" is the default branch of "${remote}", and no place for states.`,
    "Name a branch that is for the state alone; it is made by the first apply:\n  state: git:lintel-state",
  );
}

export function checkedOut({ name }: Pick<Branch, "name">): Failure {
  return new Failure(
    "bad-state-address",
    `The branch "${name}" is checked out, and no place for states: what is pushed to it would be missing here.`,
    "Name a branch that is for the state alone; it is made by the first apply:\n  state: git:lintel-state",
  );
}

export function emptyRemote({ shown, remote }: Branch, hasCommit: boolean): Failure {
  const commit = hasCommit ? "" : '\n  git add .\n  git commit --message "First files"';
  return new Failure(
    "state-not-readable",
    `The state "${shown}" cannot be read: the remote "${remote}" holds no branch at all.`,
    `If the repository is new, push your files first, because the first branch that is pushed becomes the default one:${commit}\n  git push -u ${shellWord(remote)} HEAD\nElse something that is no git server answers in its place; see its address:\n  git remote --verbose`,
  );
}

export function notReached(
  branch: Pick<Branch, "shown" | "remote">,
  ended: Ended,
  signal?: AbortSignal,
): Failure {
  return told("state-not-readable", "cannot be read", branch, ended, signal);
}

export function cannotRead({ shown }: Pick<Branch, "shown">, why: string): Failure {
  return new Failure(
    "state-not-readable",
    `The state "${shown}" cannot be read: ${why}.`,
    "Try again later.",
  );
}

export function notPushed(branch: Branch, ended: Ended): Failure {
  return told("state-not-writable", "cannot be written", branch, ended);
}

/** The look that would tell failed as well. */
export function unknownEnd({ shown, remote }: Branch, { message }: Failure): Failure {
  return new Failure(
    "state-not-writable",
    `It is not known whether "${remote}" took what was pushed to "${shown}". ${message}`,
    "See what stands there, once the remote can be reached:\n  lintel status",
  );
}

export function crowded({ shown }: Branch): Failure {
  return new Failure(
    "state-not-writable",
    `The state "${shown}" cannot be written: for two minutes others were faster each time.`,
    "Run it again when fewer runs write to the same branch.",
  );
}

/** Nobody waits for an update for ever, so that none is sent that nobody may be waiting for any more. */
export function tooLate(subject: string, ms: number): Failure {
  return new Failure(
    "state-lock-lost",
    `The journal of "${subject}" has been open for ${Math.round(ms / 1000)} s, and another run may have stopped waiting for its update: nothing was sent.`,
    "If the remote is slow, try again later. If this machine was asleep, run the same command again.",
  );
}

export function oddEntry(place: string, why: string): Failure {
  return new Failure(
    "state-not-readable",
    `The state "${place}" cannot be read: ${why}.`,
    "No run of Lintel makes such an entry. Remove it from the branch.",
  );
}

/** What needs no network. */
export function gitFailed(
  { shown }: Pick<Branch, "shown">,
  { stderr, trouble }: Ended,
  signal?: AbortSignal,
): Failure {
  if (signal?.aborted) return interrupted();
  return new Failure(
    "state-not-readable",
    `Git cannot work on the state "${shown}": ${trouble ?? said(stderr)}`,
    "Look whether the repository is whole, and whether there is room for temporary files:\n  git fsck",
  );
}

const LINES = 8;

/** What a server or git said, line by line, in which nothing drives a terminal and no address shows a password. */
export function said(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.replace(/^((remote|fatal|error): ?)+/, "").trim())
    .filter(
      (line) =>
        line !== "" &&
        !/^(failed to push|hint:|Could not read from|Please make sure|and the repository exists)/i.test(
          line,
        ),
    );
  const shown = [...new Set(lines)]
    .slice(0, LINES)
    .map((line) => showForeign(withoutUser(line), [], 300));
  return shown.join(" / ").replace(/([^.!?])$/, "$1.") || "it does not say why.";
}

/** Up to the last @, because a password may hold one. */
function withoutUser(line: string): string {
  return line.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, "$1");
}

interface Sign {
  readonly pattern: RegExp;
  readonly why: (remote: string) => string;
  readonly help: string;
}

/** Continues "cannot be read: " and "cannot be written: "; the first that fits what was said counts. */
const SIGNS: readonly Sign[] = [
  {
    pattern: /unknown option|usage: git/i,
    why: () => "git is too old",
    help: "Install git 2.31 or later.",
  },
  {
    pattern:
      /could not read (Username|Password)|terminal prompts disabled|Authentication failed|HTTP Basic: Access denied|invalid credentials|returned error: 401|Permission denied \(|No supported authentication|Missing or invalid credentials/i,
    why: (remote) => `"${remote}" does not know who asks`,
    help: "Git signs in there with its own credentials: give this run the same as those that fetch and push, such as a credential helper or a key. In a pipeline the checkout must keep them (GitHub: persist-credentials; Azure: persistCredentials: true).",
  },
  {
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION/i,
    why: (remote) => `the key of "${remote}" is not known here`,
    help: "Connect once by hand and compare the key, or add it to known_hosts.",
  },
  {
    pattern:
      /Could not resolve host|Failed to connect|Connection (refused|timed out|reset)|Couldn't connect|Network is unreachable|Operation timed out|unable to connect|No route to host|early EOF|hung up unexpectedly|returned error: 5\d\d|RPC failed/i,
    why: (remote) => `"${remote}" cannot be reached`,
    help: "Check the network and the remote's address:\n  git remote --verbose",
  },
  {
    pattern:
      /does not appear to be a git repository|Repository not found|not found|returned error: 404|TF401019|not valid: is this a git repository/i,
    why: (remote) => `"${remote}" is no repository that this run may see`,
    help: "Check the remote's address, and that whoever runs this may read it:\n  git remote --verbose",
  },
];

function told(
  code: FailureCode,
  what: string,
  { shown, remote }: Pick<Branch, "shown" | "remote">,
  { stderr, trouble }: Ended,
  signal?: AbortSignal,
): Failure {
  if (signal?.aborted) return interrupted();
  const sign =
    trouble === undefined ? SIGNS.find(({ pattern }) => pattern.test(stderr)) : undefined;
  const why = trouble ?? sign?.why(remote) ?? `git could not ask "${remote}"`;
  const more = stderr.trim() === "" ? "" : ` Git says: ${said(stderr)}`;
  return new Failure(
    code,
    `The state "${shown}" ${what}: ${why}.${more}`,
    sign?.help ?? "Check the network and the remote's address:\n  git remote --verbose",
  );
}

/** Whether a server let nobody in, so that it cannot have taken anything. */
export function isNoEntry(stderr: string): boolean {
  return /returned error: 40[134]|Permission .*denied|Authentication failed|could not read (Username|Password)|Write access .*not granted|not allowed to|Repository not found|does not appear to be a git repository|TF40\d{4}|Could not resolve host|Failed to connect|Couldn't connect|Host key verification failed|Access denied/i.test(
    stderr,
  );
}
