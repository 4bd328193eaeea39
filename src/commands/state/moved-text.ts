// States that were moved, or why not → what is told of them, and what is left to change and to commit.
import type { StateAddress } from "../../document/read/desired.js";
import type { Io } from "../../io.js";
import { failureJson } from "../../report/json-report.js";
import { failureText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import type { Moved } from "../../apply/move-state.js";
import type { Member } from "../../apply/portal-context.js";
import { counted, oneLine, shellWord } from "../../lib/text.js";
import { gitAdd } from "../commit-state.js";

export interface Arrived extends Moved {
  /** What the file says itself. */
  readonly said: StateAddress;
  readonly from: string;
  readonly to: string;
  readonly address: string;
  /** Where it is now, where that is a folder which the file's repository holds. */
  readonly folder: string | undefined;
}

/** An address as a file has it. */
export function writtenIn({ address, written }: StateAddress): string {
  return written ?? address;
}

export function memberJson({ file, portal, value, failure }: Member<Arrived>) {
  const { name, url, id } = portal;
  const { outcome, from = null, to = null, state } = value ?? {};
  return {
    name,
    url,
    id,
    file,
    status: outcome ?? "failed",
    exitCode: failure?.exit ?? 0,
    from,
    to,
    serial: state?.serial ?? null,
    failure: failureJson(failure ?? null),
  };
}

interface Telling {
  readonly paint: Styles;
  readonly io: Io;
  /** Of each base: the files that take the line from it and were not moved. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
}

export function membersText(members: readonly Member<Arrived>[], telling: Telling): string {
  const told = members.map((member) => memberText(member, telling.paint));
  const arrived = placedOf(members);
  const next = nextText(arrived, leftToSay(members), telling);
  const failed = members.length - arrived.length;
  const end =
    failed > 0 && members.length > 1
      ? `\n${counted(failed, "portal")} failed; the same command again does what is left.\n`
      : "";
  return told.join("\n") + end + (next && `\n${next}`);
}

function memberText({ portal, value, failure }: Member<Arrived>, paint: Styles): string {
  const name = paint.bold(oneLine(portal.name));
  if (!value) return failure ? `${name}\n${failureText(failure, paint)}` : "";
  const { outcome, from, to, state } = value;
  const serial = `serial ${state?.serial}, ${counted(state?.history.length ?? 0, "entry")} of history`;
  const lines = {
    moved: [`The state was moved: ${serial}.`, `  from  ${from}`, `  to    ${to}`],
    "was-there": [`The state is there already: ${serial}.`, `  at    ${to}`],
    returned: [`The move is given up; the state goes on where it was: ${serial}.`, `  at    ${to}`],
    none: ["Nothing was ever applied, so that there is nothing to move."],
  }[outcome];
  return [name, ...lines.map((line) => `  ${oneLine(line)}`), ""].join("\n");
}

type Placed = Arrived & { readonly file: string };

function placedOf(members: readonly Member<Arrived>[]): Placed[] {
  return members.flatMap(({ file, value }) => (value ? [{ file, ...value }] : []));
}

/** Those whose file says another place than the one where the state is now. */
export function leftToSay(members: readonly Member<Arrived>[]): readonly Placed[] {
  return placedOf(members).filter(({ said, address }) => writtenIn(said) !== address);
}

/** What is left to do by hand. */
function nextText(
  arrived: readonly Placed[],
  wrong: readonly Placed[],
  { io, shared }: Telling,
): string {
  const [begun, moved] = [true, false].map((isNone) =>
    wrong.filter(({ outcome }) => (outcome === "none") === isNone),
  );
  const isInFolder = moved?.some(({ said }) => /^file:/i.test(said.address)) ?? false;
  const kept = arrived.flatMap(({ outcome, folder, said, file }) =>
    outcome === "none" || folder === undefined
      ? []
      : [{ folder, path: lineOf({ said }, shared)?.file ?? file }],
  );
  const [paths, folders] = [kept.map(({ path }) => path), kept.map(({ folder }) => folder)];
  const lines = [
    ...linesToChange(
      "Now say so in the file, because until then every run is refused:",
      shared,
      moved,
    ),
    ...linesToChange("To begin there, say so in the file:", shared, begun),
    ...[...shared].flatMap(([base, others]) => linesOfOthers(base, others, wrong)),
    ...(kept.length > 0
      ? [
          "Commit the file and the folder together, because whoever gets one without the other",
          "begins anew or is refused:",
          `  ${gitAdd(paths, folders, io)}`,
        ]
      : []),
    ...(isInFolder
      ? [
          "Where the old folder is kept in git, commit it as well: the mark in it tells whoever has",
          "the old file. Once everybody has the new one, it may be deleted.",
        ]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** That can be changed for this file; undefined where the file needs one of its own. */
function lineOf({ said: { at } }: Pick<Placed, "said">, shared: Telling["shared"]) {
  return at && !shared.get(at.file)?.length ? at : undefined;
}

/** Each once, however many files take part of themselves from it; in a base only where nobody else goes by it. */
function linesToChange(
  title: string,
  shared: Telling["shared"],
  wrong: readonly Placed[] = [],
): string[] {
  const places = wrong.map((placed) => {
    const at = lineOf(placed, shared);
    return at
      ? `  ${at.file}, line ${at.line}:  state: ${placed.address}`
      : `  ${placed.file}, to add:  state: ${placed.address}`;
  });
  return wrong.length === 0 ? [] : [title, ...[...new Set(places)].map(oneLine)];
}

/** They would look for their states at a place where none of theirs is. */
function linesOfOthers(base: string, others: readonly string[], wrong: readonly Placed[]) {
  const { said, address } = wrong.find(({ said: { at } }) => at?.file === base) ?? {};
  if (others.length === 0 || !said?.at || address === undefined) return [];
  return [
    `Line ${said.at.line} of ${oneLine(base)} also says it for ${counted(others.length, "file")} that ${others.length === 1 ? "was" : "were"} not moved, and would begin anew`,
    "if that line were changed. Or move what is left there too, and then change that line instead:",
    `  lintel state move ${[...others, address].map(shellWord).join(" ")}`,
  ];
}
