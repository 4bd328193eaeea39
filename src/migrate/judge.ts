// Decides what becomes of each property of an old file: one outcome, with its reason.
import { ADVANCED, findParameter, isIntroduced, stockValues } from "../catalog/catalog.js";
import { accepts, VALUE_TYPES, type Property } from "../catalog/facts.js";
import { isEqual, isJsonList, type Json } from "../lib/json.js";
import { OPEN_PAGE, notUnderstood } from "./cause.js";
import type { Evaluation } from "./evaluate/evaluate.js";
import type { Cause, Finding } from "./evaluate/evidence.js";
import { USUAL_NAME, counterpartOf, nearSetting, type Counterpart } from "./known.js";
import type { PortalAddress } from "./location.js";
import { placeIn, type Places, type Written } from "./place.js";
import { remarksOn, schemeRemark, type Remark } from "./remark.js";
import type { Stretch } from "./script.js";

export type PropertyOutcome =
  | "migrated"
  | "stock"
  | "needs-newer-target"
  /** The file that values are added to has another one. */
  | "not-added"
  /** The file that values are added to has it. */
  | "already-set"
  | "not-understood"
  | "invalid"
  | "no-counterpart";

export type PlacedCause = Cause & { readonly at: Stretch };

export interface Judged {
  /** As the file spells it. */
  readonly name: string;
  readonly outcome: PropertyOutcome;
  /** Absent where it has no counterpart, or could not be understood. */
  readonly value?: Json;
  readonly counterpart?: Counterpart;
  /** Where it is set. */
  readonly at: Stretch;
  /** What keeps its value from being known. */
  readonly cause?: PlacedCause;
  readonly entry?: Written;
  readonly message: string;
  readonly help?: string;
  readonly remarks: readonly Remark[];
}

export interface Judging {
  readonly target: string;
  /** Stock values too. */
  readonly takesAll: boolean;
  readonly portal?: PortalAddress | undefined;
}

export function judge(evaluation: Evaluation, places: Places, judging: Judging): Judged[] {
  const { look, start } = evaluation;
  // Another file makes the configuration: values that this one changes in place are unknown.
  const isOfOther = look.name === USUAL_NAME && look.names.length === 0;
  const findings = new Map(evaluation.findings);
  for (const [name, at] of isOfOther ? places.changed : []) {
    const cause = { why: `${USUAL_NAME}.${name}`, at };
    findings.set(name, { isAssumed: false, cause });
  }
  return [...new Set([...look.names, ...findings.keys()])].flatMap((name): Judged[] => {
    const finding = findings.get(name);
    const entry = placeIn(places, name);
    const at = lastOf(places.changed.get(name), entry?.name) ?? finding?.cause?.at ?? start;
    const counterpart = counterpartOf(name);
    if (!counterpart) return look.names.includes(name) ? [noCounterpart(name, at, entry)] : [];
    if (!finding) return [];
    const here = { name, counterpart, at, ...(entry && { entry }) };
    return [{ ...here, ...outcomeOf(here, finding, judging) }];
  });
}

/** A list that is changed in place has its value from there. */
function lastOf(changed: Stretch | undefined, set: Stretch | undefined): Stretch | undefined {
  const isLater = changed && (changed.script !== set?.script || changed.start > set.start);
  return isLater ? changed : set;
}

type Here = Pick<Judged, "name" | "at" | "entry"> & { readonly counterpart: Counterpart };
type Outcome = Omit<Judged, keyof Here>;

function outcomeOf(here: Here, finding: Finding, judging: Judging): Outcome {
  const { seen } = finding;
  const cause = finding.cause && causeFor(finding.cause, here, judging);
  if (cause || !seen || "reason" in seen) {
    const words = notUnderstood([{ name: here.name, cause }]);
    return { outcome: "not-understood", ...(cause && { cause }), ...words, remarks: [] };
  }
  const odd = "odd" in seen && seen.odd !== "undefined" ? Number(seen.odd) : undefined;
  const value = "json" in seen ? (JSON.parse(seen.json) as Json) : odd;
  const verdict = verdictOn(here, value, judging);
  const isUsed = verdict.outcome === "migrated" || verdict.outcome === "invalid";
  const json = "json" in seen ? (value ?? null) : null;
  return { value: json, ...verdict, remarks: isUsed ? remarksFor(here, finding, json) : [] };
}

/** The property itself is the place of a cause that has none. */
function causeFor({ why, at, values }: Cause, here: Here, { portal }: Judging): PlacedCause {
  return {
    why: portal && /^location(?:\.pathname)?$/.test(why) ? OPEN_PAGE : why,
    at: at ?? here.at,
    values,
  };
}

function verdictOn(
  { name, counterpart: { property, inFile, inReference } }: Here,
  value: Json | undefined,
  { target, takesAll }: Judging,
): Omit<Outcome, "remarks"> {
  if (name === inReference && name !== inFile) {
    return {
      outcome: "invalid",
      message: `The old portal read "${inFile}" and ignored "${name}".`,
      help: "Decide whether the new portal should have this value.",
    };
  }
  const wrong = wrongType(name, property, value);
  if (wrong) return { outcome: "invalid", ...wrong };
  if (!takesAll && stockValues(property).some((each) => isEqual(each, value ?? null))) {
    return {
      outcome: "stock",
      message: `"${name}" has a stock value, so it is not copied.`,
      help: "Use --all to copy it.",
    };
  }
  const needed = [findParameter(ADVANCED), property].find(
    (each) => each && !isIntroduced(each, target),
  );
  if (needed) {
    return {
      outcome: "needs-newer-target",
      message: `"${name}" exists from ${needed.introduced} on, and the target is ${target}.`,
      help: `When the portal has that version, migrate with:\n  --target ${needed.introduced}`,
    };
  }
  return { outcome: "migrated", message: `"${name}" is migrated.` };
}

/** A value that the portal does not accept, and what the old portal made of it. Fields of the objects in a list are left to the check of the desired-state file. */
function wrongType(
  name: string,
  property: Property,
  value: Json | undefined,
): Pick<Judged, "message" | "help"> | undefined {
  const { type } = property;
  const is = `"${name}" is ${described(property, value)}`;
  const isBlank = type === "URL" && typeof value === "string" && value.trim() === "";
  if (value === null || value === undefined || isBlank) {
    return {
      message: `${is}, which counted as not set.`,
      help: "Leave it out, or choose a value.",
    };
  }
  if (accepts(property, value)) return undefined;
  if (type === "boolean" || (type === "string or `false`" && typeof value === "string")) {
    const isTrue = Boolean(value);
    return {
      message: `${is}, which acted as ${String(isTrue)}.`,
      help: `Write ${VALUE_TYPES[type].expected}, without quotes:\n  ${name}: ${String(type === "boolean" && isTrue)}`,
    };
  }
  // A request writes the number and the text of its digits in the same way.
  const minutes = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : NaN;
  if (type === "minutes" && accepts(property, minutes)) {
    return {
      message: `${is}, which acted as the number ${minutes}.`,
      help: `Write it without quotes:\n  ${name}: ${minutes}`,
    };
  }
  const expected = typeof type === "object" ? "a list of objects" : VALUE_TYPES[type].expected;
  return {
    message: `${is}; the portal expects ${expected}.`,
    help: `Write a value such as:\n  ${name}: ${JSON.stringify(property.example)}`,
  };
}

function described(property: Property, value: Json | undefined): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (!isJsonList(value)) return "an object";
  const wrong = value.find((each) => !accepts(property, [each]));
  return wrong === undefined ? "a list" : `a list with ${described(property, wrong)}`;
}

function remarksFor({ name, counterpart, entry }: Here, finding: Finding, value: Json): Remark[] {
  const { seen, isAssumed, overHttp } = finding;
  const remarks = seen && "json" in seen ? remarksOn(name, counterpart.property, value) : [];
  if (isAssumed) remarks.push(schemeRemark(name, JSON.stringify(value), overHttp));
  if (entry?.first) {
    remarks.push({
      code: "repeated-name",
      message: `"${name}" is set twice here; the later value counts.`,
      help: "Check that the later value is the intended one.",
      related: { at: entry.first, message: "sets it first" },
    });
  }
  return remarks;
}

/** What replaces a name that is no longer a setting. */
const REPLACED: Readonly<Record<string, string>> = {
  classificationBanner: "Use the setting informationalBanner.",
};

function noCounterpart(name: string, at: Stretch, entry: Written | undefined): Judged {
  const here = { name, outcome: "no-counterpart", at, ...(entry && { entry }) } as const;
  const near = nearSetting(name);
  if (near !== undefined) {
    const message = `"${name}" is not a setting. ${near}`;
    const help =
      "The old portal ignored unknown names. Decide whether the new one should have this value.";
    return { ...here, message, help, remarks: [{ code: "near-name", message, help }] };
  }
  const message = `"${name}" has no counterpart from 11.0 on.`;
  const help = REPLACED[name];
  if (help === undefined) return { ...here, message, remarks: [] };
  return { ...here, message: `${message} ${help}`, help, remarks: [] };
}
