// What the old file holds under each name → one outcome a property, with the reason in words.
import { ADVANCED, findParameter, isIntroduced, stockValues } from "../catalog/catalog.js";
import { isEqual, type Json } from "../lib/json.js";
import { OPEN_PAGE, notUnderstood } from "./cause.js";
import type { Cause, Evaluation, Finding } from "./evaluate/evaluate.js";
import { USUAL_NAME, counterpartOf, nearSetting, type Counterpart } from "./known.js";
import type { PortalAddress } from "./location.js";
import { placeIn, type Places, type Written } from "./place.js";
import { assumed, remarksOn, type Remark } from "./remark.js";
import type { Stretch } from "./script.js";
import { wrongType } from "./wrong-type.js";

export type PropertyOutcome =
  | "migrated"
  | "stock"
  | "needs-newer-target"
  | "not-understood"
  | "invalid"
  | "no-counterpart";

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
  readonly cause?: Cause;
  /** The whole property, as far as it stands there. */
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
  const { look } = evaluation;
  // Of a configuration that another file makes, what is changed in place is no property of a look.
  const isOfOther = look.name === USUAL_NAME && look.names.length === 0;
  const findings = new Map(evaluation.findings);
  for (const [name, at] of isOfOther ? places.changed : []) {
    const cause = { why: `${USUAL_NAME}.${name}`, at };
    findings.set(name, { isAssumed: false, cause, statement: at });
  }
  // What was given its value by one statement is the configuration's own literal, where the other names stand, too.
  const statement = [...findings.values()].find((each) => each.statement)?.statement;
  return [...new Set([...look.names, ...findings.keys()])].flatMap((name): Judged[] => {
    const finding = findings.get(name);
    const entry = placeIn(places, name, finding?.statement ?? statement) ?? placeIn(places, name);
    const at = entry?.name ?? finding?.statement ?? statement ?? finding?.cause?.at;
    const counterpart = counterpartOf(name);
    if (!at) return [];
    // A name that is only changed need be none of ours.
    if (!counterpart) return look.names.includes(name) ? [noCounterpart(name, at, entry)] : [];
    if (!finding) return [];
    const here = { name, counterpart, at, ...(entry && { entry }) };
    return [{ ...here, ...outcomeOf(here, finding, findings, judging) }];
  });
}

/** Of the statement as a whole nobody learns more than of the property in it. */
function causeFor(
  { why, at, ...more }: Cause,
  statement: Stretch | undefined,
  { portal }: Judging,
  entry: Written | undefined,
): Cause {
  const isWhole = at.script === statement?.script && at.start === statement.start;
  return {
    why: portal && /^location(?:\.pathname)?$/.test(why) ? OPEN_PAGE : why,
    at: isWhole && entry?.name.script === at.script ? entry.name : at,
    ...more,
  };
}

type Here = Pick<Judged, "name" | "at" | "entry"> & { readonly counterpart: Counterpart };
type Outcome = Omit<Judged, keyof Here>;

function outcomeOf(
  here: Here,
  finding: Finding,
  findings: Evaluation["findings"],
  judging: Judging,
): Outcome {
  const { seen } = finding;
  const cause = finding.cause && causeFor(finding.cause, finding.statement, judging, here.entry);
  if (cause || !seen || "reason" in seen) {
    const said = notUnderstood([{ name: here.name, cause }]);
    return { outcome: "not-understood", ...(cause && { cause }), ...said, remarks: [] };
  }
  const odd = "odd" in seen && seen.odd !== "undefined" ? Number(seen.odd) : undefined;
  const held = "json" in seen ? (JSON.parse(seen.json) as Json) : odd;
  const value = "json" in seen ? (held ?? null) : null;
  const verdict = verdictOn(here, held, findings, judging);
  const isUsed = verdict.outcome === "migrated" || verdict.outcome === "invalid";
  return { value, ...verdict, remarks: isUsed ? remarksFor(here, finding, value) : [] };
}

function verdictOn(
  { name, counterpart: { property, inFile, inReference } }: Here,
  held: Json | undefined,
  findings: Evaluation["findings"],
  { target, takesAll }: Judging,
): Omit<Outcome, "remarks"> {
  if (name === inReference && name !== inFile && findings.has(inFile)) {
    return {
      outcome: "invalid",
      message: `"${name}" is another spelling of "${inFile}", which the file holds as well.`,
      help: `The old portal read "${inFile}". Remove the other one.`,
    };
  }
  const wrong = wrongType(name, property, held);
  if (wrong) return { outcome: "invalid", message: `"${name}" ${wrong.is}.`, help: wrong.help };
  const isStock = stockValues(property).some((each) => isEqual(each, held ?? null));
  if (isStock && !takesAll) {
    return {
      outcome: "stock",
      message: `"${name}" has a value that portals were shipped with, so that nobody need have chosen it.`,
      help: "To take such values over as well, add --all.",
    };
  }
  const needed = [findParameter(ADVANCED), property].find(
    (each) => each && !isIntroduced(each, target),
  );
  if (needed) {
    return {
      outcome: "needs-newer-target",
      message: `"${name}" can be set from ${needed.introduced} on, after the target ${target}.`,
      help: `Raise the target once the portal is that new:\n  --target ${needed.introduced}`,
    };
  }
  const though = isStock ? ", though it has a value that portals were shipped with" : "";
  return { outcome: "migrated", message: `"${name}" is taken over${though}.` };
}

function remarksFor({ name, counterpart, entry }: Here, finding: Finding, value: Json): Remark[] {
  const { property, inFile, inReference } = counterpart;
  const { seen, isAssumed, overHttp } = finding;
  const twice: Remark | undefined = entry?.first && {
    code: "repeated-name",
    message: `"${name}" is set twice here, and the later value counts.`,
    help: "Check that it is the one that is meant.",
    at: entry.name,
    related: { at: entry.first, message: "sets it first" },
  };
  const unread: Remark = {
    code: "no-effect",
    message: `"${name}" had no effect on the old portal, which read "${inFile}".`,
    help: "Decide whether the new portal is to have what the old one did not do.",
  };
  return [
    ...(twice ? [twice] : []),
    ...(isAssumed ? [assumed(name, JSON.stringify(value), overHttp)] : []),
    ...(seen && "json" in seen ? remarksOn(name, property, value) : []),
    ...(name === inReference && name !== inFile ? [unread] : []),
  ];
}

/** Names of which another setting does the work now. */
const MOVED: Readonly<Record<string, string>> = {
  classificationBanner: "Use the setting informationalBanner.",
};

function noCounterpart(name: string, at: Stretch, entry: Written | undefined): Judged {
  const here = { name, outcome: "no-counterpart", at, remarks: [] } as const;
  const moved = MOVED[name];
  if (moved !== undefined)
    return { ...here, message: `"${name}" is no setting from 11.0 on. ${moved}` };
  const near = nearSetting(name);
  if (!near) {
    return { ...here, message: `"${name}" has no counterpart among the settings from 11.0 on.` };
  }
  const message = `"${name}" is no setting, and almost one.`;
  const help = `${near} The old portal read nothing from a name that it did not know.`;
  const remarks = [{ code: "near-name", message, help, at: entry?.name }] as const;
  return { ...here, message: `${message} ${near}`, help: near, remarks };
}
