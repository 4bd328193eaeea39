// lintel upgrade: a file and a newer target → what changes for it there, and with --write the file with that target.
import type { CommandSpec, ParsedArguments, Run } from "../command.js";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { hasErrors, type Diagnostic, type Place } from "../../diagnostic.js";
import { check } from "../../document/check/check.js";
import { findFiles } from "../../document/find.js";
import { retarget, schemaLine } from "../../document/edit/retarget.js";
import { placeOf, type Source } from "../../document/read/source.js";
import { lineStartsOf, markOf } from "../../lib/source-text.js";
import { readBytes, readSource } from "../../document/read/bytes.js";
import { nodeAt, toJson, type Node } from "../../document/read/tree.js";
import { EXIT, Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Added } from "../documents.js";
import { checkText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import { type Upgrade, upgradeText } from "../../report/upgrade-report.js";
import { checkResult, placeJson } from "../../cli/result.js";
import { writeSchema } from "../write-schema.js";
import { changesBetween, introducedOf, leftBehind, usedIn } from "./changes.js";
import { unlistedTarget } from "../unlisted-target.js";
import { replaceFile } from "../../cli/write-file.js";
import { shellWord } from "../../lib/text.js";

/** A new target changes nothing of where the portal is. */
const ANYWHERE = { mayLackPortal: true };

export const spec = {
  operands: "[FILE]",
  options: {
    to: { value: "VERSION", offers: catalog.versions, description: "New target version." },
    write: { description: "Update targetVersion and schema in the file." },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel upgrade portal.yaml --to 12.1", "show what changes"],
    ["lintel upgrade portal.yaml --to 12.1 --write", "change the file"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const to = targetOf(call);
  const [file = "", second] = await findFiles(call.operands, io.cwd);
  if (second !== undefined || file === "-") {
    throw wrongUsage(
      file === "-"
        ? "Standard input cannot be changed."
        : "More than one file is meant, and this command is about one.",
      "Name one file:\n  lintel upgrade portal.yaml --to 11.5",
    );
  }
  const reading = readSource({ file, cwd: io.cwd });
  const before = check(file, reading, io, ANYWHERE);
  const { source } = reading;
  // What a newer target mends is no reason not to go there.
  const blocking = before.diagnostics.filter(
    ({ code }) => code !== "introduced-later" && code !== "advanced-unavailable",
  );
  if (!source || !before.root || hasErrors(blocking)) {
    return checkResult("upgrade", [file], before.diagnostics);
  }
  const from = presentTarget(file, before.root);
  if (compareVersions(to, from.version) < 0) throw tooOld(to, from.version, before.root);

  const text = from.isOwn ? retarget(source.text, to) : undefined;
  const schema = schemaLine(source.text, to);
  const upgrade: Upgrade = {
    file,
    from: from.version,
    to,
    target: from.place,
    isOwn: from.isOwn,
    ...changesBetween(before.root, from.version, to),
    schema,
    written: call.options.write ? write({ file, to, schema }, from, text, io) : [],
  };
  const diagnostics = [
    ...unlistedTarget(to, file),
    ...leftBehind(upgrade, before.root, from.node),
    ...errorsOf(file, source, text, io),
  ];
  const outcome = {
    command: "upgrade",
    exit: hasErrors(diagnostics) ? EXIT.invalid : EXIT.done,
    diagnostics,
    files: [file],
    more: {
      from: from.version,
      to,
      targetVersion: placeJson(from.place),
      deprecated: upgrade.deprecated.map(({ name, since, place }) => {
        return { name, since, ...placeJson(place) };
      }),
      available: upgrade.available.map(({ name, since, deprecated = null }) => {
        return { name, since, deprecated };
      }),
      changed: upgrade.changed,
      written: upgrade.written,
    } satisfies Added<"upgrade">,
  };
  const problems = (paint: Styles) =>
    diagnostics.length > 0 ? `\n${checkText(outcome, paint)}` : "";
  return { outcome, text: (paint) => upgradeText(upgrade, paint) + problems(paint) };
};

function targetOf({ options: { to } }: ParsedArguments<typeof spec.options>): string {
  if (to === undefined) {
    throw wrongUsage(
      'The option "--to" is missing.',
      `Name the new version:\n  lintel upgrade portal.yaml --to ${catalog.versions.at(-1)}`,
    );
  }
  if (knownVersion(to)) return to;
  throw wrongUsage(
    `"${to}" is no version that the reference lists, nor a later one.`,
    `Listed: ${catalog.versions.join(", ")}.`,
  );
}

/** The targetVersion that the file has. */
interface Present {
  readonly version: string;
  readonly node: Node;
  readonly place: Place;
  /** It stands in the file itself, and not in one that it extends. */
  readonly isOwn: boolean;
}

function presentTarget(file: string, root: Node): Present {
  const node = nodeAt(root, ["targetVersion"]);
  const version = node && toJson(node);
  if (!node || typeof version !== "string") {
    throw new Failure(
      "file-incomplete",
      `"${file}" has no targetVersion.`,
      "Name the file that has it; a part may leave it to others.",
    );
  }
  const isOwn = node.span.source.extendedAt === undefined;
  return { version, node, place: placeOf(node.span), isOwn };
}

/** What would be lost is what the older version does not have. */
function tooOld(to: string, from: string, root: Node): Failure {
  const lost = usedIn(root)
    .filter(({ setting }) => compareVersions(introducedOf(setting), to) > 0)
    .map(({ name, setting }) => `  ${name} (from ${introducedOf(setting)} on)`);
  return new Failure(
    "wrong-usage",
    `The file has the target ${from}, and ${to} is older.`,
    lost.length > 0
      ? `A portal of that version does not know these settings of the file:\n${lost.join("\n")}`
      : "A file follows its portal to newer versions. If the target was wrong, change targetVersion by hand.",
  );
}

/** The file as it would be is checked; nothing is known where its target cannot be changed in it. */
function errorsOf(file: string, source: Source, text: string | undefined, io: Io): Diagnostic[] {
  if (text === undefined) return [];
  const next = { source: { ...source, text, lineStarts: lineStartsOf(text) } };
  return check(file, next, io, ANYWHERE).diagnostics.filter(({ severity }) => severity === "error");
}

/** Without a text where the file's target cannot be changed in it. */
function write(
  { file, to, schema }: Pick<Upgrade, "file" | "to" | "schema">,
  from: Present,
  text: string | undefined,
  io: Io,
): string[] {
  if (!from.isOwn) {
    const { file: base, line } = from.place;
    throw new Failure(
      "file-incomplete",
      `The targetVersion of "${file}" stands in "${base}", line ${line}, and may be that of other files too.`,
      `Change it there:\n  lintel upgrade ${shellWord(base)} --to ${to} --write`,
    );
  }
  if (to === from.version && !schema) return [];
  if (text === undefined) {
    throw new Failure(
      "file-incomplete",
      `The targetVersion of "${file}" is no text of its own: it comes through an alias or a reference, or others come from it.`,
      `Change it by hand:\n  targetVersion: "${to}"`,
    );
  }
  const path = resolve(io.cwd, file);
  replaceFile(path, file, markOf(readBytes(path)) + text, io);
  // Where the old schema lies on this disk, the new one belongs beside it.
  const isLocal = schema && !/^[a-z]+:/i.test(schema.from);
  if (!isLocal || !existsSync(join(dirname(path), schema.from))) return [file];
  return [file, ...writeSchema(join(dirname(path), schema.to), to, io)];
}
