// Checks a schedule: its times, the settings of its windows, and rule findings while a window is open.
import { findSetting } from "../../catalog/catalog.js";
import { keyOf } from "../../catalog/spelling.js";
import { didYouMean, mistakeOf, type Diagnostic } from "../../diagnostic.js";
import { canonicalText } from "../../lib/json.js";
import { clockOf, readMoment, writeMoment, zoneNamed, zoneNames } from "../../moment.js";
import { skippedTimes } from "../../recurrence.js";
import { isoTime } from "../../schedule.js";
import { formatPath, type Path } from "../../settings.js";
import { oneLine } from "../../lib/text.js";
import { lay } from "../read/extend.js";
import { leavesBelow } from "../read/leaves.js";
import { placeOf } from "../read/source.js";
import { childOf, diagnose, itemsOf, nodeAt, textOf, type Entry, type Node } from "../read/tree.js";
import {
  DEFAULT_ZONE,
  recurrenceIn,
  scheduleEntries,
  timeAt,
  windowsFrom,
  zoneNameOf,
} from "../schedule/windows.js";
import type { Time, Window } from "../schedule/windows.js";
import type { Problem } from "./rules/all.js";

interface Checking {
  /** Applies the rules to another tree. */
  readonly applyRules: (at: Node) => readonly Problem[];
  /** Overlaps are checked from this time on, for 13 months. */
  readonly nowMs: number;
  /** Other files extend it, and may set the times of its windows. */
  readonly isPart: boolean;
}

/** `found` are the findings of the rules without any window. */
export function scheduleProblems(
  root: Node,
  found: readonly Problem[],
  { applyRules, nowMs, isPart }: Checking,
): Problem[] {
  if (!childOf(root, "schedule")) return unknownZone(childOf(root, "timeZone"), ["timeZone"]);
  const windows = windowsFrom(root, nowMs).toSorted((one, other) => one.fromMs - other.fromMs);
  return [
    ...unknownZone(childOf(root, "timeZone"), ["timeZone"]),
    ...scheduleEntries(root).flatMap(([name, { key, value }]) => [
      ...unnamed(name, key),
      ...unknownZone(childOf(value, "timeZone"), ["schedule", name, "timeZone"]),
      ...(isPart ? [] : missingTimes(name, { key, value })),
      ...wrongRecurrence(name, value),
      ...wrongTimes(root, name, value),
      ...movedTimes(root, name, value, nowMs),
      ...notInSettings(root, name, value),
    ]),
    ...(isPart ? [] : defaultZone(root)),
    ...disagreements(windows),
    ...whileOpen(root, windows, found, applyRules),
  ];
}

function problem(path: Path, diagnostic: Diagnostic, isOfValue = true): Problem {
  return { path, isOfValue, diagnostic };
}

/** Names of windows must fit into one line of the history and of reports. */
function unnamed(name: string, key: Parameters<typeof diagnose>[1]): Problem[] {
  const isPlain = name === oneLine(name) && !/\s{2}|^\s|\s$/.test(name);
  if (name !== "" && isPlain && name.length <= LONGEST_NAME) return [];
  const what =
    name === ""
      ? "A window has no name."
      : isPlain
        ? `The name of a window is longer than ${LONGEST_NAME} letters.`
        : "The name of a window is not plain text on one line.";
  const help = "Name it for its purpose:\n  maintenance:";
  return [problem(["schedule", name], diagnose("wrong-format", key, what, help))];
}

const LONGEST_NAME = 100;

export function unknownZone(node: Node | undefined, path: Path): Problem[] {
  const name = textOf(node);
  if (!node || !name || zoneNamed(name)) return [];
  const city = (zone: string) => zone.slice(zone.lastIndexOf("/") + 1);
  const known = zoneNames();
  const near = known.find(
    (zone) => city(zone).toLowerCase() === name.toLowerCase().replaceAll(" ", "_"),
  );
  const help =
    (near === undefined ? didYouMean(name, known) : `Did you mean "${near}"?`) ??
    "Write the name of a zone in the IANA database, such as:\n  timeZone: Europe/Vienna";
  const message = `"${name}" is not the name of a time zone.`;
  return [problem(path, diagnose("unknown-value", node, message, help))];
}

/** Reported once, at the first window whose times have no zone. */
function defaultZone(root: Node): Problem[] {
  if (childOf(root, "timeZone")) return [];
  const isLocal = (window: Node) =>
    ["from", "until"].some((key) => {
      const written = readMoment(textOf(childOf(window, key)) ?? "");
      return written !== undefined && written.ms === undefined;
    });
  const found = scheduleEntries(root).find(
    ([, { value }]) => !childOf(value, "timeZone") && (childOf(value, "every") ?? isLocal(value)),
  );
  if (!found) return [];
  const [name, { key }] = found;
  const message = `The times of "${name}" are in ${DEFAULT_ZONE}, because the file names no time zone.`;
  const help = `Name the zone, or ${DEFAULT_ZONE}:\n  timeZone: Europe/Vienna`;
  return [problem(["schedule", name], diagnose("default-zone", key, message, help), false)];
}

function missingTimes(name: string, { key, value }: Entry): Problem[] {
  const lacks = (missing: string, help: string) => {
    const message = `The key "${missing}" is missing in "schedule.${name}".`;
    return [
      problem(["schedule", name, missing], diagnose("missing-key", key, message, help), false),
    ];
  };
  if (value.kind !== "mapping" || childOf(value, "every")) return [];
  const from = childOf(value, "from");
  if (!from) {
    return lacks(
      "from",
      'Add when the window opens, or "every" for one that comes again:\n  from: 2026-12-05T18:00\n  every: { weekday: saturday, from: "18:00", until: "22:00" }',
    );
  }
  const written = readMoment(textOf(from) ?? "");
  if (childOf(value, "until") || !written || written.isDay) return [];
  return lacks("until", "Add when the window closes:\n  until: 2026-12-05T22:00");
}

/** Checks a recurring window beyond the schema. */
function wrongRecurrence(name: string, window: Node): Problem[] {
  const every = childOf(window, "every");
  const at = (...keys: string[]) => ["schedule", name, ...keys];
  const wrong = (keys: string[], node: Node, message: string, help: string) => [
    problem(at(...keys), diagnose("wrong-format", node, message, help)),
  ];
  const between = childOf(window, "between");
  if (!every) {
    const help = 'Remove it, or write "every" in place of "from" and "until".';
    return between
      ? wrong(["between"], between, `"between" belongs to a window that comes again.`, help)
      : [];
  }
  const [weekday, day, nth] = ["weekday", "day", "nth"].map((key) => childOf(every, key));
  const once = ["from", "until"].flatMap((key) => childOf(window, key) ?? []);
  const [first, last] = ["from", "until"].map((key) => childOf(between, key));
  const help =
    'Write one of:\n  every: { weekday: saturday, from: "18:00", until: "22:00" }\n  every: { weekday: saturday, nth: 1, from: "18:00", until: "22:00" }\n  every: { day: 15, from: "18:00", until: "22:00" }';
  if (every.kind === "mapping" && (weekday ? day : !day)) {
    return wrong(
      ["every"],
      every,
      `"every" must name either a weekday or a day of the month.`,
      help,
    );
  }
  return [
    ...(nth && !weekday
      ? wrong(["every", "nth"], nth, '"nth" counts weekdays, and "every" names none.', help)
      : []),
    ...once.flatMap((node) =>
      wrong(
        ["every"],
        node,
        `The window "${name}" comes again, and has a time of its own as well.`,
        'Keep either "every", or "from" and "until".',
      ),
    ),
    ...[first, last].flatMap((node) =>
      node && textOf(node) && !readMoment(textOf(node) ?? "")
        ? wrong(
            ["between"],
            node,
            `"${textOf(node)}" is no day of the calendar.`,
            "Write a day that the month has.",
          )
        : [],
    ),
    ...(first && last && (textOf(first) ?? "") > (textOf(last) ?? "")
      ? wrong(
          ["between", "until"],
          last,
          `The window "${name}" ends before its first day.`,
          'Write an "until" that is not before its "from".',
        )
      : []),
    ...notSameTimes(name, every),
  ];
}

/** With equal times, a window could be open for a moment or for a day. */
function notSameTimes(name: string, every: Node): Problem[] {
  const [from, until] = ["from", "until"].map((key) => childOf(every, key));
  if (!until || !from || textOf(from) !== textOf(until)) return [];
  const message = `The window "${name}" closes at the time at which it opens.`;
  const help = "Write another time. For a whole day, leave both out.";
  return [
    problem(["schedule", name, "every", "until"], diagnose("empty-window", until, message, help)),
  ];
}

function wrongTimes(root: Node, name: string, window: Node): Problem[] {
  const [from, until] = ["from", "until"].map((key) => timeAt(root, window, key));
  const at = (key: string) => ["schedule", name, key];
  if (from?.ms !== undefined && until?.ms !== undefined && from.ms >= until.ms) {
    const message = `The window "${name}" would close at ${until.text}, ${from.ms === until.ms ? "the moment at which" : "before"} it opens.`;
    const help = 'Write an "until" that is later than its "from".';
    const related = [{ place: placeOf(from.node.span), message: "opens it" }];
    const found = diagnose("empty-window", until.node, message, help);
    return [problem(at("until"), { ...found, related: [...related, ...found.related] })];
  }
  const zone = zoneNameOf(root, window);
  return [
    ...wrongTime(from, "from", zone, at("from")),
    ...wrongTime(until, "until", zone, at("until")),
  ];
}

export function wrongTime(
  time: Time | undefined,
  key: string,
  zone: string,
  path: Path,
): Problem[] {
  if (!time?.why) return [];
  const { node, text, why, instead = [] } = time;
  const lines = instead.map((each) => `\n  ${key}: ${each}`).join("");
  if (why === "no-moment") {
    // The schema reports texts that are no time at all.
    if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/.test(text)) return [];
    const help =
      "Write a day that the month has, a time from 00:00 to 23:59, and nothing or an offset such as +02:00 behind it, of 14 hours at most. Midnight is 00:00 of the next day.";
    return [problem(path, diagnose("wrong-format", node, `"${text}" is no moment.`, help))];
  }
  if (why === "skipped") {
    const message = `"${text}" never comes in ${zone}, because clocks are put forward over it.`;
    const help = `Write a time before or after. The first moment after it is:${lines}`;
    return [problem(path, diagnose("unclear-time", node, message, help))];
  }
  const message = `"${text}" comes twice in ${zone}, because clocks are put back.`;
  const help = `Say which of the two is meant, the first or the second:${lines}`;
  return [problem(path, diagnose("unclear-time", node, message, help))];
}

/** Times of a recurring window that its zone's clocks skip. */
function movedTimes(root: Node, name: string, window: Node, nowMs: number): Problem[] {
  const every = childOf(window, "every");
  const rule = every && recurrenceIn(root, window);
  const zone = zoneNamed(zoneNameOf(root, window));
  if (!rule || !zone) return [];
  return skippedTimes(rule, nowMs).map(({ key, day, ms }) => {
    const what = `"${rule[key]}" does not exist on ${day} in ${rule.timeZone}, because clocks are put forward.`;
    const then =
      ms === undefined
        ? `The window "${name}" does not open that day.`
        : `The window "${name}" ${key === "from" ? "opens" : "closes"} at ${writeMoment(ms, zone)} that day.`;
    const help = "If that is right, leave it. Otherwise write a time that every day has.";
    const at = childOf(every, key) ?? every;
    return problem(
      ["schedule", name, "every", key],
      diagnose("moved-time", at, `${what} ${then}`, help),
    );
  });
}

/** Without a value in `settings`, the setting would be undefined after the window. */
function notInSettings(root: Node, name: string, window: Node): Problem[] {
  const settings = childOf(root, "settings");
  const under = childOf(window, "settings");
  if (!under) return [];
  const allowed = new Set<unknown>(itemsOf(childOf(root, "allowUnknown")).map(textOf));
  const known = new Set((settings ? leavesBelow(settings, []) : []).map(({ path }) => keyOf(path)));
  return leavesBelow(under, []).flatMap(({ path }) => {
    // An unknown name has its own diagnostic.
    if (known.has(keyOf(path)) || !(findSetting(path) ?? allowed.has(path[0]))) return [];
    const whole = ["schedule", name, "settings", ...path];
    const at = nodeAt(root, whole) ?? window;
    const message = `"${formatPath(path)}" is set by the window "${name}" and not under "settings".`;
    const help = `Write under "settings" what is wanted before and after it:\n${linesOf(path)}`;
    return [problem(whole, diagnose("not-in-settings", at, message, help), false)];
  });
}

function linesOf(path: Path): string {
  return ["settings", ...path]
    .map((part, at) => `${"  ".repeat(at + 1)}${part}:${at === path.length ? " …" : ""}`)
    .join("\n");
}

/** Overlapping windows with different values, by start. Reported at the later one, once for each setting and pair. */
function disagreements(windows: readonly Window[]): Problem[] {
  const settings = new Map<string, { window: Window; value: string; place: Node }[]>();
  const found = new Map<string, Problem>();
  for (const window of windows) {
    for (const { path, action, value } of window.leaves) {
      const key = keyOf(path);
      const place = window.settings && nodeAt(window.settings, path);
      if (!place) continue;
      const text = `${action} ${canonicalText(value)}`;
      // Of windows with the same value, the last to close represents all.
      const open = settings.get(key)?.filter((each) => each.window.untilMs > window.fromMs) ?? [];
      const other = open.find((each) => each.value !== text);
      const pair = JSON.stringify([key, window.name, other?.window.name]);
      if (other && !found.has(pair)) found.set(pair, disagree(window, path, place, other));
      const same = open.find((each) => each.value === text);
      const isLater = same && same.window.untilMs >= window.untilMs;
      const rest = open.filter((each) => each !== same);
      settings.set(key, [...rest, isLater ? same : { window, value: text, place }]);
    }
  }
  return [...found.values()];
}

function disagree(
  { name, fromMs, timeZone, every }: Window,
  path: Path,
  place: Node,
  other: { readonly window: Window; readonly place: Node },
): Problem {
  const isAgain = every !== undefined || other.window.every !== undefined;
  const when = isAgain ? `, as on ${clockOf(timeZone)(isoTime(fromMs))},` : "";
  const message = `The windows "${other.window.name}" and "${name}" are open at the same time${when} and set "${formatPath(path)}" to different values.`;
  const help = "Let one end before the other begins, or let both set the same.";
  const found = diagnose("windows-disagree", place, message, help);
  const also = { place: placeOf(other.place.span), message: `is what "${other.window.name}" sets` };
  return problem(["schedule", name, "settings", ...path], {
    ...found,
    related: [also, ...found.related],
  });
}

/**
 * Applies the rules at the start of each window, to the settings of all windows open then on top of the file's. Skips
 * findings without windows, and combinations that recur.
 */
function whileOpen(
  root: Node,
  windows: readonly Window[],
  found: readonly Problem[],
  applyRules: (at: Node) => readonly Problem[],
): Problem[] {
  const known = new Set(found.map(({ diagnostic }) => mistakeOf(diagnostic)));
  const tried = new Set<string>();
  const problems: Problem[] = [];
  let open: readonly Window[] = [];
  for (const [at, window] of windows.entries()) {
    open = [...open.filter(({ untilMs }) => untilMs > window.fromMs), window];
    if (windows[at + 1]?.fromMs === window.fromMs) continue;
    const names = JSON.stringify(open.map(({ name }) => name).toSorted());
    if (tried.has(names)) continue;
    tried.add(names);
    for (const each of applyRules(withWindows(root, open))) {
      const { diagnostic } = each;
      if (known.has(mistakeOf(diagnostic))) continue;
      known.add(mistakeOf(diagnostic));
      const { name, entry } = openedBy(each.path, open) ?? window;
      const opened = { place: placeOf(entry.key.span), message: "is the window that is open then" };
      const related = [...diagnostic.related, opened];
      const path = ["schedule", name, ...each.path];
      problems.push({ ...each, path, diagnostic: { ...diagnostic, related } });
    }
  }
  return problems;
}

/** The window that sets the value of a finding. */
function openedBy([, ...path]: Path, open: readonly Window[]): Window | undefined {
  return open.findLast(({ settings }) => settings && nodeAt(settings, path));
}

/** The file without its schedule, with the windows' settings merged into `settings`. */
export function withWindows(root: Node, open: readonly Window[]): Node {
  const settings = childOf(root, "settings");
  if (root.kind !== "mapping" || !settings) return root;
  const value = open.reduce(
    (below, each) => (each.settings ? lay(below, each.settings, ["settings"]) : below),
    settings,
  );
  const entries = new Map(root.entries).set("settings", { key: settings, value });
  // The rules about windows have already run, and take longest.
  entries.delete("schedule");
  return { ...root, entries };
}
