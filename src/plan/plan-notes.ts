// Collects the notes of a plan that go beyond a single change.
import { findSetting, spellingsOf } from "../catalog/catalog.js";
import { isEqual, pointInto } from "../lib/json.js";
import { isSent, type Path } from "../settings.js";
import type { Change, Diff } from "./diff.js";
import { comparePortal } from "./guards/older-portal.js";
import type { Inputs, Last } from "./inputs.js";
import { NOTHING_MANAGED, type NoteCode } from "./note.js";
import type { PlanNote } from "./plan.js";
import { alsoSent, type PlannedRequest } from "./request.js";
import { scheduleNotes } from "./schedule-notes.js";
import { keyOf } from "../catalog/spelling.js";
import { spelledIn } from "./spelling.js";

/** A note on a setting that changes moves to its change. */
export function withNotes(
  inputs: Inputs,
  { differences, shownOtherwise }: Diff,
  request: PlannedRequest | null,
): { readonly changes: Change[]; readonly notes: PlanNote[] } {
  const bare = differences.map(({ change }) => change);
  const otherwise = "The portal shows another value than Lintel sent, as after the last apply.";
  const notes = [
    ...openJournal(inputs.last?.pending),
    ...scheduleNotes(inputs, bare).map((each) => ({ path: null, ...each })),
    ...shownOtherwise.map((path) => about(path, "shown-otherwise", otherwise)),
    ...sentBeside(inputs, request),
    ...version(inputs, bare.some(isSent)),
    ...unproven(inputs, request),
    ...(inputs.desired.length > 0 ? [] : [{ path: null, ...NOTHING_MANAGED }]),
    ...deprecated(bare),
    ...inputs.desired.flatMap(({ path }) => twoSpellings(path, inputs, request)),
  ];
  if (notes.every(({ path }) => !path)) return { changes: bare, notes };
  const changes = bare.map((change) => {
    const own = notes.filter(({ path }) => path && keyOf(path) === keyOf(change.path));
    const more = own.map(({ path: _path, ...note }) => note);
    return more.length > 0 ? { ...change, notes: [...change.notes, ...more] } : change;
  });
  const changing = new Set(changes.map(({ path }) => keyOf(path)));
  return { changes, notes: notes.filter(({ path }) => !path || !changing.has(keyOf(path))) };
}

function about(path: Path | null, code: NoteCode, message: string): PlanNote {
  return { path, code, message };
}

function openJournal(pending: Last["pending"]): PlanNote[] {
  if (!pending) return [];
  const { kind, unknownForMs, arrival } = pending;
  const next = kind === "rollback" ? "the same rollback" : "applying this plan";
  if (arrival !== "unknown") {
    const [what, then] = ARRIVED[arrival];
    const message = `The portal shows ${what} of the last ${kind}; ${next} ${then}.`;
    return [about(null, "outcome-unknown", message)];
  }
  const seconds = Math.ceil(unknownForMs / 1000);
  const wait =
    seconds > 0 ? ` for up to ${seconds} s from now, while its update may still arrive` : "";
  const ending = seconds > 0 ? "waits for that and settles it" : "settles it";
  const message = `The outcome of the last ${kind} is unknown${wait}; ${next} ${ending}.`;
  return [about(null, "outcome-unknown", message)];
}

const ARRIVED = {
  all: ["all", "settles it"],
  part: ["a part", "settles it"],
  none: ["nothing", "continues from there"],
} as const;

/** Without a known version the guard `older-portal` cannot trigger, so a note explains that. */
function version(inputs: Inputs, isAnySent: boolean): PlanNote[] {
  const { live, target } = inputs;
  if (live.kind !== "read") return [];
  const portal = comparePortal(inputs);
  if (portal) {
    if (portal.order <= 0) return [];
    const message = `The portal is ${portal.version}, newer than the target ${target.asked}.`;
    return [about(null, "newer-portal", message)];
  }
  if (live.unlistedRelease !== undefined) {
    const message = `The portal calls itself release "${live.unlistedRelease}", which the reference does not list. It may be older than the target ${target.asked}.`;
    return [about(null, "unlisted-release", message)];
  }
  if (live.version !== undefined || !isAnySent) return [];
  const message = `The portal does not show its version. Check that it is ${target.asked}.`;
  return [about(null, "untold-version", message)];
}

/** If there is something to send, the guard `unread-portal` reports it instead. */
function unproven({ live }: Inputs, request: PlannedRequest | null): PlanNote[] {
  if (live.kind !== "read" || !live.unproven || request) return [];
  const message = `${live.unproven} The portal may hide settings from other accounts than administrators. Hidden settings count as unchanged.`;
  return [about(null, "unproven-view", message)];
}

/** On every request that contains them, except the first, where the release has a note. */
function sentBeside({ last, ...inputs }: Inputs, request: PlannedRequest | null): PlanNote[] {
  if (!last?.alsoSent) return [];
  const message =
    "It is no longer managed. Lintel still sends its last applied value, because it never reads the portal.";
  return alsoSent({ ...inputs, last: { ...last, leaves: [] } })
    .filter(({ path }) => request?.parameters.includes(String(path[0])))
    .map(({ path }) => about(path, "also-sent", message));
}

/** Grouped by the version that deprecates them. */
function deprecated(changes: readonly Change[]): PlanNote[] {
  const names = new Map<string, string[]>();
  for (const { path, notes } of changes) {
    if (!notes.some(({ code }) => code === "deprecated")) continue;
    const since = findSetting(path)?.property?.deprecated;
    if (since === undefined) continue;
    names.set(since, [...(names.get(since) ?? []), `"${String(path.at(-1))}"`]);
  }
  const groups = [...names].map(([since, all]) => `since ${since}: ${all.join(", ")}`);
  return groups.length > 0 ? [about(null, "deprecated", `Deprecated ${groups.join("; ")}.`)] : [];
}

/** If a portal shows both spellings of a property, a request contains only one of them. */
function twoSpellings(path: Path, { live }: Inputs, request: PlannedRequest | null): PlanNote[] {
  const [parameter, property] = path;
  if (live.kind !== "read" || !request || parameter === undefined) return [];
  if (typeof property !== "string" || !request.parameters.includes(String(parameter))) return [];
  const { settings } = live;
  const shown = spellingsOf(property).filter(
    (name) => pointInto(settings, [parameter, name]) !== undefined,
  );
  const sent = spelledIn(settings, path)[1];
  const left = shown.filter((name) => pointInto(request.settings, [parameter, name]) === undefined);
  if (shown.length < 2 || left.length === 0) return [];
  const values = shown.map((name) => pointInto(settings, [parameter, name]) ?? null);
  const isSame = values.every((value) => isEqual(value, values[0] ?? null));
  const names = (all: readonly unknown[]) => all.map((name) => `"${String(name)}"`).join(" and ");
  const message = `The portal shows it in two spellings, ${names(shown)}, with ${isSame ? "the same value" : "different values"}. The request sends ${names([sent])} and leaves out ${names(left)}. The vendor does not document whether the portal keeps the other.`;
  return [about(path, "two-spellings", message)];
}
