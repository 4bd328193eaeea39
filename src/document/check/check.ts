// Checks one desired-state file, and returns its sorted diagnostics and its tree.
import { resolve } from "node:path";
import { SETTINGS, findSetting, knownVersion } from "../../catalog/catalog.js";
import type { Version } from "../../../schemas/names.js";
import type { Diagnostic } from "../../diagnostic.js";
import { aboutFile, eachOnce, mistakeOf, sortDiagnostics } from "../../diagnostic.js";
import type { Io } from "../../io.js";
import { formatPath, isSamePath } from "../../settings.js";
import { wrongAllowEntries } from "./allow-entries.js";
import { commandProblems } from "../read/commands.js";
import { extend } from "../read/extend.js";
import type { Reading } from "../read/bytes.js";
import { applyRules } from "./rules/all.js";
import { scheduleProblems } from "./schedule.js";
import {
  stateProblems,
  unfitAddresses,
  unfitId,
  unlikelyAddress,
  unlistedHosts,
} from "./address.js";
import { substitute } from "../read/references.js";
import { diagnose, nodeAt, settingPath, unvaluedIn, writtenText } from "../read/tree.js";
import type { Node, Unvalued } from "../read/tree.js";
import { shapeProblems, unlistedTarget } from "./desired-state.js";
import { REQUIRED_HELP, variableProblems } from "./variables.js";

export interface Checked {
  readonly file: string;
  /** Absent if the file or one of its bases cannot be parsed. */
  readonly root?: Node;
  readonly diagnostics: readonly Diagnostic[];
  /** All files that contribute to it, including unreadable ones: `serve` watches these. */
  readonly paths: readonly string[];
}

/** A file with more problems is usually no desired-state file. */
const MOST_PROBLEMS = 200;

export interface Purpose {
  /** Only settings matter, so the portal's address may be missing. */
  readonly mayLackPortal?: boolean;
}

/** Without a clock, no date has passed. */
export function check(
  file: string,
  reading: Reading,
  { cwd, files, env, now }: Pick<Io, "cwd" | "files" | "env"> & Partial<Pick<Io, "now">>,
  { mayLackPortal = false }: Purpose = {},
): Checked {
  const { root: whole, problems, paths: extended } = extend(reading, { cwd, files });
  const own = file === "-" ? [] : [resolve(cwd, file)];
  if (!whole) return { file, diagnostics: bounded(file, problems), paths: [...own, ...extended] };
  const { root, problems: unresolved, paths: referred, used } = substitute(whole, { cwd, env });
  const unvalued = unvaluedIn(root);
  const today = now && new Date(now()).toISOString().slice(0, 10);
  const target = targetOf(root);
  const onRules = applyRules(root, target, today);
  const schedule = scheduleProblems(root, onRules, {
    applyRules: (at) => applyRules(at, target, today),
    nowMs: now?.() ?? 0,
    isPart: isPart(file),
  });
  const byRules = [...onRules, ...schedule, ...stateProblems(root)];
  const bySchema = shapeProblems(root, unvalued, { isPart: isPart(file), mayLackPortal }).filter(
    ({ path, isOfValue }) =>
      !isOfValue || !byRules.some((rule) => rule.isOfValue && isSamePath(rule.path, path)),
  );
  return {
    file,
    root,
    paths: [...new Set([...own, ...extended, ...referred])],
    diagnostics: bounded(file, [
      ...problems,
      ...unresolved,
      ...bySchema.map((each) => each.diagnostic),
      ...byRules.map((each) => each.diagnostic),
      ...unlistedTarget(root),
      ...unvalued.flatMap(unmanagedOfNothing),
      ...unvalued.flatMap(misplacedMark),
      ...unvalued.flatMap(undocumentedDefault),
      ...variableProblems(root, { used, isPart: isPart(file) }),
      ...wrongAllowEntries(root),
      ...unfitAddresses(root),
      ...unlikelyAddress(root),
      ...unfitId(root),
      ...unlistedHosts(root, env),
      ...commandProblems(root, file, { cwd, env }),
    ]),
  };
}

/** A number has its own diagnostic; the rest is still checked against its value. */
function targetOf(root: Node): Version | undefined {
  const node = nodeAt(root, ["targetVersion"]);
  if (node?.kind !== "scalar") return undefined;
  return knownVersion(typeof node.value === "string" ? node.value : writtenText(node));
}

/** A base has a name that begins with "_"; folders and patterns skip it. */
export function isPart(file: string): boolean {
  return /(?:^|[\\/])_[^\\/]*$/.test(file);
}

/** Other diagnostics of a line with a secret must not show it. */
function besideSecrets(sorted: readonly Diagnostic[]): Diagnostic[] {
  const secrets = sorted.filter(({ code }) => code === "literal-secret");
  return sorted.map((each) => {
    const { place } = each;
    // The secret's own diagnostic hides the rest of the line.
    const secret = secrets.find(
      ({ place: at }) => at?.file === place?.file && at?.line === place?.line,
    )?.place;
    if (!place || !secret) return each;
    const { excerpt } = place;
    const isSame = secret.excerpt.text.length === excerpt.text.length;
    const text = isSame ? secret.excerpt.text : excerpt.text.replace(/\S/g, "*");
    return { ...each, place: { ...place, excerpt: { ...excerpt, text } } };
  });
}

function bounded(file: string, problems: readonly Diagnostic[]): Diagnostic[] {
  const sorted = besideSecrets(sortDiagnostics(eachOnce(problems, mistakeOf)));
  const first = sorted[MOST_PROBLEMS];
  if (!first) return sorted;
  const message = `"${file}" has more problems from here on: ${sorted.length - MOST_PROBLEMS}.`;
  const help = "Mend the first ones and look again.";
  const more = aboutFile("too-many-problems", first.file, message, help);
  const placed = { ...more, ...(first.place && { place: first.place }) };
  return [...sorted.slice(0, MOST_PROBLEMS), placed];
}

/** `!unmanaged` has no effect if no base sets the key, which is usually misspelt. */
function unmanagedOfNothing({ node, path }: Unvalued): Diagnostic[] {
  if (node.kind !== "mark" || node.mark !== "unmanaged") return [];
  // In a list or a variable it is misplaced, which another check reports.
  if (path.length === 0 || path.some((part) => typeof part === "number")) return [];
  if (path[0] === "vars") return [];
  const message = `No base sets "${path.at(-1)}", so there is nothing to drop.`;
  const help =
    'Remove the line, or check the spelling. "!unmanaged" drops what a file under "extends" sets.';
  return [diagnose("nothing-to-unmanage", node, message, help)];
}

/** A mark applies to a setting, not to a list entry or the whole file. */
function misplacedMark({ node, path }: Unvalued): Diagnostic[] {
  if (node.kind !== "mark" || node.mark === "unknown") return [];
  const isRequired = node.mark === "required";
  const isFit = isRequired
    ? path[0] === "vars" && path.length === 2
    : settingPath(path) !== undefined && path.every((part) => typeof part === "string");
  if (isFit) return [];
  const message = `"!${node.mark}" cannot stand for "${formatPath(path)}".`;
  const isVariable = path[0] === "vars" && path.length === 2;
  const help = isRequired
    ? 'It belongs to a variable, directly under "vars". Write a value, or remove the line.'
    : isVariable
      ? REQUIRED_HELP
      : "It belongs to a single setting, or in an overlay to what a base sets. Write a value, or remove the line.";
  return [diagnose("bad-tag", node, message, help)];
}

/** `!default` works only for documented defaults, and never inside a list. */
function undocumentedDefault({ node, path }: Unvalued): Diagnostic[] {
  if (node.kind !== "mark" || node.mark !== "default") return [];
  if (path[0] === "vars" || path.some((part) => typeof part === "number")) return [];
  const property = findSetting(settingPath(path) ?? [])?.property;
  if (property?.default !== undefined) return [];
  const others = SETTINGS.filter((each) => each.property?.default !== undefined);
  const message = property?.defaultInWords
    ? `The default of "${property.name}" is ${property.defaultInWords}, which the reference does not reproduce.`
    : `No default is documented for "${formatPath(path)}".`;
  const help = `Write the intended value. Defaults are documented for ${others.map((each) => each.property?.name).join(", ")}.`;
  return [diagnose("no-documented-default", node, message, help)];
}
