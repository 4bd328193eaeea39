// lintel migrate: converts old configuration files to a desired-state file, and reports each property.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  ADVANCED,
  catalog,
  findParameter,
  isIntroduced,
  knownVersion,
} from "../../catalog/catalog.js";
import { checkResult, placeJson, problemsAbove } from "../../cli/result.js";
import { alreadyThere, replaceFile, writeNew } from "../../cli/write-file.js";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../../diagnostic.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { oneLine, shellWord } from "../../lib/text.js";
import { diagnoseFiles, diagnoseProperties, placeOfProperty } from "../../migrate/diagnose.js";
import { shownValue } from "../../migrate/known.js";
import { readPortalAddress, type PortalAddress } from "../../migrate/location.js";
import { migrate } from "../../migrate/migrate.js";
import type { Styles } from "../../report/styles.js";
import { endText, migrationText, type Next } from "../../report/migration-report.js";
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import type { Added } from "../documents.js";
import { NETWORK } from "../options.js";
import { unlistedTargetOf } from "../../document/check/desired-state.js";
import { writeSchemaBeside } from "../write-schema.js";
import {
  addValues,
  newDraft,
  openQuestions,
  readExisting,
  type ExistingFile,
  type Filled,
} from "./desired-file.js";
import { isAddress, readOldFile } from "./old-file.js";

export const spec = {
  operands: "FILE…",
  options: {
    target: {
      value: "VERSION",
      offers: catalog.versions,
      description: "Portal version, optional with --into.",
    },
    "portal-url": {
      value: "URL",
      description: "Old portal's address, if config.js depends on it.",
    },
    all: { description: "Include values that equal the vendor's defaults." },
    out: {
      value: "FILE",
      description: "Write a new desired-state file and schema.",
    },
    into: { value: "FILE", description: "Add to an existing desired-state file." },
    ...NETWORK,
  },
  formats: ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel migrate config.js --target 11.0", "print the YAML"],
    ["lintel migrate config.js --target 11.0 --out portal.yaml", "write a new file to review"],
    ["lintel migrate config.js --into portal.yaml", "add to an existing file"],
    ["lintel migrate https://gis.example.com/portal --target 11.0", "read it from the portal"],
    ["lintel migrate config.js overrides.js --target 11.0", "read two files, in this order"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  if (call.operands.length === 0) {
    throw wrongUsage(
      "No old configuration file is named.",
      "Name the file, the folder that it lies in, or the portal's address:\n  lintel migrate config.js --target 11.0 --out portal.yaml",
    );
  }
  const { out, into, all: takesAll } = call.options;
  if (out !== undefined && into !== undefined) {
    throw wrongUsage(
      'Both "--out" and "--into" are given.',
      'Keep "--out" for a new file, or "--into" for an existing one.',
    );
  }
  if (out !== undefined && existsSync(resolve(io.cwd, out))) {
    const old = call.operands.map(shellWord).join(" ");
    throw alreadyThere(
      out,
      `, name another file, or add to this one:\n  lintel migrate ${old} --into ${shellWord(out)}`,
    );
  }
  const existing = into === undefined ? undefined : readExisting(into, io);
  if (existing && "problems" in existing) return problems(existing.problems, [into ?? ""]);
  const target = targetOf(call, existing);
  const portal = portalOf(call, existing);

  const readings = [];
  for (const named of call.operands) readings.push(await readOldFile(named, io, call));
  const unread = readings.flatMap((each) => ("problem" in each ? [each.problem] : []));
  if (unread.length > 0) return problems(unread, call.operands);
  const files = readings.flatMap((each) => ("old" in each ? [each.old] : []));
  const oldFiles = files.map(({ file }) => file);

  const migration = await migrate(files, { target, takesAll, portal, signal: io.signal });
  const aboutOldFiles = diagnoseFiles(migration, portal);
  if (hasErrors(aboutOldFiles)) return problems(aboutOldFiles, oldFiles);

  const draft = existing ?? newDraft({ out, oldFiles, target, portal }, io);
  const filled = addValues(draft, migration.properties, io);
  const text = existing ? filled.text : filled.text + openQuestions(filled.properties);
  const destination = { existing, out, target, portal };
  const mayWrite = filled.errors.length === 0 && (!existing || filled.added.length > 0);
  const written = mayWrite ? write(destination, text, io) : [];
  const aboutFiles = [
    ...aboutOldFiles,
    ...(existing ? [] : unlistedTargetOf(target, draft.file)),
    ...filled.errors,
  ];
  const next = nextOf(destination, written);
  const isPrinted = out === undefined && existing === undefined;
  const yaml = isPrinted ? text : undefined;
  const { text: report, ...result } = resultOf({
    oldFiles,
    filled,
    aboutFiles,
    written,
    next,
    yaml,
  });
  if (yaml === undefined) return { ...result, text: report };
  const isTextAsked = call.destinations.some(({ format }) => format === "text");
  if (isTextAsked) io.stderr.write(report(call.styles));
  return { ...result, text: () => yaml };
};

interface Migrated {
  readonly oldFiles: readonly string[];
  readonly filled: Filled;
  /** Diagnostics that are about no property. */
  readonly aboutFiles: readonly Diagnostic[];
  readonly written: readonly string[];
  readonly next: Next;
  /** The desired-state file, where it is printed. */
  readonly yaml: string | undefined;
}

function resultOf({ oldFiles, filled, aboutFiles, written, next, yaml }: Migrated) {
  const byProperty = diagnoseProperties(filled.properties);
  const rows = filled.properties.map((judged) => ({
    name: judged.name,
    outcome: judged.outcome,
    message: judged.message,
    value: judged.value === undefined ? undefined : shownValue(judged.name, judged.value),
    place: placeOfProperty(judged),
    diagnostics: sortDiagnostics([
      ...(byProperty.get(judged) ?? []),
      ...(filled.diagnostics.get(judged.name) ?? []),
    ]),
  }));
  // Properties with one cause share a diagnostic.
  const aboutProperties = new Set(rows.flatMap((row) => row.diagnostics));
  const diagnostics = sortDiagnostics([...aboutFiles, ...aboutProperties]);
  const properties = rows.map(({ name, outcome, value = null, place, message }) => ({
    name,
    outcome,
    value,
    ...placeJson(place),
    message,
  }));
  const outcome = {
    command: "migrate",
    exit: hasErrors(diagnostics) ? EXIT.invalid : EXIT.done,
    diagnostics,
    files: oldFiles,
    more: {
      properties,
      written,
      ...(yaml !== undefined && { yaml }),
    } satisfies Added<"migrate">,
  };
  const page = { properties: rows, outcome, ...next };
  return {
    outcome,
    ...(yaml === undefined && { quiet: (styles: Styles) => problemsAbove(outcome, styles) }),
    text: (styles) =>
      `${migrationText(rows, styles)}\n${problemsAbove(outcome, styles)}${endText(next)}`,
    markdown: async () =>
      (await import("../../report/markdown-migration.js")).markdownMigration(page),
  } satisfies Result;
}

function targetOf(call: Arguments, existing: ExistingFile | undefined): string {
  const asked = call.options.target;
  if (asked !== undefined && !knownVersion(asked)) {
    throw wrongUsage(
      `"${asked}" is not a known version.`,
      "Name the version that the portal has now, such as:\n  --target 11.0",
    );
  }
  const first = findParameter(ADVANCED)?.introduced;
  if (asked !== undefined && first !== undefined && !isIntroduced({ introduced: first }, asked)) {
    throw wrongUsage(
      `Portals of version ${asked} have no such settings.`,
      `Name the version that the portal is upgraded to, ${first} or later:\n  --target ${first}`,
    );
  }
  if (existing) {
    if (asked === undefined || asked === existing.target) return existing.target;
    throw wrongUsage(
      `"${existing.file}" has the target ${existing.target}, and "--target" is ${asked}.`,
      `Leave "--target" out, or change the file first:\n  lintel upgrade ${shellWord(existing.file)} --to ${asked} --write`,
    );
  }
  if (asked !== undefined) return asked;
  throw wrongUsage(
    'The option "--target" is missing.',
    "Name the version that the portal has now, such as:\n  --target 11.0",
  );
}

/** The file that values are added to has the portal's address, and so has an old file that is read from the portal. */
function portalOf(call: Arguments, existing: ExistingFile | undefined): PortalAddress | undefined {
  const asked = call.options["portal-url"];
  const known = existing?.portalUrl ?? call.operands.find(isAddress) ?? "";
  const portal = readPortalAddress(asked ?? known);
  if (portal || asked === undefined) return portal;
  throw wrongUsage(
    `"${asked}" is not a portal address.`,
    "Write the whole address of the portal, such as:\n  --portal-url https://gis.example.com/portal",
  );
}

function problems(diagnostics: readonly Diagnostic[], files: readonly string[]): Result {
  const result = checkResult("migrate", files, sortDiagnostics(diagnostics));
  const more = { properties: [], written: [] };
  return { ...result, outcome: { ...result.outcome, exit: EXIT.invalid, more } };
}

interface Destination {
  readonly existing: ExistingFile | undefined;
  readonly out: string | undefined;
  readonly target: string;
  readonly portal: PortalAddress | undefined;
}

/** Returns the names of the files written. */
function write({ existing, out, target }: Destination, text: string, io: Io): string[] {
  if (existing) {
    replaceFile(existing.path, existing.file, existing.mark + text, io);
    return [existing.file];
  }
  if (out === undefined) return [];
  const path = resolve(io.cwd, out);
  writeNew(path, out, text, io);
  return [out, ...writeSchemaBeside(path, target, io)];
}

function nextOf({ existing, out, portal }: Destination, written: readonly string[]): Next {
  const file = existing?.file ?? out;
  if (file === undefined) return { ending: "", steps: [] };
  if (written.length === 0) return { ending: `"${file}" is unchanged.`, steps: [] };
  const command = `lintel validate ${oneLine(shellWord(file))}`;
  return {
    ending: `Wrote ${written.map(oneLine).join(" and ")}.`,
    steps: [
      {
        text: existing
          ? "review each value, then run:"
          : `set ${portal ? "" : "portal.url and "}signIn in the file, review each value, then run:`,
        command,
      },
    ],
  };
}
