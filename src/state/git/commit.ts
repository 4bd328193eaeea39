// States to be written → one commit on top of a branch, whose message tells people which portals, what was done and who did it.
import { counted, showForeign } from "../../lib/text.js";
import { isSent } from "../../settings.js";
import type { State } from "../state.js";
import type { Holder } from "../store.js";
import { locally, type Branch, type Tip } from "./branch.js";
import * as refusal from "./refusal.js";

export interface Written {
  /** Of the file. */
  readonly name: string;
  readonly text: string;
  readonly key: string;
  readonly before: State | undefined;
  readonly after: State;
  readonly holder: Holder;
}

export interface Made {
  readonly commit: string;
  readonly files: Tip["files"];
}

const PLAIN_FILE = "100644";

/** Every other file of the branch stays as it is. */
export async function makeCommit(
  branch: Branch,
  tip: Tip,
  writes: readonly Written[],
): Promise<Made> {
  const files = new Map(tip.files);
  for (const { name, text } of writes) {
    const hashed = await locally(branch, ["hash-object", "-w", "--stdin"], undefined, text);
    const size = Buffer.byteLength(text);
    files.set(name, { mode: PLAIN_FILE, type: "blob", object: lineOf(hashed.stdout), size });
  }
  const listing = [...files].map(([name, { mode, type, object }]) => {
    return `${mode} ${type} ${object}\t${name}\0`;
  });
  const tree = await locally(
    branch,
    ["mktree", "-z"],
    undefined,
    Buffer.from(listing.join(""), "latin1"),
  );
  const parents = tip.commit === undefined ? [] : ["-p", tip.commit];
  const words = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", lineOf(tree.stdout), ...parents];
  const env = await namesFor(branch, writes);
  const committed = await branch.workshop.git(words, { env, input: messageOf(writes) });
  if (committed.exit !== 0) throw refusal.gitFailed(branch, committed);
  return { commit: lineOf(committed.stdout), files };
}

function lineOf(stdout: Buffer): string {
  return stdout.toString("utf8").trim();
}

/** As git is told to call whoever commits here; where nobody has told it, after whoever runs this. */
async function namesFor({ workshop }: Branch, [first]: readonly Written[]) {
  const told = ["-c", "user.useConfigOnly=true", "var"];
  const idents = await Promise.all(
    ["AUTHOR", "COMMITTER"].map(async (role) => {
      const { exit } = await workshop.git([...told, `GIT_${role}_IDENT`]);
      return { role, isKnown: exit === 0 };
    }),
  );
  // What drives a terminal or ends a name for git is no part of one.
  const plain = (text = "") => text.replace(/[\p{C}<>\n]/gu, "").trim() || "lintel";
  const who = plain(first?.holder.who);
  const email = who.includes("@")
    ? who
    : `${who}@${plain(first?.holder.host)}`.replace(/\s+/g, ".");
  const names = idents
    .filter(({ isKnown }) => !isKnown)
    .flatMap(({ role }) => [
      [`GIT_${role}_NAME`, who],
      [`GIT_${role}_EMAIL`, email],
    ]);
  return Object.fromEntries(names) as Record<string, string>;
}

/** No pipeline has anything to do for a state. */
const SKIP = "[skip ci]";

function messageOf(writes: readonly Written[]): string {
  const told = writes.map(({ key, before, after }) => ({ key, ...happened(before, after) }));
  const verbs = [...new Set(told.map(({ verb }) => verb))];
  const lines = told.map(({ key, serial, count }) => `${key} serial ${serial}${changes(count)}`);
  const [only] = lines;
  const total = told.reduce((sum, { count }) => sum + count, 0);
  const subject =
    told.length === 1
      ? `${verbs.join()}: ${only}`
      : `${verbs.join(", ")}: ${counted(told.length, "portal")}${changes(total)}`;
  const list = told.map(({ verb }, at) => (verbs.length > 1 ? `${verb}: ${lines[at]}` : lines[at]));
  const runs = new Set(
    writes.map(({ holder: { who, host, run } }) => {
      const show = (text: string) => showForeign(text, [], 200);
      return `By ${show(who)} on ${show(host)}, in ${show(run)}`;
    }),
  );
  const body = told.length === 1 ? [] : [list.join("\n")];
  return `${[subject, ...body, [...runs].join("\n"), SKIP].join("\n\n")}\n`;
}

function changes(count: number): string {
  return count === 0 ? "" : ` (${counted(count, "change")})`;
}

/** A journal that is opened, one that is withdrawn, or whatever the newest entry of the history tells. */
function happened(before: State | undefined, after: State) {
  const { serial, journal, history } = after;
  // A hold that comes with a rollback stands behind it.
  const newest = history.find((entry) => entry.serial === serial && entry.outcome === undefined);
  if (newest) return { serial, verb: newest.kind, count: newest.changes.length };
  if (journal && (!before?.journal || before.journal.time !== journal.time)) {
    return { serial, verb: `${journal.kind} begins`, count: journal.changes.filter(isSent).length };
  }
  return { serial, verb: before?.journal && !journal ? "withdrawn" : "state", count: 0 };
}
