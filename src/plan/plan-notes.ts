// A plan's inputs, changes and request → what is to be said of them beyond each change: once, or at the one line it is about.
import { findSetting, spellingsOf } from "../catalog/catalog.js";
import { isEqual, pointInto } from "../json.js";
import type { Path } from "../settings.js";
import type { Change } from "./diff.js";
import type { Inputs } from "./inputs.js";
import type { Note } from "./note.js";
import type { PlanNote } from "./plan.js";
import { isSent, type PlannedRequest } from "./request.js";
import { keyOf, spelledIn } from "./spelling.js";

export function planNotes(
  inputs: Inputs,
  changes: readonly Change[],
  request: PlannedRequest | null,
): PlanNote[] {
  return [
    ...(changes.some(isSent) ? untoldVersion(inputs) : []),
    ...nothingManaged(inputs),
    ...deprecated(changes),
    ...inputs.desired.flatMap(({ path }) => twoSpellings(path, inputs, request)),
  ];
}

/** A note about a setting that changes stands beside its change. */
export function besideChanges(
  changes: readonly Change[],
  notes: readonly PlanNote[],
): { readonly changes: Change[]; readonly notes: PlanNote[] } {
  const changing = new Set(changes.map(({ path }) => keyOf(path)));
  const isBeside = ({ path }: PlanNote) => path !== null && changing.has(keyOf(path));
  return {
    changes: changes.map((change) => {
      const own = notes.filter((note) => note.path && keyOf(note.path) === keyOf(change.path));
      const more = own.map(({ path: _path, ...note }): Note => note);
      return more.length > 0 ? { ...change, notes: [...change.notes, ...more] } : change;
    }),
    notes: notes.filter((note) => !isBeside(note)),
  };
}

/** Otherwise the guard against an older portal would be off without a word. */
function untoldVersion({ live, target }: Inputs): PlanNote[] {
  if (live.kind !== "read" || live.version !== undefined) return [];
  if (live.unlistedRelease !== undefined) return [];
  return [
    {
      path: null,
      code: "untold-version",
      message: `The portal does not tell its version, so it is not compared with the target ${target.asked}.`,
    },
  ];
}

function nothingManaged({ desired }: Inputs): PlanNote[] {
  if (desired.length > 0) return [];
  return [
    {
      path: null,
      code: "nothing-managed",
      message: "The file sets nothing, so nothing of the portal is managed.",
    },
  ];
}

/** By when that began, with the names of the properties that change. */
function deprecated(changes: readonly Change[]): PlanNote[] {
  const names = new Map<string, string[]>();
  for (const { path, notes } of changes) {
    const since = findSetting(path)?.property?.deprecated;
    if (since === undefined || !notes.some(({ code }) => code === "deprecated")) continue;
    names.set(since, [...(names.get(since) ?? []), `"${String(path.at(-1))}"`]);
  }
  const told = [...names].map(([since, all]) => `since ${since}: ${all.join(", ")}`);
  if (told.length === 0) return [];
  return [{ path: null, code: "deprecated", message: `Deprecated ${told.join("; ")}.` }];
}

/** Where a portal shows both spellings of a property, a request names one of them alone. */
function twoSpellings(path: Path, { live }: Inputs, request: PlannedRequest | null): PlanNote[] {
  const [parameter, property] = path;
  if (live.kind !== "read" || !request || parameter === undefined) return [];
  if (typeof property !== "string" || !request.parameters.includes(String(parameter))) return [];
  const shown = spellingsOf(property).filter((name) => holds(live.settings, [parameter, name]));
  const sent = spelledIn(live.settings, path)[1];
  const left = shown.filter((name) => !holds(request.settings, [parameter, name]));
  if (shown.length < 2 || left.length === 0) return [];
  const values = shown.map((name) => pointInto(live.settings, [parameter, name]) ?? null);
  const isSame = values.every((value) => isEqual(value, values[0] ?? null));
  const names = (all: readonly unknown[]) => all.map((name) => `"${String(name)}"`).join(" and ");
  return [
    {
      path,
      code: "two-spellings",
      message: `The portal shows it in two spellings, ${names(shown)}, with ${isSame ? "the same value" : "different values"}. The request sends ${names([sent])} and leaves out ${names(left)}; whether the portal keeps what is left out is not documented.`,
    },
  ];
}

function holds(settings: Parameters<typeof pointInto>[0], path: Path): boolean {
  return pointInto(settings, path) !== undefined;
}
