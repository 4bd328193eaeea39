// What stands in a desired-state file before migrated values are added: one that is there, or the head and the end of a new one.
import { resolve } from "node:path";
import { hasErrors, type Diagnostic } from "../../diagnostic.js";
import { check } from "../../document/check/check.js";
import { desiredOf } from "../../document/read/desired.js";
import { asLiteral, oneLine, yamlLines } from "../../document/edit/value.js";
import { readBytes, readSource } from "../../document/read/bytes.js";
import type { Node } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { markOf } from "../../lib/source-text.js";
import { placeOfProperty } from "../../migrate/diagnose.js";
import type { Judged } from "../../migrate/judge.js";
import { shownValue } from "../../migrate/known.js";
import type { PortalAddress } from "../../migrate/location.js";
import { wrap } from "../../report/text-layout.js";
import { timeOf } from "../../cli/report-origin.js";
import { schemaName } from "../write-schema.js";
import type { Work } from "./finish.js";
import { countOf, shortFile, type Draft } from "./migrated-file.js";

/** A file that values are added to. */
export interface Into extends Draft {
  readonly root: Node;
  readonly target: string;
  /** The mark before its text, which is no part of that. */
  readonly mark: string;
}

type Drafted = Into | { readonly problems: readonly Diagnostic[] };

export function readDraft(file: string, io: Io): Drafted {
  const reading = readSource({ file, cwd: io.cwd });
  const { root, diagnostics } = check(file, reading, io, { mayLackPortal: true });
  if (!reading.source || !root || hasErrors(diagnostics)) return { problems: diagnostics };
  const path = resolve(io.cwd, file);
  const target = desiredOf(file, root).target.asked;
  return { file, path, text: reading.source.text, root, target, mark: markOf(readBytes(path)) };
}

export function newDraft(
  { io, files, target, portal, out }: Pick<Work, "io" | "files" | "target" | "portal" | "out">,
  hasSettings: boolean,
): Draft {
  const names = files.map(({ file }) => JSON.stringify(oneLine(file))).join(" and ");
  const head = [
    `# yaml-language-server: $schema=./${schemaName(out ?? "-", target)}`,
    ...commented(
      `What ${names} had set, read on ${timeOf(io).toISOString().slice(0, 10)} for a portal of version ${target}. ` +
        "Look at each value before it is applied. Only what stands here is managed; what is left out stays on the portal as it is.",
    ),
    `targetVersion: ${JSON.stringify(target)}`,
    "",
    ...portalLines(portal),
    // Values are added below it; without any it would be a key without a value.
    ...(hasSettings ? ["", "settings:"] : []),
  ];
  const path = out === undefined ? undefined : resolve(io.cwd, out);
  return { text: `${head.join("\n")}\n`, file: out ?? "portal.yaml", path };
}

function portalLines(portal: PortalAddress | undefined): string[] {
  const url = portal && `${portal.protocol}//${portal.host}${portal.context}/sharing/rest`;
  return url
    ? ["portal:", `  url: ${JSON.stringify(url)}`]
    : ["# portal:", "#   url: https://gis.example.com/portal/sharing/rest"];
}

/** What needs a person stands first, with the reason; mere names last. */
export function leftOut(properties: readonly Judged[]): string {
  const left = properties.filter(({ outcome }) => outcome !== "migrated");
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? ["", `# ${title}`, ...lines] : [];
  const named = (outcome: Judged["outcome"]): string[] => {
    const meant = left.filter((each) => each.outcome === outcome && !isNearName(each));
    return meant.length > 0 ? commented(meant.map(nameAndLine).join(", "), "  ") : [];
  };
  const decided = left.filter(({ outcome }) => /^(?:not-understood|invalid)$/.test(outcome));
  const checked = left.filter((each) => isNearName(each) || each.outcome === "needs-newer-target");
  const lines = [
    ...section("Left out, and to be decided:", decided.flatMap(openLines)),
    ...section("Left out, and to be checked:", checked.flatMap(openLines)),
    ...section("Left out, because portals were shipped with these values:", named("stock")),
    ...section("Left out, because there is no such setting any more:", named("no-counterpart")),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Somebody meant a setting by it. */
function isNearName({ remarks }: Judged): boolean {
  return remarks.some(({ code }) => code === "near-name");
}

/** A longer list is mended in the old file. */
const MOST_REPEATED = 500;

/** A value that is known stands there, to be mended and uncommented. */
function openLines(judged: Judged): string[] {
  const { name, outcome, message, value } = judged;
  return [
    ...commented(`${nameAndLine(judged)}, ${outcome}: ${message}`, "  "),
    ...(value === undefined || value === null || countOf(value) > MOST_REPEATED
      ? []
      : yamlLines(name, asLiteral(shownValue(name, value))).map((line) => `#     ${line}`)),
  ];
}

function nameAndLine(judged: Judged): string {
  const { file, line } = placeOfProperty(judged);
  return `${oneLine(judged.name.slice(0, 100))} (${shortFile(file)}:${line})`;
}

function commented(text: string, indent = ""): string[] {
  return wrap(oneLine(text), 94 - indent.length).map((line) => `# ${indent}${line}`);
}
