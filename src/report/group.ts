// Groups the portals of a run that have the same to report, so that it is reported once.
import { printJson } from "../lib/json.js";
import { groupBy } from "../lib/lists.js";
import { counted, oneLine, shellWord, shortened } from "../lib/text.js";
import type { NamedFolder } from "../outcome.js";
import type { PortalResult } from "../plan/result.js";
import type { NoteEntry } from "./change-entry.js";
import type { PortalEntry } from "./portal-entry.js";

export interface Group {
  /** In the order of the run. */
  readonly entries: readonly PortalEntry[];
  /** What all of them report; commands in it name all their files. */
  readonly entry: PortalEntry;
}

/** Stand for a portal's own file, in quotes or not, and its host, so that texts without them can be equal. */
const [QUOTED, FILE, HOST] = ["\0quoted", "\0file", "\0host"];

/** What differs from the rest comes first, failures come last. */
export function groupEntries(entries: readonly PortalEntry[], naming: Naming = {}): Group[] {
  const groups = groupBy(entries, (entry) => printJson(keyOf(entry)));
  const isFailed = ({ entry }: Group) => entry.callouts.some(({ kind }) => kind === "failed");
  return [...groups.values()]
    .flatMap((group) => commonOf(group, naming))
    .toSorted(
      (one, other) =>
        Number(isFailed(one)) - Number(isFailed(other)) ||
        one.entries.length - other.entries.length,
    );
}

/** All that is reported of a portal but its name, file and address; and where a setting stands in its file. */
function keyOf(entry: PortalEntry): unknown {
  const { status, isDrift, tracked, changes, ...texts } = mapTexts(entry, (text) =>
    withoutNames(text, entry.result),
  );
  const settings = changes.map(({ change, notes }) => [{ ...change, place: null }, notes]);
  const { notes, callouts, steps } = texts;
  return [status, isDrift, tracked, settings, notes, callouts, steps];
}

function commonOf(entries: readonly PortalEntry[], naming: Naming): Group[] {
  const [first, ...others] = entries;
  if (!first) return [];
  const last = lastApplyNotes(entries);
  if (others.length === 0) {
    return [{ entries, entry: { ...first, notes: [...last, ...first.notes] } }];
  }
  const results = entries.map(({ result }) => result);
  const hosts = new Set(results.map(hostOf));
  const host = `"${hostOf(first.result)}"${moreThanOne(hosts.size)}`;
  const common = mapTexts(first, (text) =>
    withFiles(withoutNames(text, first.result), results, naming).replaceAll(HOST, () => host),
  );
  const changes = first.changes.map((each, at) => {
    const isSamePlace = others.every(({ changes }) => changes[at]?.at === each.at);
    return isSamePlace ? each : { ...each, at: "" };
  });
  return [{ entries, entry: { ...common, notes: [...last, ...common.notes], changes } }];
}

/** "Last apply: 2026-06-01 09:30 UTC by ana."; of several portals the first to the last. */
function lastApplyNotes(entries: readonly PortalEntry[]): NoteEntry[] {
  const known = entries.flatMap(({ last, changes }) => (last && changes.length > 0 ? [last] : []));
  const times = known.map(({ time }) => time).toSorted();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined) return [];
  const by = [...new Set(known.map((each) => each.by))].toSorted();
  const period = first === last ? first : `${first} to ${last}`;
  return [{ text: `Last apply: ${period} by ${by.join(", ")}.`, isUnexpected: false }];
}

function mapTexts(entry: PortalEntry, map: (text: string) => string): PortalEntry {
  const { notes, callouts, steps } = entry;
  return {
    ...entry,
    notes: notes.map((each) => ({ ...each, text: map(each.text) })),
    callouts: callouts.map((each) => ({
      ...each,
      items: each.items.map((item) => ({ ...item, text: map(item.text) })),
      help: map(each.help),
    })),
    steps: steps.map((each) => ({ ...each, command: map(each.command) })),
  };
}

/** Without its file, a place in that, and its host. */
function withoutNames(text: string, result: PortalResult): string {
  const { file } = result;
  const host = hostOf(result);
  const parts = text.split(`${file}:`).map((part, at) => {
    const rest = part.replace(/^\d+:\d+: /, "");
    return at === 0 ? part : rest === part ? `${file}:${part}` : rest;
  });
  const said = withoutFile(parts.join(""), file);
  return host ? said.replaceAll(`"${host}"`, HOST) : said;
}

function hostOf({ portal: { url } }: PortalResult): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** A text that names no file, so that it can equal another portal's. */
export function withoutFile(text: string, file: string): string {
  const name = oneLine(file);
  return text.replaceAll(`"${name}"`, QUOTED).replaceAll(shellWord(name), FILE);
}

/** The files back in a text: commands, which are for copying, name all of them, and sentences the first. */
export function withFiles(text: string, portals: readonly HasFile[], naming: Naming = {}): string {
  const files = filesOf(portals, naming);
  const name = oneLine(portals[0]?.file ?? "");
  const more = moreThanOne(portals.length);
  // Given as text, a "$" in a file's name would mean something else.
  const withNames = (line: string) =>
    line
      .replaceAll(QUOTED, () => `"${name}"${more}`)
      .replaceAll(FILE, () => (isToCopy(line) ? files : name + more));
  return text.split("\n").map(withNames).join("\n");
}

/** Commands stand on lines of their own, indented below a sentence. */
export function isToCopy(line: string): boolean {
  return /^( {2}|lintel |git )/.test(line);
}

function moreThanOne(count: number): string {
  return count > 1 ? ` and ${count - 1} more` : "";
}

type HasFile = Pick<PortalResult, "file">;

/** A command with more files is too long to copy. */
const MOST_FILES = 20;

export interface Naming {
  /** Those that the run names. */
  readonly folders?: readonly NamedFolder[] | undefined;
}

/** As a command names them: a folder where they are all of its files. */
export function filesOf(portals: readonly HasFile[], { folders = [] }: Naming = {}): string {
  const names = new Set(portals.map(({ file }) => file));
  const whole = folders.find(
    ({ files }) => files.length === names.size && files.every((file) => names.has(file)),
  );
  if (whole) return shellWord(oneLine(whole.folder));
  if (portals.length > MOST_FILES) return "FILE…";
  return portals.map(({ file }) => shellWord(oneLine(file))).join(" ");
}

/** More than these are counted. */
const MOST_NAMED = 60;
export const LONGEST_NAME = 60;

export function namesOf(
  portals: readonly { readonly portal: Pick<PortalResult["portal"], "name"> }[],
  most = MOST_NAMED,
  shown: (name: string) => string = (name) => oneLine(shortened(name, LONGEST_NAME)),
): string {
  const names = portals.slice(0, most).map(({ portal }) => shown(portal.name));
  const left = portals.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${counted(left, "more portal")}` : "");
}
