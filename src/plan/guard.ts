// Changes → the guards that stop their apply, each by name, and who opened it. None stops a plan.
import { GUARDS, type AllowEntry, type GuardName } from "../guard.js";
import type { Json } from "../json.js";
import { isWithin, type Path } from "../settings.js";
import type { Difference } from "./diff.js";
import { GUARD_RULES, type Finding } from "./guards/all.js";
import type { Allowed, Inputs } from "./inputs.js";
import { isSent, type PlannedRequest } from "./request.js";
import { referencePath } from "./spelling.js";

export interface Guard extends Finding {
  readonly name: GuardName;
  readonly isOpen: boolean;
  readonly openedBy: Opening | null;
}

export type Opening =
  | { readonly by: "command-line" }
  | {
      readonly by: "file";
      readonly path: Path | null;
      readonly until: string;
      readonly reason: string;
    };

/** What is written into the state alone needs no guard. */
export function guardsOf(
  inputs: Inputs,
  differences: readonly Difference[],
  request: PlannedRequest | null,
): Guard[] {
  const sent = differences
    .filter(({ change }) => isSent(change))
    .map((each) => ({ ...each, couldBe: each.couldBe.map(meant) }));
  if (sent.length === 0) return [];
  return GUARDS.flatMap((name) =>
    GUARD_RULES[name]
      .find({ inputs, sent, request })
      .map((finding) => judge(name, finding, inputs)),
  );
}

/** Some portals show what they hold as texts. */
function meant(value: Json): Json {
  if (typeof value !== "string") return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return /^\d{1,9}$/.test(value) ? Number(value) : value;
}

function judge(
  name: GuardName,
  { path, message }: Finding,
  { allow: { names, entries }, today }: Inputs,
): Guard {
  const covering = entries.filter(
    ({ guard, path: opened }) => guard === name && covers(opened, path),
  );
  const ended = latest(covering.filter(({ until }) => until < today));
  const openedBy = openingOf(name, names, latest(covering.filter(({ until }) => until >= today)));
  const expiry =
    ended && !openedBy ? ` The file allowed it until ${ended.until}, which has passed.` : "";
  return { name, path, message: message + expiry, isOpen: openedBy !== null, openedBy };
}

/** The command line goes first, so that a saved plan does not become stale when an entry of the file ends. */
function openingOf(
  name: GuardName,
  names: Allowed["names"],
  entry: AllowEntry | undefined,
): Opening | null {
  if (names.includes(name)) return { by: "command-line" };
  if (!entry) return null;
  const { path = null, until, reason } = entry;
  return { by: "file", path, until, reason };
}

function covers(opened: Path | undefined, path: Path | null): boolean {
  if (!opened) return true;
  return path !== null && isWithin(referencePath(path), referencePath(opened));
}

/** The one that stays open longest; the order of the file must not matter. */
function latest(entries: readonly AllowEntry[]): AllowEntry | undefined {
  const text = ({ until, path, reason }: AllowEntry) => JSON.stringify([until, path ?? [], reason]);
  return entries.toSorted((left, right) => (text(left) < text(right) ? -1 : 1)).at(-1);
}
