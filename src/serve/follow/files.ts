// The files of a run that does not end → each portal's name, key and windows; read again where they have changed and come to rest.
import type { TimedWindow } from "../due.js";
import { hasErrors, formatPlace, type Diagnostic } from "../../diagnostic.js";
import { isPart } from "../../document/check/check.js";
import { checkFile } from "../../document/check/check-file.js";
import { resolve } from "node:path";
import { desiredOf, portalUrlOf } from "../../document/read/desired.js";
import { windowsFrom } from "../../document/schedule/windows.js";
import { caught, Failure } from "../../failure.js";
import { marksOf } from "../../lib/files.js";
import { openPolicyChecks, unusable, type PolicyChecks } from "../../apply/policy-checks.js";
import { resolvePortal } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { identityOf } from "../../state/key.js";
import type { Identity, Stopped } from "../../apply/reconcile.js";
import { ADDRESS_FOR_EACH, isForOnePortal } from "../../state-address/kinds.js";
import { DAY_MS } from "../../moment.js";
import { groupBy } from "../../lib/lists.js";
import { listed, shellWord } from "../../lib/text.js";

/** A file as it was read, without what it wants: that is read again for each look. */
export interface Followed {
  readonly file: string;
  readonly portal: Identity;
  /** By which turns are spread; the file's own name where it never told which portal it is about. */
  readonly key: string;
  /** Those that are over go with the next look. */
  readonly windows: readonly TimedWindow[];
  /** Each file that has a part in it, as it stood. */
  readonly marks: ReadonlyMap<string, string>;
  /** Then its portal is left alone. */
  readonly problem?: Stopped;
}

/** Which portal a file was about when it could be read, in an earlier run. */
export type NameOf = (file: string) => Pick<Followed, "portal" | "key"> | undefined;

interface Read extends Followed {
  /** Written as it stands, where that is a place for one state alone. */
  readonly statePlace?: string | undefined;
}

export function isAsRead({ marks }: Pick<Followed, "marks">): boolean {
  return [...marks].every(([path, mark]) => marksOf(path) === mark);
}

/** Every file anew, but for those that are as they were read before. */
export async function readFiles(
  files: readonly string[],
  tools: RunContext,
  before: ReadonlyMap<string, Followed>,
  nameOf: NameOf = () => undefined,
): Promise<ReadonlyMap<string, Followed>> {
  const read: Read[] = [];
  // Of this time alone: another one keeps policies as it has read them before.
  const policing = openPolicyChecks([], tools.io);
  for (const file of files) {
    // Thousands are read without keeping a signal waiting.
    await new Promise((turn) => setImmediate(turn));
    const known: Read | undefined = before.get(file);
    const isKnown = known && isOwnProblem(known) && isAsRead(known);
    read.push(isKnown ? known : await readOne(file, tools, policing, known ?? nameOf(file)));
  }
  return new Map(withTwins(read).map((each) => [each.file, each]));
}

/** What other files are to blame for may be over without any change of this one. */
function isOwnProblem({ problem }: Pick<Followed, "problem">): boolean {
  return problem?.code !== "same-portal-twice" && problem?.code !== "state-place-shared";
}

async function readOne(
  file: string,
  tools: RunContext,
  policing: PolicyChecks,
  before?: ReturnType<NameOf>,
): Promise<Read> {
  const { io } = tools;
  const { portal: named = { name: file, url: "", id: "self" }, key: knownKey = file } =
    before ?? {};
  const unknown: Omit<Followed, "marks"> = { file, portal: named, key: knownKey, windows: [] };
  // Of itself before it is read, so that what changes meanwhile is seen to have changed.
  const own = resolve(io.cwd, file);
  const mark = marksOf(own);
  const { root, diagnostics, paths } = await checkFile(file, io);
  const marks = new Map(paths.map((path) => [path, path === own ? mark : marksOf(path)]));
  if (!root || hasErrors(diagnostics) || isPart(file)) {
    return { ...unknown, marks, problem: invalid(file, diagnostics) };
  }
  let known = unknown;
  try {
    const desired = desiredOf(file, root, paths);
    const { name, id } = desired.portal;
    const { key, url } = identityOf(portalUrlOf(desired), id);
    known = { ...unknown, portal: { name, url, id }, key };
    const policed = await policing.of(desired);
    for (const path of [...(policed?.paths ?? []), ...(policed?.folders ?? [])]) {
      marks.set(path, marksOf(path));
    }
    if (policed && hasErrors(policed.problems)) throw unusable(policed.problems);
    tools.allowlist.note(resolvePortal(desired, tools).credentialHosts);
    // Of those that come again, the next 13 months, and what may have opened or closed unseen.
    const windows = windowsFrom(root, io.now() - 7 * DAY_MS).map(
      ({ name: window, fromMs, untilMs, timeZone }) => ({
        name: window,
        fromMs,
        untilMs,
        timeZone,
      }),
    );
    const { state } = desired;
    const statePlace = state !== undefined && isForOnePortal(state) ? state : undefined;
    return { ...known, windows, marks, statePlace };
  } catch (error) {
    return { ...known, marks, problem: stopped(caught(error, io)) };
  }
}

/** What is wrong with a file says where to look for the rest. */
function invalid(file: string, diagnostics: readonly Diagnostic[]): Stopped {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  if (first?.code === "file-not-found" && !first.place) {
    const help = "Put it there, or correct its name in the call, or under files in lintel.yaml.";
    return stopped(new Failure("file-invalid", first.message, help));
  }
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  const what = first ? `${formatPlace(first)}: ${first.message}` : `"${file}" is a part of others.`;
  return stopped(
    new Failure("file-invalid", what + others, `See:\n  lintel validate ${shellWord(file)}`),
  );
}

function stopped({ code, message, help, exit }: Failure): Stopped {
  return { code, message, help, exit };
}

/** Two files would undo each other's work without end: neither counts. */
function withTwins(read: readonly Read[]): readonly Followed[] {
  const counted = read.filter((each) => !(each.problem && isOwnProblem(each)));
  const byKey = groupBy(counted, ({ key }) => key);
  const byState = groupBy(counted, ({ statePlace }) => statePlace);
  return read.map((each): Followed => {
    const twins = byKey.get(each.key) ?? [];
    const sharers = each.statePlace === undefined ? [] : (byState.get(each.statePlace) ?? []);
    if (twins.length > 1) return { ...each, problem: twice(twins.map(({ file }) => file)) };
    if (sharers.length > 1) return { ...each, problem: shared(sharers.map(({ file }) => file)) };
    return each;
  });
}

function twice(files: readonly string[]): Stopped {
  return stopped(
    new Failure(
      "same-portal-twice",
      `The files ${listed(files)} are about the same portal.`,
      "Remove one of them, or make one file of them.",
    ),
  );
}

function shared(files: readonly string[]): Stopped {
  return stopped(
    new Failure(
      "state-place-shared",
      `The files ${listed(files)} keep their states at one address, which can hold that of one portal.`,
      ADDRESS_FOR_EACH,
    ),
  );
}
