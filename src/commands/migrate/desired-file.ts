// Writes migrated values as a desired-state file: a new one, or added to one that exists.
import { resolve } from "node:path";
import { ADVANCED, spellingsOf } from "../../catalog/catalog.js";
import { timeOf } from "../../cli/report-origin.js";
import { aboutFile, hasErrors, type Diagnostic } from "../../diagnostic.js";
import { check, type Checked } from "../../document/check/check.js";
import { edit, type Addition } from "../../document/edit/edit.js";
import { asLiteral, oneLine, yamlLines } from "../../document/edit/value.js";
import { readBytes, readSource } from "../../document/read/bytes.js";
import { desiredOf } from "../../document/read/desired.js";
import { placeOf } from "../../document/read/source.js";
import { entryAt, toJson, type Node } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { isEqual, printJson } from "../../lib/json.js";
import { markOf, sourceTextOf } from "../../lib/source-text.js";
import { counted } from "../../lib/text.js";
import { placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import { shownValue } from "../../migrate/known.js";
import type { PortalAddress } from "../../migrate/location.js";
import { wrap } from "../../report/text-layout.js";
import { schemaName } from "../write-schema.js";

/** The file before values are added. */
export interface Draft {
  readonly file: string;
  /** Undefined for a file that is printed. */
  readonly path: string | undefined;
  readonly text: string;
}

export interface ExistingFile extends Draft {
  readonly path: string;
  readonly root: Node;
  readonly target: string;
  readonly portalUrl: string | undefined;
  /** The byte order mark, which is not part of the text. */
  readonly mark: string;
}

export function readExisting(
  file: string,
  io: Io,
): ExistingFile | { readonly problems: readonly Diagnostic[] } {
  const reading = readSource({ file, cwd: io.cwd });
  const { root, diagnostics } = check(file, reading, io, { mayLackPortal: true });
  if (!reading.source || !root || hasErrors(diagnostics)) return { problems: diagnostics };
  const path = resolve(io.cwd, file);
  const desired = desiredOf(file, root);
  return {
    file,
    path,
    text: reading.source.text,
    root,
    target: desired.target.asked,
    portalUrl: desired.portal.url,
    mark: markOf(readBytes(path)),
  };
}

export interface NewFile {
  /** Undefined for a file that is printed. */
  readonly out: string | undefined;
  readonly oldFiles: readonly string[];
  readonly target: string;
  readonly portal: PortalAddress | undefined;
}

export function newDraft({ out, oldFiles, target, portal }: NewFile, io: Io): Draft {
  const names = oldFiles.map((file) => JSON.stringify(oneLine(file))).join(" and ");
  const day = timeOf(io).toISOString().slice(0, 10);
  const url = portal && `${portal.protocol}//${portal.host}${portal.context}/sharing/rest`;
  const lines = [
    `# yaml-language-server: $schema=./${schemaName(out ?? "-", target)}`,
    ...commented(
      `Migrated from ${names} on ${day}. Review each value before you apply it. ` +
        "Lintel manages only the settings in this file, and leaves all others as they are.",
    ),
    "",
    ...(url === undefined
      ? ["# portal:", "#   url: https://gis.example.com/portal/sharing/rest"]
      : ["portal:", `  url: ${JSON.stringify(url)}`]),
    `targetVersion: ${JSON.stringify(target)}`,
  ];
  const path = out === undefined ? undefined : resolve(io.cwd, out);
  return { file: out ?? "portal.yaml", path, text: `${lines.join("\n")}\n` };
}

export interface Filled {
  readonly text: string;
  /** The properties whose values were added. */
  readonly added: readonly Judged[];
  /** All properties; those that the check refuses have become invalid. */
  readonly properties: readonly Judged[];
  /** By name, other diagnostics of a property, at its place in the old file. */
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Errors of the file that come from no value. */
  readonly errors: readonly Diagnostic[];
}

/** Adds what passes the check. Values that the file has already stay as they are. */
export function addValues(
  draft: Draft | ExistingFile,
  properties: readonly Judged[],
  io: Io,
): Filled {
  const refused = new Map<string, Diagnostic>();
  const diagnostics = new Map<string, Diagnostic[]>();
  const same = new Set<string>();
  let values: Judged[] = [];
  for (const judged of properties.filter(({ outcome }) => outcome === "migrated")) {
    const obstacle = obstacleTo(draft, judged);
    if (obstacle === undefined) values.push(judged);
    else if (obstacle === "equal") same.add(judged.name);
    else diagnostics.set(judged.name, [obstacle]);
  }
  for (;;) {
    const text = edit(draft.text, values.map(additionOf));
    if (text === undefined) {
      const message = `"${draft.file}" cannot take ${counted(values.length, "value")}: it would be too large.`;
      const help = "Shorten the lists in a copy of the old file, and migrate that.";
      const errors = [aboutFile("file-too-large", draft.file, message, help)];
      return { text: draft.text, added: [], properties, diagnostics, errors };
    }
    const checked = checkText(draft, text, io);
    const found = checked.diagnostics.map((each) => ({ each, of: valueAt(each, checked, values) }));
    const errors = found.filter(({ each }) => each.severity === "error");
    for (const { each, of } of errors) if (of) refused.set(of.name, each);
    const left = values.filter(({ name }) => !refused.has(name));
    if (left.length === values.length) {
      for (const { each, of } of found) {
        if (of) diagnostics.set(of.name, [...(diagnostics.get(of.name) ?? []), moved(each, of)]);
      }
      return {
        text,
        added: values,
        properties: properties.map((judged) =>
          same.has(judged.name)
            ? {
                ...judged,
                outcome: "already-set",
                message: `"${judged.name}" has this value in "${draft.file}".`,
              }
            : judgedAgain(judged, refused, diagnostics),
        ),
        diagnostics,
        errors: errors.map(({ each }) => each),
      };
    }
    values = left;
  }
}

function judgedAgain(
  judged: Judged,
  refused: ReadonlyMap<string, Diagnostic>,
  diagnostics: ReadonlyMap<string, readonly Diagnostic[]>,
): Judged {
  const refusal = refused.get(judged.name);
  if (refusal) {
    return { ...judged, outcome: "invalid", message: refusal.message, help: refusal.help };
  }
  const error = diagnostics.get(judged.name)?.find(({ severity }) => severity === "error");
  return error ? { ...judged, outcome: "not-added", message: error.message } : judged;
}

/** Why a value cannot be added to an existing file; "equal" where the file has it already. */
function obstacleTo(draft: Draft | ExistingFile, judged: Judged): Diagnostic | "equal" | undefined {
  if (!("root" in draft)) return undefined;
  const { name, value = null } = judged;
  const place = placeOfProperty(judged);
  const there = spellingsOf(name)
    .map((spelling) => entryAt(draft.root, ["settings", ADVANCED, spelling]))
    .find((entry) => entry !== undefined);
  if (there) {
    if (isEqual(toJson(there.value) ?? null, value)) return "equal";
    const [own, kept] = [value, toJson(there.value) ?? null].map((each) =>
      oneLine(printJson(shownValue(name, each))).slice(0, 60),
    );
    const message = `"${name}" is ${own} in "${place.file}" and ${kept} in "${draft.file}". Lintel kept the latter.`;
    const help = `To use the old value, edit "${draft.file}".`;
    const related = [{ place: placeOf(there.key.span), message: "sets it" }];
    return { ...aboutFile("already-set", place.file, message, help), place, related };
  }
  if (edit(draft.text, [additionOf(judged)]) !== undefined) return undefined;
  const message = `"${name}" cannot be added to "${draft.file}": its settings are an alias, or leave no room.`;
  const lines = yamlLines(name, asLiteral(value)).slice(0, 20);
  const help = `Add it to the file yourself:\n  ${lines.join("\n  ")}`;
  return { ...aboutFile("no-room", place.file, message, help), place };
}

function additionOf(judged: Judged): Addition {
  const value = asLiteral(judged.value ?? null);
  return { add: ["settings", ADVANCED, judged.name], value, beside: spotIn(judged) };
}

/** "config.js:12" */
function spotIn(judged: Judged): string {
  const { file, line } = placeOfProperty(judged);
  return `${file.split(/[\\/]/).at(-1) ?? file}:${line}`;
}

function checkText({ file, path }: Draft, text: string, io: Io): Checked {
  const source = { ...sourceTextOf(file, text), path };
  return check(file, { source }, io, { mayLackPortal: true });
}

/** The added value that a diagnostic is about. */
function valueAt(
  { place, file }: Diagnostic,
  { root, file: own }: Checked,
  values: readonly Judged[],
): Judged | undefined {
  if (!root || !place || file !== own) return undefined;
  return values.find(({ name }) => {
    const entry = entryAt(root, ["settings", ADVANCED, name]);
    if (!entry) return false;
    const [first, last] = [placeOf(entry.key.span), placeOf(entry.value.span)];
    const isAfter =
      place.line > first.line || (place.line === first.line && place.column >= first.column);
    const isBefore =
      place.line < last.endLine || (place.line === last.endLine && place.column <= last.endColumn);
    return isAfter && isBefore;
  });
}

function moved(diagnostic: Diagnostic, judged: Judged): Diagnostic {
  const place = placeOfProperty(judged);
  return { ...diagnostic, file: place.file, place, related: [] };
}

/** Comments for the end of a new file: what a person has to decide or to check. */
export function openQuestions(properties: readonly Judged[]): string {
  const decide = properties.filter(({ outcome }) => /^(?:not-understood|invalid)$/.test(outcome));
  const checkLater = properties.filter(
    ({ outcome, help }) =>
      outcome === "needs-newer-target" || (outcome === "no-counterpart" && help),
  );
  const lines = [
    ...(decide.length > 0 ? ["", "# To decide:", ...decide.flatMap(questionLines)] : []),
    ...(checkLater.length > 0 ? ["", "# To check:", ...checkLater.flatMap(questionLines)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A known value is ready to be corrected and uncommented. */
function questionLines(judged: Judged): string[] {
  const { name, outcome, message, value } = judged;
  const spot = `${oneLine(name.slice(0, 100))} (${spotIn(judged)})`;
  const valueLines =
    value === undefined || value === null
      ? []
      : yamlLines(name, asLiteral(shownValue(name, value))).map((line) => `#     ${line}`);
  return [...commented(`${spot}, ${outcome}: ${message}`, "  "), ...valueLines];
}

function commented(text: string, indent = ""): string[] {
  return wrap(oneLine(text), 94 - indent.length).map((line) => `# ${indent}${line}`);
}
