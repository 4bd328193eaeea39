// What became of old files and their properties → diagnostics, with excerpts that show nothing of properties that are none of ours.
import { aboutFile, eachOnce, type Diagnostic, type Place } from "../diagnostic.js";
import { groupBy } from "../lib/lists.js";
import { causeInWords, notUnderstood } from "./cause.js";
import type { EngineFailure } from "./evaluate/runner.js";
import type { Cause } from "./evaluate/evaluate.js";
import type { Judged } from "./judge.js";
import { USUAL_NAME } from "./known.js";
import type { PortalAddress } from "./location.js";
import type { Migration } from "./migrate.js";
import type { Written } from "./place.js";
import { filesInWords, type ReadFile } from "./read.js";
import type { Remark } from "./remark.js";
import { lineAt, placeOfSlip, placeWithin, type Stretch } from "./script.js";

/** About the files as a whole. */
export function diagnoseFiles(migration: Migration, portal?: PortalAddress): Diagnostic[] {
  const { files, slips, failure, elsewhere } = migration;
  const file = files[0]?.script.file ?? "";
  const remarks = [
    ...(failure ? [aboutFailure(files, failure.message)] : []),
    ...(elsewhere ? [elsewhere] : aboutName(migration)),
    ...(portal?.protocol === "http:" ? aboutHttp(migration) : []),
    ...aboutRun(migration),
  ];
  return [
    ...files.flatMap(aboutEncoding),
    ...slips.map((each) => diagnosed(each, file, placeOfSlip)),
    ...remarks.map((each) => diagnosed(each, file, placeWithin)),
  ];
}

function diagnosed(
  { code, message, help, at, related }: Remark,
  file: string,
  show: (at: Stretch) => Place,
): Diagnostic {
  return {
    ...aboutFile(code, at?.script.file ?? file, message, help),
    ...(at && { place: show(at) }),
    related: related ? [{ place: show(related.at), message: related.message }] : [],
  };
}

/** What a value is over http is asked for there; from 11.0 on it counts for nothing. */
function aboutHttp({ files, properties }: Migration): Remark[] {
  const mayAsk = files.some(({ script }) => /\b(?:protocol|href|origin)\b/.test(script.text));
  if (!mayAsk || !properties.some(({ outcome }) => outcome === "migrated")) return [];
  return [
    {
      code: "address-scheme",
      message:
        "The values are those of a page that is loaded over http, because the portal's address says so.",
      help: "From 11.0 on only https counts. Check the values, or say where the portal is over https:\n  --portal-url https://gis.example.com/portal",
    },
  ];
}

/** When, what is said of the file, and what to do. */
const ENCODINGS: readonly (readonly [(file: ReadFile) => boolean, string, string])[] = [
  [
    ({ encoding }) => encoding === "Windows-1252",
    "is not UTF-8, and was read as Windows-1252",
    "Check letters with accents in what was taken over.",
  ],
  [
    ({ script }) => script.text.includes("\ufffd"),
    "holds letters that got lost on the way",
    "Name the file on the portal's own disk, which still has them.",
  ],
];

function aboutEncoding(read: ReadFile): Diagnostic[] {
  const { file } = read.script;
  return ENCODINGS.filter(([isSo]) => isSo(read)).map(([, is, help]) =>
    aboutFile("old-encoding", file, `"${file}" ${is}.`, help),
  );
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

function aboutFailure(files: readonly ReadFile[], what: EngineFailure["message"]): Remark {
  const [is, usual] = FAILED[what];
  const message = `${filesInWords(files)} ${is}.`;
  return { code: "too-much-work", message, help: `A configuration file ${usual}.` };
}

/** That it is not called as portals have it. */
function aboutName({ evaluation }: Migration): Remark[] {
  const { name = USUAL_NAME, isModule } = evaluation?.look ?? {};
  if (name === USUAL_NAME) return [];
  const is = isModule ? "what a module gives back" : `called "${name}"`;
  const message = `The configuration is ${is} here, and not "${USUAL_NAME}" of the page.`;
  const help = "Portals read the usual name. Make sure that this is the file that the portal used.";
  return [{ code: "other-name", message, help }];
}

/** What the script did on the way. */
function aboutRun({ files, evaluation }: Migration): Remark[] {
  const notes = eachOnce(
    evaluation?.notes ?? [],
    ({ kind, file, line }) => `${kind} ${file} ${line}`,
  );
  return notes.flatMap(({ kind, text, line, file }): Remark[] => {
    const script = files[Number.parseInt(file, 10)]?.script;
    const at = script && lineAt(script, line);
    if (kind === "thrown") {
      // Its text may hold a key.
      const [type = ""] = /^\w*Error(?=:)/.exec(text) ?? [];
      const message = `The script ends here with an error${type && ` (${type})`}.`;
      const help = "What it set before counts, as in a browser. Check that this is the whole file.";
      return [{ code: "script-error", message, help, at }];
    }
    if (kind !== "script-error") return [];
    const message = "The page gets another script written into it here, which is not run.";
    const help = "Migrate that script's file, too, if it changes settings: name it after this one.";
    return [{ code: "script-error", message, help, at }];
  });
}

const CODES = {
  "not-understood": "not-understood",
  invalid: "invalid-value",
  "needs-newer-target": "needs-newer-target",
} as const;

/** Properties that are not understood for one cause share what is said of it; nothing where there is nothing to decide. */
export function diagnoseProperties(
  properties: readonly Judged[],
): ReadonlyMap<Judged, Diagnostic[]> {
  const byCause = groupBy(properties, ({ cause, outcome, name }) =>
    cause && outcome === "not-understood" ? keyOf(cause) : `=${name}`,
  );
  const diagnosed = new Map<Judged, Diagnostic[]>();
  const protocol = aboutProtocol(properties);
  for (const all of byCause.values()) {
    const shared = aboutOutcome(all);
    for (const each of all) {
      const remarks = each.remarks.map((remark) =>
        protocol && remark.code === protocol.code ? protocol : aboutRemark(remark, each),
      );
      diagnosed.set(each, [...shared, ...remarks]);
    }
  }
  return diagnosed;
}

/** Two conditions are two causes; what the cookies are is one, wherever it is asked. */
function keyOf({ why, at }: Cause): string {
  return /^(?:unmet|called|hidden|foreign)$/.test(why) ? `${why} ${at.start}` : why;
}

function aboutRemark(remark: Remark, judged: Judged): Diagnostic {
  const own = placeOfProperty(judged);
  const found = diagnosed(remark, own.file, (at) => placeWithin(at, undefined, judged.name));
  return { place: own, ...found };
}

/** Several values that go by the protocol have one cause, too. */
function aboutProtocol(properties: readonly Judged[]): Diagnostic | undefined {
  const all = properties.flatMap((judged) =>
    judged.remarks
      .filter(({ code }) => code === "address-scheme")
      .map(({ message, help }) => ({ place: placeOfProperty(judged), message, help })),
  );
  const [first, ...others] = all;
  if (!first || others.length === 0) return undefined;
  const { place, help } = first;
  const message = `The values of ${all.length} properties depend on the protocol that the page is loaded with.`;
  const related = all.map(({ place, message }) => ({ place, message }));
  return { ...aboutFile("address-scheme", place.file, message, help), place, related };
}

function aboutOutcome(all: readonly Judged[]): Diagnostic[] {
  const [judged] = all;
  if (!judged?.counterpart || !(judged.outcome in CODES)) return [];
  const { outcome, entry, cause } = judged;
  const code = CODES[outcome as keyof typeof CODES];
  const own = placeOfProperty(judged);
  const { message, help = "" } = all.length > 1 ? notUnderstood(all) : judged;
  const isInside = cause && entry && isIn(cause.at, entry);
  const there = cause && placeWithin(cause.at, isInside ? wholeOf(entry) : undefined);
  const isBeside = there && entry && !isInside;
  // What changes a value later is where to look; what a value is made of stands beside it.
  const isLater = isBeside && isAfter(cause.at, entry.written);
  const place = there && (isLater || !isBeside) ? there : own;
  const besides = [
    ...(isLater ? [{ place: own, message: "sets the property" }] : []),
    ...(isBeside && !isLater ? [{ place: there, message: causeInWords(cause.why) }] : []),
    ...all.slice(1).map((each) => ({
      place: placeOfProperty(each),
      message: `sets "${each.name}"`,
    })),
  ];
  const related = besides.filter(
    (each) => each.place.line !== place.line || each.place.file !== place.file,
  );
  return [{ ...aboutFile(code, place.file, message, help), place, related }];
}

export function placeOfProperty({ at, entry, counterpart }: Judged): Place {
  if (!counterpart) return placeWithin({ ...at, end: at.start });
  return placeWithin(at, entry && wholeOf(entry));
}

/** From the name to the end of what was written for it. */
function wholeOf({ name, written }: Written): Stretch {
  return { ...name, end: Math.max(name.end, written.end) };
}

function isIn({ script, start }: Stretch, { name, written }: Written): boolean {
  return script === name.script && start >= name.start && start < written.end;
}

function isAfter({ script, start }: Stretch, other: Stretch): boolean {
  return script !== other.script || start >= other.end;
}
