// lintel migrate: old configuration files → a desired-state file, and what became of each property.
import type { Call, Result, Run, Words } from "../command.js";
import { NETWORK } from "../options.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../../diagnostic.js";
import { isPart } from "../../document/check/check.js";
import { nodeAt } from "../../document/read/tree.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { diagnoseFiles, diagnoseProperty, placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import { shownValue } from "../../migrate/known.js";
import { readPortalAddress, type PortalAddress } from "../../migrate/location.js";
import { migrate, type Migration, type OldFile } from "../../migrate/migrate.js";
import { migrationText } from "../../report/text/migration.js";
import { checkText as problemsText } from "../../report/text/diagnostic.js";
import { type Paint } from "../../report/text/paint.js";
import { oneLine } from "../../text.js";
import { leftOut, newDraft, readDraft, type Into } from "./draft.js";
import { commentsFor, fill, type Written } from "./migrated-file.js";
import { withoutDecided } from "./decided.js";
import { besides } from "./into.js";
import { keepCopies } from "./keep-copies.js";
import { unlistedTarget } from "../result/unlisted-target.js";
import { isAddress, readOldFile } from "./old-file.js";
import { alreadyThere, replaceFile, writeNew } from "../result/write-file.js";
import { writeSchemaBeside } from "../result/write-schema.js";
import { shellWord } from "../../text.js";

export const words = {
  operands: "FILE…",
  options: {
    target: {
      value: "VERSION",
      offers: catalog.versions,
      meaning: "The portal's version now; that of the file with --into.",
    },
    "portal-url": { value: "URL", meaning: "The portal's address, for values that depend on it." },
    all: { meaning: "Take over values that portals were shipped with, too." },
    names: {
      value: "WHICH",
      values: ["file", "reference"],
      default: "file",
      meaning: "How to spell properties that have two spellings.",
    },
    out: { value: "FILE", meaning: "Write a new desired-state file, and its schema beside it." },
    into: { value: "FILE", meaning: "Add to a desired-state file that is there." },
    backup: { value: "DIR", meaning: "Keep a copy of the original in this folder." },
    ...NETWORK,
  },
  formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel migrate config.js --target 11.0 --out portal.yaml", "a new file to review"],
    ["lintel migrate config.js --into portal.yaml --backup old", "adds to one that is there"],
    [
      "lintel migrate https://gis.example.com/portal --target 11.0",
      "reads it from the portal, and prints the YAML",
    ],
    ["lintel migrate config.js overrides.js --target 11.0", "the second changes the first"],
  ],
} as const satisfies Words;

type Called = Call<typeof words.options>;

export const run: Run<typeof words.options> = async (io, call) => {
  if (call.operands.length === 0) {
    throw wrongUsage(
      "No old configuration file is named.",
      "Name the file, the folder that it lies in, or the portal's address:\n  lintel migrate config.js --target 11.0 --out portal.yaml",
    );
  }
  const [out, into] = [call.options.out, call.options.into];
  if (out !== undefined && into !== undefined) {
    throw wrongUsage(
      'Both "--out" and "--into" are given.',
      'Keep "--out" for a new file, or "--into" for one that is there.',
    );
  }
  if (out !== undefined && existsSync(resolve(io.cwd, out))) {
    const old = call.operands.map(shellWord).join(" ");
    throw alreadyThere(
      out,
      `, name another file, or add to this one:\n  lintel migrate ${old} --into ${shellWord(out)}`,
    );
  }
  const host = into === undefined ? undefined : readDraft(into, io);
  if (host && "problems" in host) return problems(host.problems, [into ?? ""]);
  const target = targetOf(call, host);
  const portal = portalOf(call);

  const readings = [];
  for (const named of call.operands) readings.push(await readOldFile(named, io, call));
  const missed = readings.flatMap((each) => ("problem" in each ? [each.problem] : []));
  if (missed.length > 0) return problems(missed, call.operands);
  const files = readings.flatMap((each) => ("old" in each ? [each.old] : []));

  const takesAll = call.options.all;
  const migration = migrate(files, { target, takesAll, portal });
  const about = diagnoseFiles(migration);
  if (hasErrors(about)) {
    return problems(
      about,
      files.map(({ file }) => file),
    );
  }
  return finish({ io, call, files, migration, about, target, portal, host, out });
};

interface Work {
  readonly io: Io;
  readonly call: Called;
  readonly files: readonly OldFile[];
  readonly migration: Migration;
  /** What is to be said of the files as a whole. */
  readonly about: readonly Diagnostic[];
  readonly target: string;
  readonly portal: PortalAddress | undefined;
  readonly host: Into | undefined;
  readonly out: string | undefined;
}

function finish(work: Work): Result {
  const { io, call, files, migration, about, host, out } = work;
  const isReference = call.options.names === "reference";
  const wanted = migration.properties
    .filter(({ outcome }) => outcome === "migrated")
    .map((judged): Written => ({
      judged,
      name: isReference ? (judged.counterpart?.inReference ?? judged.name) : judged.name,
      above: commentsFor(judged, migration),
    }));
  const { added, said, unplaced } = host
    ? besides(wanted, host)
    : { added: wanted, said: [], unplaced: new Map<Judged, string>() };
  const filled = fill((hasValues) => host ?? newDraft(work, hasValues, out), added, io);
  const properties = migration.properties.map((judged) => {
    const refusal = filled.refused.find((each) => each.judged === judged)?.by;
    if (refusal) return invalidBy(judged, refusal);
    const message = unplaced.get(judged);
    return message === undefined ? judged : { ...judged, message };
  });
  // What was left out is known only now; it stands at the end.
  const text = host
    ? withoutDecided(filled.text, namesOf(added))
    : filled.text + leftOut(properties);
  const diagnostics = sortDiagnostics([
    ...about,
    ...(host ? [] : unlistedTarget(work.target, out ?? "portal.yaml")),
    ...said,
    ...properties.flatMap(diagnoseProperty),
    ...filled.remarks,
    ...filled.errors,
  ]);
  const isWritten = filled.errors.length === 0;
  const written = isWritten ? writeAll(work, text, added.length > 0) : [];
  const rows = properties.map((judged) => ({ ...judged, place: placeOfProperty(judged) }));
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
        value: value === undefined ? null : shownValue(name, value),
        file: place.file,
        line: place.line,
        column: place.column,
        message,
      })),
      written,
      ...(isToStdout && { yaml: text }),
    },
  };
  const report = (paint: Paint) =>
    [
      `${migrationText(rows, paint)}\n`,
      diagnostics.length > 0 ? `${problemsText(outcome, paint)}\n` : "",
      nextText(work, written),
    ].join("");
  const showsText = call.destinations.some(({ format }) => format === "text");
  if (isToStdout && showsText) io.stderr.write(report(call.paint));
  return {
    outcome,
    text: (paint) => (isToStdout ? text : report(paint)),
    html: async (made) => {
      const { htmlMigration } = await import("../../report/html/migration.js");
      return htmlMigration(rows, outcome, made);
    },
  };
}

/** In both spellings, because an earlier run may have used the other one. */
function namesOf(added: readonly Written[]): ReadonlySet<string> {
  return new Set(added.flatMap(({ name, judged }) => [name, judged.name]));
}

function nextText({ out, host, target, portal }: Work, written: readonly string[]): string {
  if (written.length === 0) return host ? `"${host.file}" is left as it is.\n` : "";
  const file = host?.file ?? out ?? "";
  const newest = catalog.versions.at(-1) ?? target;
  const isOlder = !host && compareVersions(target, newest) < 0;
  const isOpen = host ? !isPart(file) && !nodeAt(host.root, ["portal", "url"]) : !portal;
  const hasSignIn = host !== undefined && nodeAt(host.root, ["signIn"]) !== undefined;
  const missing = [
    ...(isOpen ? ["where the portal is, as portal.url"] : []),
    ...(hasSignIn || (host && isPart(file)) ? [] : ["how to sign in, as signIn"]),
  ];
  const first = missing.length > 0 ? `write ${missing.join(", and ")}; ` : "";
  return `Wrote ${written.map(oneLine).join(" and ")}.\n\nNext: ${first}look at each value, then run:\n  lintel validate ${oneLine(shellWord(file))}${isOlder ? `\nTo see what a newer target changes:\n  lintel upgrade ${oneLine(shellWord(file))} --to ${newest}` : ""}\n`;
}

function invalidBy(judged: Judged, { message, help }: Diagnostic): Judged {
  return { ...judged, outcome: "invalid", message, help };
}

/** The files written, as people name them; the copy of the original first, so that it is safe before anything else. */
function writeAll(
  { io, call, files, host, out, target }: Work,
  text: string,
  hasMore: boolean,
): string[] {
  const written: string[] = [];
  const backup = call.options.backup;
  if (backup !== undefined) written.push(...keepCopies(files, backup, io.cwd));
  if (host) {
    if (!hasMore || host.path === undefined) return written;
    replaceFile(host.path, host.file, host.mark + text);
    return [...written, host.file];
  }
  if (out === undefined) return written;
  const path = resolve(io.cwd, out);
  writeNew(path, out, text);
  return [...written, out, ...writeSchemaBeside(path, target, io)];
}

function targetOf(call: Called, host: Into | undefined): string {
  const asked = call.options.target;
  if (asked !== undefined && !knownVersion(asked)) {
    throw wrongUsage(
      `"${asked}" is no version that the reference lists, nor a later one.`,
      "Say which version the portal has now, such as:\n  --target 11.0",
    );
  }
  if (host) {
    if (asked === undefined || asked === host.target) return host.target;
    throw wrongUsage(
      `"${host.file}" has the target ${host.target}, and "--target" says ${asked}.`,
      `Leave "--target" out, or change the file first:\n  lintel upgrade ${shellWord(host.file)} --to ${asked} --write`,
    );
  }
  if (asked !== undefined) return asked;
  throw wrongUsage(
    'The option "--target" is missing.',
    "Say which version the portal has now, such as:\n  --target 11.0",
  );
}

/** Where a file is read from the portal itself, that is where the portal is. */
function portalOf(call: Called): PortalAddress | undefined {
  const asked = call.options["portal-url"];
  if (asked !== undefined) {
    const portal = readPortalAddress(asked);
    if (portal) return portal;
    throw wrongUsage(
      `"${asked}" is no value of "--portal-url".`,
      "Write the whole address of the portal, such as:\n  --portal-url https://gis.example.com/portal",
    );
  }
  const address = call.operands
    .find(isAddress)
    ?.replace(/\/js\/(?:esri\/)?arcgisonline\/config\.js$/, "");
  return address === undefined ? undefined : readPortalAddress(address);
}

function problems(diagnostics: readonly Diagnostic[], files: readonly string[]): Result {
  const outcome = {
    command: "migrate",
    exit: EXIT.invalid,
    diagnostics: sortDiagnostics(diagnostics),
    files,
    more: { properties: [], written: [] },
  };
  return { outcome, text: (paint) => problemsText(outcome, paint) };
}
