// Computes a rollback from the history: the leaves to restore, what cannot be restored, and the hold that follows.
import { isRollbackOpen } from "./preconditions.js";
import { findSetting } from "../catalog/catalog.js";
import { Failure } from "../failure.js";
import { isEqual, pointInto, type Json } from "../lib/json.js";
import { keyOf } from "../catalog/spelling.js";
import { isSwitch } from "../plan/note.js";
import { isSent, type DesiredLeaf, type Path } from "../settings.js";
import {
  appliesOf,
  isByFile,
  isTaken,
  rollbackHoldOf,
  type Applied,
  type Entry,
  type RollbackHold,
  type SettledChange,
  type State,
  type WantedLeaf,
} from "../state/state.js";
import { shellWord, showTime, type Zone } from "../lib/text.js";

interface Rewound {
  readonly path: Path;
  /** Null for no value; undefined if unknown. */
  readonly value: Json | undefined;
}

export interface Rollback {
  /** All managed leaves, with the values of that time. */
  readonly leaves: readonly DesiredLeaf[];
  /** What later applies must not undo without a person. */
  readonly wants: readonly WantedLeaf[];
  /** Changes since then that stay: the old value is unknown, or there was none and no value means the same. */
  readonly lost: readonly Rewound[];
  /** Later changes by windows and by hand that stay, at least in part: restored leaves do not. */
  readonly passed: readonly Applied[];
  readonly why: string;
  /** The target, as the prompt shows it in this time zone. */
  readonly aim: (zone: Zone) => string;
}

/**
 * The target: the result of an apply by number, or the portal before all applies since a moment. By default, before the
 * last apply.
 */
export interface Aim {
  readonly to?: number | undefined;
  readonly since?: string | undefined;
}

/** Rolls back to a named apply, else continues an unsettled rollback, else goes to before the last apply. */
export function rollbackTo(state: State, { to: named, since }: Aim, file: string): Rollback {
  const hold = rollbackHoldOf(state);
  const isOpen = isRollbackOpen(state) || since === undefined;
  if (hold && named === undefined && isOpen) return goOn(state, hold);
  const to = since === undefined ? named : numberBefore(state, since);
  const number = numberOf(state, to, file);
  // Without a number, the target is what the last apply found.
  const found = rollBack(state, number, named !== undefined && number > 0);
  if (isRollbackOpen(state) && !isEqual(found.wants, state.hold.wants)) {
    throw new Failure(
      "held",
      `Another rollback is not settled (${state.hold.why}).`,
      `Finish that one first:\n  lintel rollback ${shellWord(file)}`,
    );
  }
  return found;
}

/** Completes an interrupted rollback. After a completed one, nothing is left to do. */
function goOn({ journal, leaves }: State, { wants, why, since }: RollbackHold): Rollback {
  const all = journal?.kind === "rollback" ? journal.leaves : leaves;
  return {
    leaves: all.map(({ path, sent }) => leafOf(path, sent)),
    wants,
    lost: [],
    passed: [],
    why,
    aim: (zone) => `as was begun at ${showTime(since, zone)} (${why})`,
  };
}

/** The last apply before a moment; 0 if there is none. */
function numberBefore(state: State, since: string): number {
  const before = appliesOf(state).filter(({ time }) => Date.parse(time) < Date.parse(since));
  return before.at(-1)?.number ?? 0;
}

/** The apply that a rollback without a target undoes; undefined if it continues an earlier rollback. */
export function undoneBy(state: State): Pick<Entry, "time" | "run" | "by"> | undefined {
  const newest = newestMeant(appliesOf(state));
  if (!newest || rollbackHoldOf(state) || newest.kind === "rollback") return undefined;
  const { time, run, by } = newest;
  return { time, by, ...(run !== undefined && { run }) };
}

/** The apply that the newest rollback has undone; undefined after another apply. */
export function undoneBefore(state: State): Pick<Entry, "time" | "run" | "by"> | undefined {
  const applies = appliesOf(state);
  if (newestMeant(applies)?.kind !== "rollback") return undefined;
  return applies.findLast((each) => isByFile(each) && each.changes.some(isSent));
}

/** Ignores windows and drift restores. An apply that only tracked values has nothing to undo. */
function newestMeant(applies: readonly Applied[]): Applied | undefined {
  const byPerson = applies.filter((each) => each.kind === "rollback" || isByFile(each));
  return byPerson.findLast(({ changes }) => changes.some(isSent)) ?? byPerson.at(-1);
}

/** The named apply, else the one before the last; 0 for the portal before the first apply. */
function numberOf(state: State, to: number | undefined, file: string): number {
  const applies = appliesOf(state);
  const newestByPerson = newestMeant(applies);
  if (to === undefined && newestByPerson?.kind === "rollback") {
    throw new Failure(
      "wrong-usage",
      "No file was applied since the last rollback, and a rollback cannot be undone.",
      `To apply the file again:\n  lintel apply ${shellWord(file)}\nTo go further back, to an apply of "lintel history":\n  lintel rollback ${shellWord(file)} --to N`,
    );
  }
  const numbers = applies.map(({ number }) => number);
  const newest = numbers.at(-1) ?? 0;
  if (to === undefined && !newestByPerson) {
    throw new Failure(
      "wrong-usage",
      "The history no longer contains an apply of a file, only those of windows and drift.",
      `Name the apply to go back to:\n  lintel history ${shellWord(file)}\n  lintel rollback ${shellWord(file)} --to N`,
    );
  }
  const undone = newestByPerson?.number ?? 0;
  const number = to ?? numbers.findLast((each) => each < undone) ?? 0;
  if (to === 0 && state.earlier) {
    throw new Failure(
      "wrong-usage",
      `The values before the first apply are no longer known: the oldest ${state.earlier.entries} entries of the history were dropped.`,
      `The oldest apply to go back to is ${numbers[0] ?? "none"}. See:\n  lintel history ${shellWord(file)}`,
    );
  }
  if (number === 0 || (numbers.includes(number) && number !== newest)) return number;
  throw new Failure(
    "wrong-usage",
    number === newest
      ? `Apply ${number} is the last one. There is nothing after it to roll back.`
      : `The history has no apply ${number}.`,
    `0 is before the first apply. The others: ${numbers.slice(0, -1).slice(-20).join(", ") || "none"}. See:\n  lintel history`,
  );
}

function rollBack(state: State, number: number, isAsLeft: boolean): Rollback {
  const rewound = rewind(state, number, isAsLeft);
  const back = rewound.flatMap((each) => restoringLeaf(each) ?? []);
  const isBack = new Set(back.map(({ path }) => path));
  const changed = new Set(rewound.map(({ path }) => keyOf(path)));
  const others = state.leaves
    .filter(({ path }) => !changed.has(keyOf(path)))
    .map(({ path, sent }) => leafOf(path, sent));
  const entry = appliesOf(state).find((each) => each.number === number);
  return {
    leaves: [...back, ...others],
    wants: back.map(({ path, value }) => ({ path, value })),
    lost: rewound.filter(({ path }) => !isBack.has(path)),
    passed: isAsLeft
      ? []
      : appliesOf(state).filter(
          (each) =>
            each.number > number &&
            isBySelf(each) &&
            each.changes.some(({ path }) => !changed.has(keyOf(path))),
        ),
    why: number === 0 ? "rollback to before the first apply" : `rollback to apply ${number}`,
    aim: (zone) =>
      entry
        ? `to apply ${number}, of ${showTime(entry.time, zone)} by ${entry.by.actor}`
        : "to before the first apply",
  };
}

/**
 * The value at that time of each leaf that changed since. `isAsLeft` takes the value that the apply left, not the one
 * that the next apply found, because drift may lie between them.
 */
export function rewind(state: State, number: number, isAsLeft: boolean): Rewound[] {
  const history = appliesOf(state);
  const changesWhere = (isIn: (entry: Applied) => boolean) =>
    history.filter(isIn).flatMap(({ changes }) => changes.filter(isTaken));
  const later = changesWhere((entry) => entry.number > number);
  const earlier = changesWhere((entry) => entry.number <= number).toReversed();
  const managed = new Set(earlier.map(({ path }) => keyOf(path)));
  // Values that only windows or drift restores changed belong to a time that is over. What the named apply left and
  // was changed by hand and tracked since is undone as well.
  const isMeant = (change: SettledChange) =>
    isAsLeft
      ? isSent(change) || (change.action === "adopt" && managed.has(keyOf(change.path)))
      : isSent(change) && !isOfTime(change);
  const sent = new Set(later.filter(isMeant).map(({ path }) => keyOf(path)));
  const found = new Map<string, Rewound>();
  for (const { path, before } of later) {
    const key = keyOf(path);
    // The first later change has the value before all of them, even if it sent nothing.
    if (sent.has(key) && !found.has(key)) found.set(key, { path, value: before });
  }
  if (!isAsLeft) return [...found.values()];
  const left = history.find((entry) => entry.number === number)?.live?.after;
  return [...found].map(([key, { path, value }]) => {
    const seen = left && pointInto(left, path);
    const sent = earlier.find((change) => keyOf(change.path) === key);
    return { path, value: seen ?? sent?.shown ?? sent?.after ?? value };
  });
}

/** Ends a sentence: 'the window "night" opened (apply 5), a change by hand was undone (apply 6)'. */
export function passedText(passed: readonly Applied[]): string {
  return passed
    .map(({ number, changes }) => {
      const windows = changes.flatMap(({ cause, window }) =>
        cause === "schedule" && window
          ? [`the window "${window.name}" ${window.is === "open" ? "opened" : "closed"}`]
          : [],
      );
      const isRepair = changes.some(({ cause }) => cause === "drift");
      const what = [...new Set(windows), ...(isRepair ? ["a change by hand was undone"] : [])];
      return `${what.join(" and ")} (apply ${number})`;
    })
    .join(", ");
}

function isOfTime({ cause }: SettledChange): boolean {
  return cause === "schedule" || cause === "drift";
}

function isBySelf({ kind, changes }: Entry): boolean {
  return kind === "apply" && changes.length > 0 && changes.every(isOfTime);
}

/** An update can only set values. For no value, the documented default or "off" is equivalent. */
function restoringLeaf({ path, value }: Rewound): DesiredLeaf | undefined {
  if (value !== null) return value === undefined ? undefined : leafOf(path, value);
  const byDefault = findSetting(path)?.property?.default;
  if (byDefault !== undefined) return leafOf(path, byDefault);
  return isSwitch(path) ? leafOf(path, false) : undefined;
}

/** The documented default may show as no value, so it is requested by name. */
function leafOf(path: Path, value: Json): DesiredLeaf {
  const byDefault = findSetting(path)?.property?.default;
  const isDefault = byDefault !== undefined && isEqual(byDefault, value);
  return { path, action: isDefault ? "default" : "set", value, place: null };
}
