// Changes → the guards that stop their apply, each by name, and who opened it. None stops a plan.
import { findParameter, findSetting } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import type { AllowEntry, GuardName } from "../guard.js";
import {
  canonicalText,
  isJsonList,
  isJsonObject,
  pointInto,
  printJson,
  type Json,
} from "../json.js";
import { nearestNumber } from "../numeral.js";
import { formatPath, isWithin, type Path } from "../settings.js";
import type { Difference } from "./diff.js";
import type { Allowed, Inputs } from "./inputs.js";
import { hasSwitch, SWITCH } from "./note.js";
import { isSent, type PlannedRequest } from "./request.js";
import { keyOf, referencePath } from "./spelling.js";

export interface Guard {
  readonly name: GuardName;
  /** Null for what concerns the plan as a whole. */
  readonly path: Path | null;
  readonly message: string;
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

type Finding = Pick<Guard, "name" | "path" | "message">;

const FEWEST_LOST = 3;
const FEWEST_APPLIED = 8;

/** What is written into the state alone needs no guard. */
export function guardsOf(
  inputs: Inputs,
  differences: readonly Difference[],
  request: PlannedRequest | null,
): Guard[] {
  const sent = differences.filter(({ change }) => isSent(change));
  if (sent.length === 0) return [];
  const findings = [
    ...sent.flatMap(disableNotice),
    ...sent.flatMap(disconnect),
    ...sent.flatMap(shrinkList),
    ...wideChange(inputs, sent),
    ...olderPortal(inputs),
    ...sent.flatMap(tokenLifetime),
    ...unreadPortal(inputs, request),
  ];
  return findings.map((finding) => judge(finding, inputs));
}

function disableNotice({ change: { path, after }, couldBe }: Difference): Finding[] {
  const isSwitch = path.length === 2 && path[1] === SWITCH && hasSwitch(path);
  if (!isSwitch || after !== false || !couldBe.map(meant).includes(true)) return [];
  const parameter = formatPath(path.slice(0, 1));
  return [{ name: "disable-notice", path, message: `"${parameter}" would be switched off.` }];
}

/** Anything but false is connected, and so is a portal where it was never set. */
function disconnect({ change: { path, after }, couldBe }: Difference): Finding[] {
  const isSwitch = findSetting(path)?.property?.disconnected === false;
  const isConnected = after !== false;
  const isFlipped = couldBe.map(meant).some((before) => (before !== false) !== isConnected);
  if (!isSwitch || !isFlipped) return [];
  const [from, to] = isConnected ? ["disconnected", "connected"] : ["connected", "disconnected"];
  return [
    {
      name: "disconnect",
      path,
      message: `"${formatPath(path)}" would go from ${from} to ${to}.`,
    },
  ];
}

/** An entry is lost where nothing equal to it stays, wherever in the list. */
function shrinkList({ change: { path, after }, couldBe }: Difference): Finding[] {
  const left = isJsonList(after) ? after : [];
  return couldBe
    .filter(isJsonList)
    .map((before) => ({ before, lost: lostFrom(before, left) }))
    .filter(({ before, lost }) => lost >= FEWEST_LOST && lost * 2 > before.length)
    .slice(0, 1)
    .map(({ before, lost }) => ({
      name: "shrink-list",
      path,
      message: `"${formatPath(path)}" would lose ${lost} of its ${before.length} entries.`,
    }));
}

function lostFrom(before: readonly Json[], after: readonly Json[]): number {
  const left = new Map<string, number>();
  for (const text of after.map(canonicalText)) left.set(text, (left.get(text) ?? 0) + 1);
  return before.map(canonicalText).filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  }).length;
}

function wideChange({ last }: Inputs, sent: readonly Difference[]): Finding[] {
  if (!last || last.leaves.length < FEWEST_APPLIED) return [];
  const applied = new Set(last.leaves.map(({ path }) => keyOf(path)));
  const changing = sent.filter(({ change }) => applied.has(keyOf(change.path))).length;
  if (applied.size < FEWEST_APPLIED || changing * 2 <= applied.size) return [];
  return [
    {
      name: "wide-change",
      path: null,
      message: `${changing} of the ${applied.size} settings that were applied before would change.`,
    },
  ];
}

function olderPortal(inputs: Inputs): Finding[] {
  const compared = comparePortal(inputs);
  if (!compared || compared.order >= 0) return [];
  return [
    {
      name: "older-portal",
      path: null,
      message: `The portal is ${compared.version}, older than the target ${inputs.target.asked}.`,
    },
  ];
}

/** By major and minor alone: negative where the live portal is older than the target; undefined where it does not tell. */
export function comparePortal({
  live,
  target,
}: Inputs): { readonly version: string; readonly order: number } | undefined {
  const version = live.kind === "read" ? live.version : undefined;
  const [is, wanted] = [parseVersion(version ?? ""), parseVersion(target.asked)];
  if (version === undefined || !is || !wanted) return undefined;
  return { version, order: is[0] - wanted[0] || is[1] - wanted[1] };
}

/** Where none was ever set, the documented default is what it was. */
function tokenLifetime({ change: { path, after }, couldBe }: Difference): Finding[] {
  const property = findSetting(path)?.property;
  const minutes = nearestNumber(after);
  if (property?.type !== "minutes" || minutes === undefined) return [];
  const before = couldBe
    .map((value) => nearestNumber(meant(value) ?? property.default))
    .filter((value) => value !== undefined);
  const shortest = Math.min(...before);
  if (before.length === 0 || minutes <= shortest) return [];
  return [
    {
      name: "token-lifetime",
      path,
      message: `"${formatPath(path)}" would grow from ${shortest} to ${printJson(after)} minutes.`,
    },
  ];
}

/** Some portals show what they hold as texts. */
function meant(value: Json): Json {
  if (typeof value !== "string") return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** What the request could replace or leave out without anybody having seen it. */
function unreadPortal({ last, live }: Inputs, request: PlannedRequest | null): Finding[] {
  if (!request) return [];
  // A parameter that is no object holds nothing else that could be lost.
  const isObject = (name: string) =>
    findParameter(name)?.object !== undefined || !findParameter(name);
  if (live.kind === "read") {
    const strange = request.parameters
      .filter((name) => findParameter(name)?.object !== undefined)
      .filter((name) => {
        const shown = pointInto(live.settings, [name]) ?? null;
        return shown !== null && !isJsonObject(shown);
      })
      .map((name) => ({
        name: "unread-portal" as const,
        path: [name],
        message: `The portal shows "${formatPath([name])}" as something that is no object, so that nobody knows what the request replaces.`,
      }));
    // A view may be narrower than the one before, as when something answers in the portal's place.
    const hidden = (last?.seen ?? [])
      .filter((name) => (pointInto(live.settings, [name]) ?? null) === null)
      .filter((name) => isObject(name) || !request.parameters.includes(name))
      .map((name) => ({
        name: "unread-portal" as const,
        path: [name],
        message: `The portal showed "${formatPath([name])}" after the last apply and shows nothing of it now, so the request cannot carry all that it holds.`,
      }));
    return [...strange, ...hidden];
  }
  const known = new Set(
    [...(last?.leaves ?? []), ...(last?.alsoSent ?? [])].map(({ path }) => path[0]),
  );
  return request.parameters
    .filter((name) => isObject(name) && !known.has(name))
    .map((name) => ({
      name: "unread-portal",
      path: [name],
      message: `Nobody has seen what else "${formatPath([name])}" holds, and the request replaces all of it.`,
    }));
}

function judge(finding: Finding, { allow, today }: Inputs): Guard {
  const openedBy = openingOf(finding, allow, today);
  return {
    ...finding,
    message: openedBy ? finding.message : finding.message + expiryOf(finding, allow, today),
    isOpen: openedBy !== null,
    openedBy,
  };
}

/** The command line goes first, so that a saved plan does not become stale when an entry of the file ends. */
function openingOf(finding: Finding, { names, entries }: Allowed, today: string): Opening | null {
  if (names.includes(finding.name)) return { by: "command-line" };
  const open = inOrder(entries.filter((entry) => covers(entry, finding) && entry.until >= today));
  const entry = open.at(-1);
  if (!entry) return null;
  const { path = null, until, reason } = entry;
  return { by: "file", path, until, reason };
}

function expiryOf(finding: Finding, { entries }: Allowed, today: string): string {
  const ended = inOrder(entries.filter((entry) => covers(entry, finding) && entry.until < today));
  const entry = ended.at(-1);
  return entry ? ` The file allowed it until ${entry.until}, which has passed.` : "";
}

function covers({ guard, path }: AllowEntry, finding: Finding): boolean {
  if (guard !== finding.name) return false;
  if (!path) return true;
  return finding.path !== null && isWithin(referencePath(finding.path), referencePath(path));
}

/** The one that stays open longest comes last; the order of the file must not matter. */
function inOrder(entries: readonly AllowEntry[]): AllowEntry[] {
  const text = ({ until, path, reason }: AllowEntry) => JSON.stringify([until, path ?? [], reason]);
  return entries.toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
}
