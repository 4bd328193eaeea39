// Reads the files of the portals: name, key and windows of each portal, or the error in its file.
import type { TimedWindow } from "./poll-times.js";
import { hasErrors, formatPlace, type Diagnostic } from "../diagnostic.js";
import { isPart } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { resolve } from "node:path";
import { readSource } from "../document/read/bytes.js";
import { nodeAt, textOf, type Node } from "../document/read/tree.js";
import { desiredOf, portalUrlOf } from "../document/read/desired.js";
import { windowsFrom } from "../document/schedule/windows.js";
import { caught, Failure } from "../failure.js";
import { marksOf } from "../lib/files.js";
import { openPolicyChecks, unusable, type PolicyChecks } from "../apply/policy-checks.js";
import { resolvePortal } from "../apply/portal-context.js";
import type { RunContext } from "../apply/run-context.js";
import type { Io } from "../io.js";
import { identityOf } from "../state/key.js";
import type { Identity, Stopped } from "../apply/reconcile.js";
import { ADDRESS_FOR_EACH, isForOnePortal } from "../state-address/kinds.js";
import { groupBy } from "../lib/lists.js";
import { DAY_MS } from "../moment.js";
import { listed, shellWord } from "../lib/text.js";

/** A file without its settings, which each check reads again. */
export interface PortalFile {
  readonly file: string;
  readonly portal: Identity;
  /** The key of the portal, or the name of the file if it never named its portal. */
  readonly key: string;
  readonly windows: readonly TimedWindow[];
  /** All files that were read for it, bases and policies included, each with its mark on the disk. */
  readonly marks: ReadonlyMap<string, string>;
  /** The portal of a file with errors is not checked. */
  readonly problem?: Problem;
}

export interface Problem extends Stopped {
  /** All errors of the file, if there are several. */
  readonly errors?: readonly string[];
}

/** The portal of a file that could be read in an earlier run. */
export type LastPortalOf = (file: string) => Pick<PortalFile, "portal" | "key"> | undefined;

interface Read extends PortalFile {
  /** The address of the state, if it can contain only one. */
  readonly statePlace?: string | undefined;
}

export function isAsRead({ marks }: Pick<PortalFile, "marks">): boolean {
  return [...marks].every(([path, mark]) => marksOf(path) === mark);
}

export async function readFiles(
  files: readonly string[],
  run: RunContext,
  before: ReadonlyMap<string, PortalFile>,
  lastPortalOf: LastPortalOf = () => undefined,
): Promise<ReadonlyMap<string, PortalFile>> {
  const read: Read[] = [];
  // For one reading only, because it caches policies.
  const policies = openPolicyChecks([], run.io);
  for (const file of files) {
    // Handles signals between files, because there may be thousands.
    await new Promise((turn) => setImmediate(turn));
    const known: Read | undefined = before.get(file);
    const isKnown = known && isOwnProblem(known) && isAsRead(known);
    read.push(isKnown ? known : await readOne(file, run, policies, known ?? lastPortalOf(file)));
  }
  return new Map(withDuplicates(read).map((each) => [each.file, each]));
}

/** A conflict with another file can end without a change of this one. */
function isOwnProblem({ problem }: Pick<PortalFile, "problem">): boolean {
  return problem?.code !== "same-portal-twice" && problem?.code !== "state-place-shared";
}

async function readOne(
  file: string,
  run: RunContext,
  policies: PolicyChecks,
  before?: ReturnType<LastPortalOf>,
): Promise<Read> {
  const { io } = run;
  // Taken before the file is read, so that a change meanwhile is noticed.
  const own = resolve(io.cwd, file);
  const mark = marksOf(own);
  const { root, diagnostics, paths } = await checkFile(file, io);
  const marks = new Map(paths.map((path) => [path, path === own ? mark : marksOf(path)]));
  const unknown = before?.portal.url
    ? { file, portal: before.portal, key: before.key, windows: [] }
    : {
        file,
        portal: { name: writtenName(file, root, io), url: "", id: "self" },
        key: file,
        windows: [],
      };
  if (!root || hasErrors(diagnostics) || isPart(file)) {
    return { ...unknown, marks, problem: invalidFailure(file, diagnostics) };
  }
  let known: Omit<PortalFile, "marks"> = unknown;
  try {
    const desired = desiredOf(file, root, paths);
    const { name, id } = desired.portal;
    const { key, url } = identityOf(portalUrlOf(desired), id);
    known = { ...unknown, portal: { name, url, id }, key };
    const policy = await policies.of(desired);
    for (const path of [...(policy?.paths ?? []), ...(policy?.folders ?? [])]) {
      marks.set(path, marksOf(path));
    }
    if (policy && hasErrors(policy.problems)) throw unusable(policy.problems);
    run.allowlist.note(resolvePortal(desired, run).credentialHosts);
    // Recurring windows: the next 13 months, and the last days, which may have passed without a check.
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

/** The portal's name in a file with errors, if it can be read; else the file. */
function writtenName(file: string, root: Node | undefined, io: Io): string {
  const name = root
    ? textOf(nodeAt(root, ["portal", "name"]))
    : nameIn(readSource({ ...io, file }).source?.text ?? "");
  return name === undefined || name === "" || name.includes("${") ? file : name;
}

/** Of a text that is no valid YAML: `name` on the line of `portal`, or on an indented line below. */
function nameIn(text: string): string | undefined {
  const [, block = ""] = /^portal:(.*(?:\n(?:[ \t].*)?)*)/m.exec(text) ?? [];
  const [, double, single, plain] =
    /(?:^|[{,\s])name:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,}#"'][^,}#\n]*))/.exec(block) ?? [];
  return double ?? single ?? plain?.trim();
}

/** A misspelt key, or a value that is missing, is often the cause of the other errors. */
const CAUSES: readonly string[] = ["unknown-key", "missing-key"];
const MOST_ERRORS = 20;

/** The likely cause first, and the command that shows all with their lines. */
function invalidFailure(file: string, diagnostics: readonly Diagnostic[]): Problem {
  const rank = ({ code }: Diagnostic) =>
    CAUSES.includes(code) ? CAUSES.indexOf(code) : CAUSES.length;
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .toSorted((one, other) => rank(one) - rank(other));
  const [first, ...more] = errors;
  if (first?.code === "file-not-found" && !first.place) {
    const help = "Create it, or correct its name on the command line or in lintel.yaml.";
    return stopped(new Failure("file-invalid", first.message, help));
  }
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  const texts = errors.map((each) => `${formatPlace(each)}: ${each.message}`);
  const what = texts[0] ?? `"${file}" is a base of other files.`;
  const help = `See:\n  lintel validate ${shellWord(file)}`;
  return {
    ...stopped(new Failure("file-invalid", what + others, help)),
    ...(more.length > 0 && { errors: texts.slice(0, MOST_ERRORS) }),
  };
}

function stopped({ code, message, help, exit }: Failure): Stopped {
  return { code, message, help, exit };
}

/** Two files for one portal would undo each other's changes forever, so neither is checked. */
function withDuplicates(read: readonly Read[]): readonly PortalFile[] {
  const counted = read.filter((each) => !(each.problem && isOwnProblem(each)));
  const byKey = groupBy(counted, ({ key }) => key);
  const byState = groupBy(counted, ({ statePlace }) => statePlace);
  return read.map((each): PortalFile => {
    const twins = byKey.get(each.key) ?? [];
    const sharers = each.statePlace === undefined ? [] : (byState.get(each.statePlace) ?? []);
    if (twins.length > 1) return { ...each, problem: twiceFailure(twins.map(({ file }) => file)) };
    if (sharers.length > 1)
      return { ...each, problem: sharedFailure(sharers.map(({ file }) => file)) };
    return each;
  });
}

function twiceFailure(files: readonly string[]): Stopped {
  return stopped(
    new Failure(
      "same-portal-twice",
      `The files ${listed(files)} configure the same portal.`,
      "Remove one of them, or merge them.",
    ),
  );
}

function sharedFailure(files: readonly string[]): Stopped {
  return stopped(
    new Failure(
      "state-place-shared",
      `The files ${listed(files)} use one address for their states, which can contain the state of one portal.`,
      ADDRESS_FOR_EACH,
    ),
  );
}
