// What a server of states refuses, or leaves in doubt → the Failure that says so, and what to do about it.
import { Failure, type FailureCode } from "../../failure.js";
import { parseObject, type Answer } from "../../request.js";
import { shellWord, showForeign } from "../../lib/text.js";
import type { OwnOrigin } from "../refusal.js";
import type { Server } from "./server.js";

type Doing = "read" | "write" | "lock" | "unlock";

const CODES: Readonly<Record<Doing, FailureCode>> = {
  read: "state-not-readable",
  write: "state-not-writable",
  lock: "state-not-writable",
  unlock: "state-not-writable",
};

export function originOf({ place, dialect, written }: Server): OwnOrigin {
  if (dialect !== "gitlab")
    return {
      place,
      recovery: "Put it there again from the versions or the backup that its server keeps.",
    };
  const address = written ? "ADDRESS" : place;
  return {
    place,
    recovery: `GitLab keeps every version of it (Operate › Terraform states). Take away the one of the serial that is damaged, and the one before counts again:\n  curl --user "$TF_HTTP_USERNAME:$TF_HTTP_PASSWORD" --request DELETE ${address}/versions/SERIAL`,
  };
}

/** GitLab says so of a project that the account may not see, too: then nobody knows what was applied there. */
export function isNoProject({ dialect }: Server, answer: Answer): boolean {
  if (dialect !== "gitlab" || answer.status !== 404) return false;
  return parseObject(answer)?.["message"] === "404 Project Not Found";
}

/** Lintel does not need to know what was applied to say what a file would change. */
const WITHOUT =
  "To plan without it, which compares with the live portal alone:\n  lintel plan --no-state";

export function refused(server: Server, doing: Doing, answer: Answer): Failure {
  const { status } = answer;
  const done = { read: "read", write: "written", lock: "locked", unlock: "unlocked" }[doing];
  const what = `The state "${server.place}" cannot be ${done}: `;
  const fail = (why: string, help: string) => new Failure(CODES[doing], `${what}${why}.`, help);
  const given = server.authorization;
  const signIn = `Set the user and the password or token:\n  export TF_HTTP_USERNAME=…\n  export TF_HTTP_PASSWORD=…${server.dialect === "gitlab" ? "\nIn a pipeline of that GitLab the job's own token is used without them." : ""}`;
  if (status === 401) {
    const why = given
      ? "its server does not take the user and password (401)"
      : "its server asks who it is (401)";
    return fail(why, signIn);
  }
  if (status === 403 && server.dialect === "gitlab" && doing !== "read") {
    return fail(
      "GitLab allows that to the Maintainer's role alone (403)",
      `Use a token of an account with that role. For a pipeline make a project access token (Settings > Access tokens, role Maintainer, scope api), and set it as protected and masked variables:\n  TF_HTTP_USERNAME=project-access-token\n  TF_HTTP_PASSWORD=…\nFor reading, which is all that a plan does, the Developer's role is enough.`,
    );
  }
  if (
    doing === "read" &&
    server.dialect === "gitlab" &&
    (status === 403 || isNoProject(server, answer))
  ) {
    const help = `Reading takes the Developer's role in that project. The token of a job counts where the project is the job's own, or lets that one in (Settings > CI/CD > Job token permissions). ${signIn}\n${WITHOUT}`;
    return fail(`GitLab does not show that project's states to this account (${status})`, help);
  }
  if (status === 403) {
    const help = `Check what the account may do there. ${signIn}`;
    return fail("its server does not allow that to this account (403)", help);
  }
  if (status === 404 || status === 405) {
    return fail(
      `there is nothing of the kind at that address, or this account may not see it (${status})`,
      "Check the address and the account's rights; TF_HTTP_LOCK_ADDRESS, TF_HTTP_UNLOCK_ADDRESS and the methods beside them, where they are set.",
    );
  }
  if (status === 413) {
    const why = `it is larger than its server takes (413)`;
    return fail(why, "Have the server's limit for a state raised.");
  }
  const said = saidIn(answer, server);
  return fail(
    `its server answers ${status}${said ? `, "${said}"` : ""}`,
    "Check the address, and what the server's log says of it.",
  );
}

function saidIn(answer: Answer, { secrets }: Server): string {
  const json = parseObject(answer);
  const text = json && [json["message"], json["error"]].find((each) => typeof each === "string");
  return typeof text === "string" ? showForeign(text, secrets, 200) : "";
}

export function notLockable(place: string, status?: number): Failure {
  const why =
    status === undefined
      ? "lets two hold its lock at once"
      : `does not know how to lock (${status})`;
  return new Failure(
    "state-not-lockable",
    `The state "${place}" cannot be locked: its server ${why}.`,
    "If it locks at another address or with other methods, name them:\n  export TF_HTTP_LOCK_ADDRESS=… TF_HTTP_UNLOCK_ADDRESS=…",
  );
}

/** For a lock that nobody takes over. */
export function stillLocked(place: string, file: string, cause?: unknown): Failure {
  const why = cause instanceof Failure ? ` ${cause.message}` : "";
  return new Failure(
    "state-not-writable",
    `The state "${place}" may still be locked.${why}`,
    `If no run is under way, end the lock:\n  lintel state unlock ${shellWord(file)}`,
    { cause },
  );
}
