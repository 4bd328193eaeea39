// What became of old files and their properties → diagnostics, with excerpts that show nothing of properties that are none of ours.
import { aboutFile, type Diagnostic, type DiagnosticCode, type Place } from "../diagnostic.js";
import { placeOfSlip, placeWithin } from "./excerpt.js";
import type { Judged } from "./judge.js";
import type { Migration } from "./migrate.js";
import type { Stretch } from "./script.js";
import { REASONS, type Entry } from "./value.js";
import { USUAL_NAME } from "./world.js";

/** About the files as a whole. */
export function diagnoseFiles({ files, slips, global, isCommentedOut }: Migration): Diagnostic[] {
  const encodings = files
    .filter(({ encoding }) => encoding === "Windows-1252")
    .map(({ script: { file } }) =>
      aboutFile(
        "old-encoding",
        file,
        `"${file}" is not UTF-8, and was read as Windows-1252.`,
        "Check letters with accents in what was taken over.",
      ),
    );
  const damaged = files
    .filter(({ script: { text } }) => text.includes("\ufffd"))
    .map(({ script: { file } }) =>
      aboutFile(
        "old-encoding",
        file,
        `"${file}" holds letters that got lost on the way.`,
        "Name the file on the portal's own disk, which still has them.",
      ),
    );
  const broken = slips.map(({ at, message, help, cause }): Diagnostic => ({
    ...aboutPlace("js-syntax", placeOfSlip(at), message, help),
    related: cause ? [{ place: placeOfSlip(cause.at), message: cause.message }] : [],
  }));
  const named = files.map(({ script }) => script.file);
  const missing =
    slips.length > 0 || global !== undefined
      ? []
      : [
          aboutFile(
            "no-configuration",
            named[0] ?? "",
            isCommentedOut
              ? `${listed(named)} has its configuration in a comment, where nothing reads it.`
              : `${listed(named)} holds no configuration: nothing is assigned to "${USUAL_NAME}".`,
            isCommentedOut
              ? "Take the comment's marks away, or name the file that the portal used."
              : "Check that this is the portal's config.js.",
          ),
        ];
  const other =
    global === undefined || global === USUAL_NAME
      ? []
      : [
          aboutFile(
            "other-name",
            named[0] ?? "",
            `The configuration is called "${global}" here, and not "${USUAL_NAME}".`,
            "Portals read the usual name. Make sure that this is the file that the portal used.",
          ),
        ];
  return [...encodings, ...damaged, ...broken, ...missing, ...other];
}

const CODES = {
  "not-understood": "not-understood",
  invalid: "invalid-value",
  "needs-newer-target": "needs-newer-target",
} as const;

/** About one property; about none where there is nothing to decide. */
export function diagnoseProperty(judged: Judged): Diagnostic[] {
  const { outcome, message, help = "", counterpart, entry, cause } = judged;
  const own = placeOfProperty(judged);
  const remarks = judged.remarks.map((remark): Diagnostic => ({
    ...aboutPlace(
      remark.code,
      remark.at ? placeWithin(remark.at) : own,
      remark.message,
      remark.help,
    ),
    related: remark.related
      ? [{ place: placeWithin(remark.related.at), message: remark.related.message }]
      : [],
  }));
  if (!counterpart || !(outcome in CODES)) return remarks;
  const code = CODES[outcome as keyof typeof CODES];
  if (!cause) return [aboutPlace(code, own, message, help), ...remarks];
  const isInside = entry !== undefined && isIn(cause.at, entry);
  const there = placeWithin(cause.at, isInside ? wholeOf(entry) : undefined);
  // What changes a value later is where to look; what a value is made of stands beside it.
  const isLater = entry !== undefined && !isInside && isAfter(cause.at, entry.written);
  const [place, other] = isInside || isLater || !entry ? [there, own] : [own, there];
  const related =
    isInside || !entry
      ? []
      : [{ place: other, message: isLater ? "sets the property" : REASONS[cause.reason] }];
  return [{ ...aboutPlace(code, place, message, help), related }, ...remarks];
}

export function placeOfProperty({ at, entry, counterpart }: Judged): Place {
  if (!counterpart) return placeWithin({ ...at, end: at.start });
  return placeWithin(at, entry && wholeOf(entry));
}

/** From the name to the end of what was written for it. */
function wholeOf({ name, written }: Pick<Entry, "name" | "written">): Stretch {
  return { ...name, end: Math.max(name.end, written.end) };
}

function isIn(
  { script, start }: Stretch,
  { name, written }: Pick<Entry, "name" | "written">,
): boolean {
  return script === name.script && start >= name.start && start < written.end;
}

function isAfter({ script, start }: Stretch, other: Stretch): boolean {
  return script !== other.script || start >= other.end;
}

function listed(files: readonly string[]): string {
  return files.map((file) => `"${file}"`).join(" and ");
}

function aboutPlace(code: DiagnosticCode, place: Place, message: string, help: string): Diagnostic {
  return { ...aboutFile(code, place.file, message, help), place };
}
