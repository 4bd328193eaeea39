// Makes diagnostics of a migration: of the files as a whole, and of each property.
import { aboutFile, eachOnce, type Diagnostic, type Place } from "../diagnostic.js";
import { groupBy } from "../lib/lists.js";
import { causeInWords, notUnderstood } from "./cause.js";
import type { EngineFailure } from "./evaluate/runner.js";

import type { Judged, PlacedCause } from "./judge.js";
import { USUAL_NAME } from "./known.js";
import type { PortalAddress } from "./location.js";
import type { Migration } from "./migrate.js";
import type { ReadFile } from "./read.js";
import type { Remark } from "./remark.js";
import { lineAt, placeOf } from "./script.js";

export function diagnoseFiles(migration: Migration, portal?: PortalAddress): Diagnostic[] {
  const { files, slips, failure, elsewhere } = migration;
  const file = files[0]?.script.file ?? "";
  const remarks = [
    ...slips,
    ...(failure ? [aboutFailure(failure.message)] : []),
    ...(elsewhere ? [elsewhere] : aboutName(migration)),
    ...(portal?.protocol === "http:" ? aboutHttp(migration) : []),
    ...aboutRun(migration),
  ];
  return [...files.flatMap(aboutEncoding), ...remarks.map((each) => diagnosed(each, file))];
}

function diagnosed(remark: Remark, file: string, own?: Place): Diagnostic {
  const { code, message, help, at, related } = remark;
  const place = at ? placeOf(at) : own;
  return {
    ...aboutFile(code, place?.file ?? file, message, help),
    ...(place && { place }),
    related: related ? [{ place: placeOf(related.at), message: related.message }] : [],
  };
}

function aboutHttp({ properties }: Migration): Remark[] {
  if (!properties.some(({ outcome }) => outcome === "migrated")) return [];
  return [
    {
      code: "address-scheme",
      message: "The values are those of a page over http, as the portal's address says.",
      help: "From 11.0 on portals use https only. Check the values, or name the portal with https:\n  --portal-url https://gis.example.com/portal",
    },
  ];
}

function aboutEncoding({ encoding, script: { file, text } }: ReadFile): Diagnostic[] {
  if (encoding === "Windows-1252") {
    const message = `"${file}" is not UTF-8; Lintel read it as Windows-1252.`;
    return [aboutFile("old-encoding", file, message, "Check the accented letters of the result.")];
  }
  if (!text.includes("\ufffd")) return [];
  const message = `"${file}" has lost letters in an earlier conversion.`;
  return [aboutFile("old-encoding", file, message, "Copy the file from the portal's own disk.")];
}

const LOOP = "Look for a loop that does not end";
const CHECK = "Check that this is the right file";

/** What the files did, and what a configuration file does. */
const FAILED: Readonly<Record<EngineFailure["message"], readonly [string, string]>> = {
  steps: ["does not come to an end", `ends after some thousand steps. ${LOOP}`],
  time: ["took longer than 60 seconds on this machine", `takes milliseconds. ${LOOP}`],
  memory: ["takes more memory than a configuration file may", `takes a few megabytes. ${LOOP}`],
  depth: ["nests too deep to be looked through", `nests a few levels deep. ${CHECK}`],
  size: ["is larger than 1 MB", `has some 40 kB. ${CHECK}`],
};

function aboutFailure(what: EngineFailure["message"]): Remark {
  const [is, usual] = FAILED[what];
  const help = `A configuration file ${usual}.`;
  return { code: "too-much-work", message: `The script ${is}.`, help };
}

function aboutName({ evaluation }: Migration): Remark[] {
  const { name = USUAL_NAME, isModule } = evaluation?.look ?? {};
  if (name === USUAL_NAME) return [];
  const is = isModule ? "returned by a module" : `called "${name}"`;
  const message = `The configuration is ${is}, not "${USUAL_NAME}".`;
  const help = `Portals read "${USUAL_NAME}". Check that the portal used this file.`;
  return [{ code: "other-name", message, help }];
}

function aboutRun({ files, evaluation }: Migration): Remark[] {
  const notes = eachOnce(
    evaluation?.notes ?? [],
    ({ kind, file, line }) => `${kind} ${file} ${line}`,
  );
  return notes.flatMap(({ kind, text, line, file }): Remark[] => {
    const script = files[Number.parseInt(file, 10)]?.script;
    const at = script && lineAt(script, line);
    if (kind === "thrown") {
      // The error's text may hold a key.
      const [type = ""] = /^\w*Error(?=:)/.exec(text) ?? [];
      const message = `The script ends here with an error${type && ` (${type})`}.`;
      const help = "What it set before counts, as in a browser. Check that this is the whole file.";
      return [{ code: "script-error", message, help, at }];
    }
    if (kind !== "script-error") return [];
    const message =
      "The script adds another script to the page here. Lintel does not run that one.";
    const help = "If it changes settings, name its file after this one.";
    return [{ code: "script-error", message, help, at }];
  });
}

const CODES = {
  "not-understood": "not-understood",
  invalid: "invalid-value",
  "needs-newer-target": "needs-newer-target",
} as const;

/** Properties with one cause share one diagnostic. */
export function diagnoseProperties(
  properties: readonly Judged[],
): ReadonlyMap<Judged, Diagnostic[]> {
  const found = new Map(properties.map((judged): [Judged, Diagnostic[]] => [judged, []]));
  const share = (group: readonly Judged[], diagnostic: Diagnostic) =>
    group.forEach((judged) => found.get(judged)?.push(diagnostic));
  const open = properties.filter(({ counterpart, outcome }) => counterpart && outcome in CODES);
  const byCause = groupBy(open, ({ cause, name }) => (cause ? keyOf(cause) : `=${name}`));
  for (const group of byCause.values()) share(group, aboutOutcome(group));
  const byScheme = properties.filter((judged) => schemeRemarkOf(judged));
  if (byScheme.length > 1) share(byScheme, aboutScheme(byScheme));
  for (const judged of properties) {
    const remarks = judged.remarks.filter(
      ({ code }) => code !== "address-scheme" || byScheme.length === 1,
    );
    const own = placeOfProperty(judged);
    for (const remark of remarks) found.get(judged)?.push(diagnosed(remark, own.file, own));
  }
  return found;
}

/** Two conditions are two causes; the cookies are one, wherever a script asks for them. */
function keyOf({ why, at }: PlacedCause): string {
  return /^(?:unmet|called|hidden|foreign)$/.test(why) ? `${why} ${at.start}` : why;
}

function aboutOutcome(group: readonly Judged[]): Diagnostic {
  const [judged, ...others] = group as readonly [Judged, ...Judged[]];
  const { message, help = "" } = others.length > 0 ? notUnderstood(group) : judged;
  const { outcome, cause } = judged;
  const place = placeOfProperty(judged);
  const related = [
    ...(cause ? [{ place: placeOf(cause.at), message: causeInWords(cause.why) }] : []),
    ...others.map((each) => ({ place: placeOfProperty(each), message: `sets "${each.name}"` })),
  ].filter((each) => each.place.line !== place.line || each.place.file !== place.file);
  const code = CODES[outcome as keyof typeof CODES];
  return { ...aboutFile(code, place.file, message, help), place, related };
}

function schemeRemarkOf({ remarks }: Judged): Remark | undefined {
  return remarks.find(({ code }) => code === "address-scheme");
}

function aboutScheme(group: readonly Judged[]): Diagnostic {
  const related = group.map((judged) => ({
    place: placeOfProperty(judged),
    message: schemeRemarkOf(judged)?.message ?? "",
  }));
  const [judged] = group as readonly [Judged];
  const place = placeOfProperty(judged);
  const message = `${group.length} values depend on the protocol of the page.`;
  const help = schemeRemarkOf(judged)?.help ?? "";
  return { ...aboutFile("address-scheme", place.file, message, help), place, related };
}

/** Its excerpt shows the value of a setting, and of any other property the name alone. */
export function placeOfProperty({ at, entry, counterpart }: Judged): Place {
  if (!entry) return placeOf(at);
  return placeOf(at, counterpart ? [entry.key, ...entry.parts] : [entry.key]);
}
