// What old files hold, and where it is to go → the file that it becomes, and what is told of it.
import { resolve } from "node:path";
import { catalog } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../../diagnostic.js";
import { isPart } from "../../document/check/check.js";
import { nodeAt } from "../../document/read/tree.js";
import { EXIT } from "../../failure.js";
import type { Io } from "../../io.js";
import { diagnoseProperties, placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import { shownValue } from "../../migrate/known.js";
import type { PortalAddress } from "../../migrate/location.js";
import type { Migration, OldFile } from "../../migrate/migrate.js";
import type { Added } from "../documents.js";
import {
  type MigrationPage,
  type Next,
  endText,
  migrationText,
  stepsFor,
} from "../../report/migration-report.js";
import type { Styles } from "../../report/styles.js";
import { oneLine } from "../../lib/text.js";
import type { Result } from "../command.js";
import { placeJson, problemsAbove } from "../../cli/result.js";
import { unlistedTarget } from "../unlisted-target.js";
import { replaceFile, writeNew } from "../../cli/write-file.js";
import { writeSchemaBeside } from "../write-schema.js";
import { withoutDecided } from "./decided.js";
import { leftOut, newDraft, type Into } from "./draft.js";
import { besides } from "./into.js";
import type { Arguments } from "./migrate.js";
import { commentsFor, fill, type Written } from "./migrated-file.js";

export interface Work {
  readonly io: Io;
  readonly call: Arguments;
  readonly files: readonly OldFile[];
  readonly migration: Migration;
  /** What is to be said of the files as a whole. */
  readonly about: readonly Diagnostic[];
  readonly target: string;
  readonly portal: PortalAddress | undefined;
  readonly host: Into | undefined;
  readonly out: string | undefined;
}

export function finish(work: Work): Result {
  const { io, call, files, migration, about, host, out } = work;
  const wanted = migration.properties
    .filter(({ outcome }) => outcome === "migrated")
    .map((judged): Written => ({
      judged,
      name: judged.name,
      above: commentsFor(judged, migration),
    }));
  const { added, unplaced } = host
    ? besides(wanted, host)
    : { added: wanted, unplaced: new Map<Judged, Diagnostic>() };
  const filled = fill((hasValues) => host ?? newDraft(work, hasValues), added, io);
  const judgedAgain = migration.properties.map((judged): Judged => {
    const by = filled.refused.find((each) => each.judged === judged)?.by;
    const obstacle = unplaced.get(judged);
    return by
      ? { ...judged, outcome: "invalid", message: by.message, help: by.help }
      : { ...judged, message: obstacle?.message ?? judged.message };
  });
  const diagnosed = diagnoseProperties(judgedAgain);
  const told = migration.properties.map((judged, at): Told => {
    const property = judgedAgain[at] ?? judged;
    const obstacle = unplaced.get(judged);
    const remarks = filled.remarks.filter((each) => each.judged === judged);
    return {
      property,
      diagnostics: sortDiagnostics([
        ...(obstacle ? [obstacle] : []),
        ...(diagnosed.get(property) ?? []),
        ...remarks.map((each) => each.by),
      ]),
    };
  });
  const properties = told.map(({ property }) => property);
  // What was left out is known only now; it stands at the end.
  // In both spellings, because an earlier run may have used the other one.
  const names = new Set(filled.placed.flatMap(({ name, judged }) => [name, judged.name]));
  const text = host ? withoutDecided(filled.text, names) : filled.text + leftOut(properties);
  const aboutFiles = [...about, ...(host ? [] : unlistedTarget(work.target, out ?? "portal.yaml"))];
  // What several properties have in common is said once.
  const aboutProperties = [...new Set(told.flatMap((each) => each.diagnostics))];
  const diagnostics = sortDiagnostics([...aboutFiles, ...aboutProperties, ...filled.errors]);
  const written = filled.errors.length === 0 ? writeAll(work, text, filled.placed.length > 0) : [];
  const rows = told.map(rowOf);
  const isToStdout = out === undefined && host === undefined;
  const outcome = {
    command: "migrate",
    exit: hasErrors(diagnostics) ? EXIT.invalid : EXIT.done,
    diagnostics,
    files: files.map(({ file }) => file),
    more: {
      properties: rows.map(({ name, outcome, value, place, message }) => ({
        name,
        outcome,
        value: value ?? null,
        ...placeJson(place),
        message,
      })),
      written,
      ...(isToStdout && { yaml: text }),
    } satisfies Added<"migrate">,
  };
  const next = nextOf(work, written);
  const report = (paint: Styles) =>
    `${migrationText(rows, paint)}\n${problemsAbove(outcome, paint)}${endText(next)}`;
  const showsText = call.destinations.some(({ format }) => format === "text");
  if (isToStdout && showsText) io.stderr.write(report(call.paint));
  return {
    outcome,
    text: (paint) => (isToStdout ? text : report(paint)),
    ...pagesOf({ properties: rows, outcome, ...next }, [...aboutFiles, ...filled.errors]),
  };
}

/** Beside a property stands what is said of it on a page; a comment has all in one list. */
function pagesOf(
  page: MigrationPage,
  diagnostics: readonly Diagnostic[],
): Pick<Result, "markdown" | "html"> {
  return {
    markdown: async () =>
      (await import("../../report/markdown-migration.js")).markdownMigration(page),
    html: async (made) => {
      const { htmlMigration } = await import("../../report/html-migration.js");
      return htmlMigration({ ...page, outcome: { ...page.outcome, diagnostics } }, made);
    },
  };
}

/** A property, and all that is said of it. */
interface Told {
  readonly property: Judged;
  readonly diagnostics: readonly Diagnostic[];
}

/** What may be shown of it. */
function rowOf({ property, diagnostics }: Told) {
  const { name, outcome, value, message } = property;
  return {
    name,
    outcome,
    value: value === undefined ? undefined : shownValue(name, value),
    place: placeOfProperty(property),
    message,
    diagnostics,
  };
}

function nextOf({ out, host, target, portal }: Work, written: readonly string[]): Next {
  const ending = written.length === 0 ? "" : `Wrote ${written.map(oneLine).join(" and ")}.`;
  const file = host?.file ?? out;
  if (file === undefined) return { ending, steps: [] };
  if (!written.includes(file)) {
    return {
      ending: host ? `${ending} "${host.file}" is left as it is.`.trim() : ending,
      steps: [],
    };
  }
  const newest = catalog.versions.at(-1) ?? target;
  const isOlder = !host && compareVersions(target, newest) < 0;
  const isOpen = host ? !isPart(file) && !nodeAt(host.root, ["portal", "url"]) : !portal;
  const hasSignIn = host !== undefined && nodeAt(host.root, ["signIn"]) !== undefined;
  const missing = [
    ...(isOpen ? ["where the portal is, as portal.url"] : []),
    ...(hasSignIn || (host && isPart(file)) ? [] : ["how to sign in, as signIn"]),
  ];
  return { ending, steps: stepsFor(file, { missing, newest: isOlder ? newest : undefined }) };
}

/** The files written, as people name them. */
function writeAll(work: Work, text: string, hasMore: boolean): string[] {
  const { io, host, out, target } = work;
  if (host) {
    if (!hasMore || host.path === undefined) return [];
    replaceFile(host.path, host.file, host.mark + text, io);
    return [host.file];
  }
  if (out === undefined) return [];
  const path = resolve(io.cwd, out);
  writeNew(path, out, text, io);
  return [out, ...writeSchemaBeside(path, target, io)];
}
