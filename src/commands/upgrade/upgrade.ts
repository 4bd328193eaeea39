// lintel upgrade: shows what a newer target changes for files, and writes it with --write.
import type { CommandSpec, ParsedArguments, Run } from "../command.js";
import { FLEET } from "../options.js";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import type { Member } from "../../apply/portal-context.js";
import { pickPortals } from "../../cli/pick-portals.js";
import { resultOfOneOrMany, type Part } from "../../cli/portal-parts.js";
import { acrossFiles, hasErrors, type Diagnostic, type Place } from "../../diagnostic.js";
import { check } from "../../document/check/check.js";
import { edit } from "../../document/edit/edit.js";
import { findFiles, foldersAmong } from "../../document/find.js";
import { retarget, schemaLine } from "../../document/edit/retarget.js";
import { placeOf, type Source } from "../../document/read/source.js";
import { lineStartsOf, markOf } from "../../lib/source-text.js";
import { readBytes, readSource } from "../../document/read/bytes.js";
import { nameFor } from "../../document/read/references.js";
import { nodeAt, textOf, toJson, type Node } from "../../document/read/tree.js";
import { caught, Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { outcomeOfCheck } from "../../outcome.js";
import type { UpgradeFacts } from "../documents.js";
import { othersTaking, realPathIn } from "../extending.js";
import { checkText, failureText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import { type Upgrade, upgradeText } from "../../report/upgrade-report.js";
import { placeJson } from "../../cli/result.js";
import { writeSchema } from "../write-schema.js";
import { changesBetween, introducedOf, leftBehind, usedIn } from "./changes.js";
import { unlistedTargetOf } from "../../document/check/desired-state.js";
import { replaceFile } from "../../cli/write-file.js";
import { oneLine, shellWord, someOf } from "../../lib/text.js";

/** A new target changes nothing of where the portal is. */
const ANYWHERE = { mayLackPortal: true };

export const spec = {
  operands: "[FILE…]",
  options: {
    to: { value: "VERSION", offers: catalog.versions, description: "New target version." },
    write: { description: "Change targetVersion in the file, write the schema." },
    only: FLEET.only,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel upgrade portal.yaml --to 12.1", "show what changes"],
    ["lintel upgrade portal.yaml --to 12.1 --write", "change the file"],
    ["lintel upgrade portals --to 12.1 --write", "change files and their bases"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const to = targetOf(call);
  const files = await pickPortals(await findFiles(call.operands, io.cwd), call.options.only, io);
  if (files.includes("-")) {
    const help = "Name a file:\n  lintel upgrade portal.yaml --to 12.1";
    throw wrongUsage("Standard input cannot be changed.", help);
  }
  const isMany = files.length > 1;
  const inspected = files.map((file) => inspect(file, { to, isMany }, io));
  const members = call.options.write ? await writeAll(inspected, to, io) : inspected;
  const result = resultOfOneOrMany(
    members.map(({ value, ...member }): Member<Part> => {
      return { ...member, ...(value && { value: partOf(value, isMany) }) };
    }),
    {
      command: "upgrade",
      files,
      folders: foldersAmong(call.operands, files, io.cwd),
      diagnostics: acrossFiles(
        members.map(({ diagnostics, value }) => value?.diagnostics ?? diagnostics),
      ),
    },
  );
  const isDone = members.every(({ value }) => !value || value.upgrade.from === to);
  if (!isMany || call.options.write || isDone) return result;
  const only = call.options.only.map((each) => `--only ${shellWord(each)}`);
  const words = [...call.operands.map(shellWord), "--to", to, ...only, "--write"].join(" ");
  const next = `\nTo change the files and their bases:\n  lintel upgrade ${words}\n`;
  return { ...result, text: (styles) => result.text(styles) + next };
};

interface Asked {
  readonly to: string;
  readonly isMany: boolean;
}

/** What a newer target changes for a file. */
interface Inspected {
  readonly upgrade: Upgrade;
  readonly from: Present;
  /** With the new target; undefined where the file's target cannot be changed in it. */
  readonly text: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function inspect(file: string, { to, isMany }: Asked, io: Io): Member<Inspected> {
  const reading = readSource({ file, cwd: io.cwd });
  const { root, diagnostics } = check(file, reading, io, ANYWHERE);
  const name = (root && textOf(nodeAt(root, ["portal", "name"]))) ?? nameFor(file);
  const member = { file, portal: { name, url: "", id: "self" }, diagnostics };
  // What a newer target mends is no reason not to go there.
  const blocking = diagnostics.filter(
    ({ code }) => code !== "introduced-later" && code !== "advanced-unavailable",
  );
  try {
    if (!reading.source || !root || hasErrors(blocking)) {
      throw new Failure("file-invalid", `"${file}" contains errors.`);
    }
    const present = { file, source: reading.source, root };
    return { ...member, value: changesOf(present, { to, isMany }, io) };
  } catch (error) {
    return { ...member, failure: caught(error, io) };
  }
}

function changesOf(
  { file, source, root }: { readonly file: string; readonly source: Source; readonly root: Node },
  { to, isMany }: Asked,
  io: Io,
): Inspected {
  const from = presentTarget(file, root);
  if (compareVersions(to, from.version) < 0) throw tooOld(to, from.version, root);
  const schema = schemaLine(source.text, to);
  // Where the target stands in a base, only the editor's line stands here.
  const ownLine = schema && [{ start: schema.start, end: schema.end, text: schema.to }];
  const text = from.isOwn ? retarget(source.text, to) : ownLine && edit(source.text, ownLine);
  const upgrade: Upgrade = {
    file,
    from: from.version,
    to,
    target: from.place,
    isOwn: from.isOwn,
    ...changesBetween(root, from.version, to),
    schema,
    written: [],
  };
  const diagnostics = [
    ...unlistedTargetOf(to, file),
    ...leftBehind(upgrade, { root, target: from.node, isMany }),
    ...(from.isOwn ? errorsOf(file, source, text, io) : []),
  ];
  return { upgrade, from, text, diagnostics };
}

function partOf({ upgrade, diagnostics }: Inspected, isOneOfMany: boolean): Part {
  const { from, to, target, deprecated, available, changed, written } = upgrade;
  const outcome = outcomeOfCheck("upgrade", [upgrade.file], diagnostics);
  const problems = (styles: Styles) => {
    if (!isOneOfMany) return diagnostics.length > 0 ? `\n${checkText(outcome, styles)}` : "";
    // The errors of many files stand above. Without a place, equal warnings are printed once.
    const others = diagnostics.filter((each) => !isError(each));
    return others.map((each) => `\n${failureText(each, styles, each.severity)}`).join("");
  };
  return {
    exit: outcome.exit,
    json: {
      from,
      to,
      targetVersion: placeJson(target),
      deprecated: deprecated.map(({ name, since, place }) => {
        return { name, since, ...placeJson(place) };
      }),
      available: available.map(({ name, since, deprecated = null }) => {
        return { name, since, deprecated };
      }),
      changed,
      written,
    } satisfies UpgradeFacts,
    text: (styles) => upgradeText(upgrade, styles, isOneOfMany) + problems(styles),
  };
}

type Members = readonly Member<Inspected>[];

/** A base is written before the first file that takes its target from there. */
async function writeAll(members: Members, to: string, io: Io): Promise<Member<Inspected>[]> {
  const bases = new Map<string, Promise<readonly string[]>>();
  const baseOf = (base: string) => {
    const key = realPathIn(base, io);
    const written = bases.get(key) ?? writeBase(base, members, to, io);
    bases.set(key, written);
    return written;
  };
  const ended: Member<Inspected>[] = [];
  for (const { value, ...member } of members) {
    try {
      ended.push(value ? { ...member, value: await writeOne(value, baseOf, io) } : member);
    } catch (error) {
      ended.push({ ...member, failure: caught(error, io) });
    }
  }
  return ended;
}

async function writeOne(
  value: Inspected,
  baseOf: (base: string) => Promise<readonly string[]>,
  io: Io,
): Promise<Inspected> {
  const { upgrade, from, diagnostics } = value;
  const { file } = upgrade;
  if (from.isOwn) return { ...value, upgrade: { ...upgrade, written: write(value, io) } };
  const written = [...(await baseOf(from.place.file)), ...write(value, io)];
  // Whether the file fits the new target of its base is known only now.
  const reading = readSource({ file, cwd: io.cwd });
  const errors = check(file, reading, io, ANYWHERE).diagnostics.filter(isError);
  return { ...value, upgrade: { ...upgrade, written }, diagnostics: [...diagnostics, ...errors] };
}

/** Only together with all files that take their target from it. Returns the files written. */
async function writeBase(base: string, members: Members, to: string, io: Io) {
  const fine = members.flatMap(({ file, value }) => (value ? [file] : []));
  const others = await othersTaking(["targetVersion"], { base, named: fine }, io);
  if (others.length > 0) {
    throw new Failure(
      "file-incomplete",
      `"${oneLine(base)}" also sets the target of ${someOf(others.map(oneLine), "file")}, so it was not changed.`,
      `Name these files, too, and correct any with errors. To change the base alone:\n  lintel upgrade ${shellWord(base)} --to ${to} --write`,
    );
  }
  const { value, failure } = inspect(base, { to, isMany: true }, io);
  if (!value) throw failure ?? new TypeError(`"${base}" was not inspected`);
  return write(value, io);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

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
  return check(file, next, io, ANYWHERE).diagnostics.filter(isError);
}

/** Returns the files written: none where the file says it already. */
function write({ upgrade: { file, to, schema }, from, text }: Inspected, io: Io): string[] {
  if (!schema && (to === from.version || !from.isOwn)) return [];
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
