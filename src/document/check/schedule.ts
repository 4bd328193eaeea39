// Checks a schedule: its times, what its windows set, and what rules find while one is open.
import { findSetting } from "../../catalog/catalog.js";
import { keyOf } from "../../catalog/spelling.js";
import { didYouMean, mistakeOf, type Diagnostic } from "../../diagnostic.js";
import { canonicalText } from "../../lib/json.js";
import { zoneNamed, zoneNames } from "../../moment.js";
import { formatPath, type Path } from "../../settings.js";
import { oneLine } from "../../lib/text.js";
import { lay } from "../read/extend.js";
import { leavesBelow } from "../read/leaves.js";
import { placeOf } from "../read/source.js";
import { childOf, diagnose, itemsOf, nodeAt, textOf, type Node } from "../read/tree.js";
import { isOpenAt, scheduleEntries, timeAt, windowsOf, zoneNodeOf } from "../schedule/windows.js";
import type { Time, Window } from "../schedule/windows.js";
import type { Problem } from "./rules/all.js";

/** `found` is what the rules find without any window; `applyRules` finds the same in another tree. */
export function scheduleProblems(
  root: Node,
  found: readonly Problem[],
  applyRules: (at: Node) => readonly Problem[],
): Problem[] {
  if (!childOf(root, "schedule")) return unknownZone(childOf(root, "timeZone"), ["timeZone"]);
  const windows = windowsOf(root);
  return [
    ...unknownZone(childOf(root, "timeZone"), ["timeZone"]),
    ...scheduleEntries(root).flatMap(([name, { key, value }]) => [
      ...unnamed(name, key),
      ...unknownZone(childOf(value, "timeZone"), ["schedule", name, "timeZone"]),
      ...wrongTimes(root, name, value),
      ...notInSettings(root, name, value),
    ]),
    ...disagreements(windows),
    ...whileOpen(root, windows, found, applyRules),
  ];
}

function problem(path: Path, diagnostic: Diagnostic, isOfValue = true): Problem {
  return { path, isOfValue, diagnostic };
}

/** The history names windows, and reports do: on one line, among other words. */
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

function unknownZone(node: Node | undefined, path: Path): Problem[] {
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
  const zone = textOf(zoneNodeOf(root, window)) ?? "UTC";
  return [
    ...wrongTime(from, "from", zone, at("from")),
    ...wrongTime(until, "until", zone, at("until")),
  ];
}

function wrongTime(time: Time | undefined, key: string, zone: string, path: Path): Problem[] {
  if (!time?.why) return [];
  const { node, text, why, instead = [] } = time;
  const lines = instead.map((each) => `\n  ${key}: ${each}`).join("");
  if (why === "no-moment") {
    // What is no time at all the schema reports.
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return [];
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

/** Without a value there, the end of the window would leave the setting open. */
function notInSettings(root: Node, name: string, window: Node): Problem[] {
  const settings = childOf(root, "settings");
  const under = childOf(window, "settings");
  if (!under) return [];
  const allowed = new Set<unknown>(itemsOf(childOf(root, "allowUnknown")).map(textOf));
  const known = new Set((settings ? leavesBelow(settings, []) : []).map(({ path }) => keyOf(path)));
  return leavesBelow(under, []).flatMap(({ path }) => {
    // An unknown name has its diagnostic.
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

/** Reported at the later one, once for each setting. */
function disagreements(windows: readonly Window[]): Problem[] {
  const settings = new Map<string, { window: Window; value: string; place: Node }[]>();
  const found: Problem[] = [];
  for (const window of windows.toSorted((one, other) => one.fromMs - other.fromMs)) {
    for (const { path, action, value } of window.leaves) {
      const key = keyOf(path);
      const place = window.settings && nodeAt(window.settings, path);
      if (!place) continue;
      const text = `${action} ${canonicalText(value)}`;
      // Of those that want one value the one that closes last stands for all.
      const open = settings.get(key)?.filter((each) => each.window.untilMs > window.fromMs) ?? [];
      const other = open.find((each) => each.value !== text);
      if (other) found.push(disagree(window, path, place, other));
      const same = open.find((each) => each.value === text);
      const isLater = same && same.window.untilMs >= window.untilMs;
      const rest = open.filter((each) => each !== same);
      settings.set(key, [...rest, isLater ? same : { window, value: text, place }]);
    }
  }
  return found;
}

function disagree(
  { name }: Window,
  path: Path,
  place: Node,
  other: { readonly window: Window; readonly place: Node },
): Problem {
  const message = `The windows "${other.window.name}" and "${name}" are open at the same time and set "${formatPath(path)}" to different values.`;
  const help = "Let one end before the other begins, or let both set the same.";
  const found = diagnose("windows-disagree", place, message, help);
  const also = { place: placeOf(other.place.span), message: `is what "${other.window.name}" sets` };
  return problem(["schedule", name, "settings", ...path], {
    ...found,
    related: [also, ...found.related],
  });
}

/** The settings of all windows that are open at the beginning of each, on top of the file's; what holds without them is known. */
function whileOpen(
  root: Node,
  windows: readonly Window[],
  found: readonly Problem[],
  applyRules: (at: Node) => readonly Problem[],
): Problem[] {
  const known = new Set(found.map(({ diagnostic }) => mistakeOf(diagnostic)));
  return windows.flatMap(({ name, fromMs, entry }) => {
    const open = windows.filter((each) => isOpenAt(each, fromMs));
    return applyRules(withWindows(root, open)).flatMap((each): Problem[] => {
      const { diagnostic } = each;
      if (known.has(mistakeOf(diagnostic))) return [];
      known.add(mistakeOf(diagnostic));
      const opened = { place: placeOf(entry.key.span), message: "is the window that is open then" };
      const path = ["schedule", name, ...each.path];
      return [
        { ...each, path, diagnostic: { ...diagnostic, related: [...diagnostic.related, opened] } },
      ];
    });
  });
}

/** The same file without a schedule, as if that stood under `settings`. */
export function withWindows(root: Node, open: readonly Window[]): Node {
  const settings = childOf(root, "settings");
  if (root.kind !== "mapping" || !settings) return root;
  const value = open.reduce(
    (below, each) => (each.settings ? lay(below, each.settings, ["settings"]) : below),
    settings,
  );
  const entries = new Map(root.entries).set("settings", { key: settings, value });
  // Rules that look at windows have seen them all, and to read them takes longer than all the others.
  entries.delete("schedule");
  return { ...root, entries };
}
