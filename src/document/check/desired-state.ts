// Checks the shape of a desired-state file against its schema, with messages for its keys and values.
import validator from "../../../schemas/desired-state.mjs";
import {
  SETTINGS,
  catalog,
  findSetting,
  knownVersion,
  spellingsOf,
} from "../../catalog/catalog.js";
import type { Property, ValueType } from "../../catalog/facts.js";
import { MOST_WINDOWS } from "../../catalog/schedule-schema.js";
import { compareVersions, parseVersion } from "../../catalog/version.js";
import { aboutFile, didYouMean, type Diagnostic } from "../../diagnostic.js";
import { formatPath, isSamePath, type Path } from "../../settings.js";
import { fieldOf, SIGN_IN_METHODS, type SignInField, type SignInMethod } from "../../sign-in.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";
import { REQUIRED_HELP } from "./variables.js";
import {
  diagnose,
  entriesOf,
  itemsOf,
  nodeAt,
  settingPath,
  shapeOf,
  textOf,
  type Node,
  type Unvalued,
} from "../read/tree.js";
import type { SchemaError } from "./compile.js";
import {
  knownHelp,
  noValue,
  schemaProblems,
  unknownKey,
  type FileKind,
  type Form,
} from "./explain.js";
import type { Problem } from "./rules/all.js";

interface Need {
  /** Other files extend it, and set what it lacks. */
  readonly isPart: boolean;
  readonly mayLackPortal: boolean;
}

export function shapeProblems(root: Node, unvalued: readonly Unvalued[], need: Need): Problem[] {
  const nulls = unvalued
    .filter(({ node }) => node.kind === "scalar")
    .map(({ node, path }) => ({
      path,
      isOfValue: true,
      diagnostic: noValue(node, path, noValueHelp(node, path)),
    }));
  const problems = schemaProblems(root, validator, {
    ...DESIRED_STATE,
    explain: (whole, error) => explain(whole, error, need),
  });
  // A field that the method does not have is reported once, without errors in its value.
  const isMoot = ({ path, isOfValue }: Problem) =>
    isOfValue &&
    path[0] === "signIn" &&
    problems.some((each) => !each.isOfValue && isSamePath(each.path, path));
  return [...nulls, ...problems.filter((each) => !isMoot(each))];
}

function explain(root: Node, error: SchemaError, need: Need): readonly Diagnostic[] | undefined {
  const { path, keyword, params, schema } = error;
  const node = nodeAt(root, path) ?? root;
  const isSetting = settingPath(path) !== undefined;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const allowed = itemsOf(nodeAt(root, ["allowUnknown"]));
      if (isSetting && allowed.some((item) => textOf(item) === key)) return [];
      const known = Object.keys(schema.properties ?? {});
      const help = notIndentedHelp(node, key, known) ?? unknownHelp(path, key, known);
      return [unknownKey(root, path, key, help)];
    }
    case "required": {
      const isOfPortal = [...path, params["missingProperty"]][0] === "portal";
      return need.isPart || (need.mayLackPortal && isOfPortal) ? [] : undefined;
    }
    case "oneOf":
    case "false schema":
      // A rule reports these in better words.
      return [];
    case "type":
    case "pattern":
    case "minLength":
      // A variable of the file has its own diagnostic.
      if (textOf(node)?.startsWith("${vars.")) return [];
      if (secretAt(path)) return [literalSecret(node, path)];
      if (keyword === "type") return undefined;
      if (isSetting) return [];
      return path.join() === "targetVersion" ? [badTarget(node)] : undefined;
    default:
      return undefined;
  }
}

/** Help for a key directly below one without a value, at the same indentation. */
function notIndentedHelp(node: Node, key: string, known: readonly string[]): string | undefined {
  const entries = [...entriesOf(node)];
  const before = entries.slice(
    0,
    entries.findIndex(([name]) => name === key),
  );
  const [parent, entry] =
    before.findLast(([name, { value }]) => known.includes(name) || isNull(value)) ?? [];
  if (parent === undefined || !entry || !isNull(entry.value)) return undefined;
  return `If it belongs to "${parent}", indent it by two spaces more.`;
}

function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

function unknownHelp(path: Path, key: string, known: readonly string[]): string {
  const isSetting = (settingPath(path)?.length ?? 2) <= 1;
  const lines = [
    knownHelp(known),
    isSetting ? `If this portal knows the name, list it:\n  allowUnknown: [${key}]` : undefined,
  ];
  return (
    elsewhereHelp(path, key) ??
    otherMethodHelp(path, key) ??
    didYouMean(key, known) ??
    lines.filter((line) => line !== undefined).join("\n")
  );
}

/** Help for a setting in the wrong mapping; empty if several mappings have it. */
function elsewhereHelp(path: Path, key: string): string | undefined {
  const homes = SETTINGS.flatMap(({ parameter, property }) => {
    if (parameter.name === key) return ["settings"];
    const isNamed = property && spellingsOf(property.name).includes(key);
    return isNamed ? [`settings.${parameter.name}`] : [];
  });
  const [home, ...others] = new Set(homes);
  const isHere = home === ["settings", ...(settingPath(path) ?? ["elsewhere"])].join(".");
  return home && others.length === 0 && !isHere ? `"${key}" belongs under "${home}".` : undefined;
}

/** A literal secret gets no further diagnostics. */
function otherMethodHelp(path: Path, key: string): string | undefined {
  const methods = Object.keys(SIGN_IN_METHODS) as SignInMethod[];
  const method = methods.find((each) => Object.hasOwn(SIGN_IN_METHODS[each], key));
  if (path.join() !== "signIn" || method === undefined) return undefined;
  const help = `Remove the line, or choose its method: ${method}.`;
  const isSecret = fieldOf(method, key)?.isSecret;
  return isSecret ? `${help} A secret that was committed there must be changed.` : help;
}

function noValueHelp(node: Node, path: Path): string {
  const comment = /^[ \t]*(#[0-9A-Fa-f]{3,8})\b/.exec(node.span.source.text.slice(node.span.start));
  if (comment) return `"#" begins a comment. Put the value in quotes: "${comment[1]}"`;
  const setting = findSetting(settingPath(path) ?? []);
  if (path[0] === "vars") return REQUIRED_HELP;
  if (!setting) return "Write a value, or remove the line.";
  const { property } = setting;
  const empty = property ? emptyOf(property) : "true or false";
  return [
    "Remove the line (not managed)",
    ...(empty === undefined ? [] : [`write ${empty}`]),
    ...(property?.default === undefined ? [] : ["write !default (the documented default)"]),
    "or write !unmanaged (drop what a base set).",
  ].join(", ");
}

/** The value that means "nothing"; undefined if the type has none. */
function emptyOf({ type, values }: Property): string | undefined {
  if (typeof type === "object") return "[] (empty)";
  return values ? undefined : EMPTY[type];
}

const EMPTY: Readonly<Partial<Record<ValueType, string>>> = {
  string: '"" (empty)',
  boolean: "true or false",
  "string or `false`": "false",
  "array of domain names": "[] (empty)",
  "array of application titles": "[] (empty)",
};

const PORTAL_URL = "url: https://gis.example.com/portal/sharing/rest";
const timeHelp = (key: string, hour: number) =>
  `Write a day and a time, by the clocks of its time zone or with an offset:\n  ${key}: 2026-12-05T${hour}:00\n  ${key}: 2026-12-05T${hour}:00+01:00`;

const CLOCK_TIME: Form = {
  must: "be a time of the day",
  help: 'Write hours and minutes, from 00:00 to 23:59:\n  from: "18:00"',
};
const BETWEEN: Form = {
  must: "be a day",
  help: "Write it as year, month and day:\n  between: { from: 2027-01-01, until: 2027-12-31 }",
};

const VARIABLE: Form = {
  must: "be a text, a number, true or false, or a list",
  help: "Give each value a variable of its own:\n  vars:\n    city: Vienna\n    city-code: 1010",
};

const FORMS: Readonly<Record<string, Form>> = {
  state: {
    must: "be the address of a place for states",
    help: `Write, for example:\n  state: ${DEFAULT_STATE}`,
  },
  "portal.url": {
    must: "be an address",
    help: `Write the root of the portal's REST interface:\n  ${PORTAL_URL}`,
  },
  "signIn.url": {
    must: "be an address",
    help: "Write the base address of the sign-in service:\n  url: https://accounts.example.com",
  },
  "signIn.expiration": {
    must: "be a whole number of minutes above zero",
    help: "Write, for example:\n  expiration: 60",
  },
  "portalConfigProperties.footerLinks.url": {
    must: "be an address that runs no script",
    help: "Write where the link leads, for example:\n  url: https://www.example.org/terms",
  },
  schedule: {
    must: `be a mapping of ${MOST_WINDOWS} windows at most`,
    help: "Write each window below it by a name of its own, and remove the windows that are over.",
  },
  "schedule.*.from": { must: "be a day, or a day and a time", help: timeHelp("from", 18) },
  "schedule.*.until": { must: "be a day, or a day and a time", help: timeHelp("until", 22) },
  "schedule.*.every.from": CLOCK_TIME,
  "schedule.*.every.until": {
    must: CLOCK_TIME.must,
    help: 'Write hours and minutes, from 00:00 to 23:59. Midnight is 00:00 of the next day:\n  until: "00:00"',
  },
  "schedule.*.every.day": {
    must: "be a day of the month, or -1 for the last",
    help: "Write for example:\n  day: 15",
  },
  "schedule.*.between.from": BETWEEN,
  "schedule.*.between.until": BETWEEN,
  "allow.until": {
    must: "be a day, or a day and a time",
    help: "Write it as year, month and day:\n  until: 2027-01-31\n  until: 2027-01-31T18:00",
  },
};

const DESIRED_STATE: Omit<FileKind, "explain"> = {
  see: "Write a value, or remove the line.",
  missing: {
    targetVersion: `Say which version the portal has, for example:\n  targetVersion: "${catalog.versions.at(-1)}"`,
    portal: `Say where the portal is. The name of a file that others extend begins with "_".\n  portal:\n    ${PORTAL_URL}`,
    "portal.url": `Say where the portal is:\n  ${PORTAL_URL}`,
    "schedule.*.settings":
      "Add what applies while the window is open:\n  settings:\n    informationalBanner: { enabled: true }",
    "allow.until": "Add the last day on which the guard is open:\n  until: 2027-01-31",
  },
  formAt: (path) => {
    if (path[0] === "vars" && path.length === 2) return VARIABLE;
    const property = findSetting(settingPath(path) ?? [])?.property;
    if (property?.type === "string or `false`") {
      const help = "Write an address, or false without quotes.";
      return { must: "be an address or false", help };
    }
    if (property?.type !== "URL") return FORMS[shapeOf(settingPath(path) ?? path)];
    const help = `Write the whole address, for example:\n  ${JSON.stringify(property.example)}`;
    return { must: "be an address", help };
  },
  isSecret: ([part, field], node) => {
    if (part !== "signIn") return part === "state";
    const isWrittenOut = node.kind === "scalar" && node.written === undefined;
    return field !== "expiration" && !(field === "url" && isWrittenOut);
  },
};

function secretAt(path: Path): SignInField | undefined {
  if (path[0] !== "signIn" || path.length !== 2) return undefined;
  return Object.values<Record<string, SignInField>>(SIGN_IN_METHODS)
    .map((fields) => fields[String(path[1])])
    .find((field) => field?.isSecret);
}

function literalSecret(node: Node, path: Path): Diagnostic {
  const field = String(path[1]);
  const variable = secretAt(path)?.variable ?? "LINTEL_SECRET";
  const message = `"${formatPath(path)}" is written out, where a secret must be a reference.`;
  const help = `Keep it in a variable, a file or a vault, change it if it has been committed, and write one of:\n  ${field}: \${env:${variable}}\n  ${field}: \${file:/run/secrets/lintel}\n  ${field}: \${command:NAME}`;
  return diagnose("literal-secret", node, message, help);
}

function badTarget(node: Node): Diagnostic {
  const text = node.kind === "scalar" ? String(node.value) : "";
  const [oldest] = catalog.versions;
  if (parseVersion(text)) {
    const message = `The target "${text}" is older than "${oldest}", the first version with these settings.`;
    return diagnose("bad-target", node, message, `Known versions: ${catalog.versions.join(", ")}.`);
  }
  const help = `Write major and minor number, for example:\n  targetVersion: "${catalog.versions.at(-1)}"`;
  return diagnose("bad-target", node, `The target "${text}" is no version.`, help);
}

/** A target that the reference does not list is checked by the rules of the newest version below it. */
export function unlistedTarget(root: Node): Diagnostic[] {
  const node = nodeAt(root, ["targetVersion"]);
  const target = textOf(node);
  if (!node || target === undefined) return [];
  // A number with more digits than any version.
  if (!knownVersion(target) && /^\d+\.\d+(\.\d+)?$/.test(target)) return [badTarget(node)];
  const about = aboutUnlisted(target);
  return about ? [diagnose("unlisted-target", node, ...about)] : [];
}

/** The same for a file that a command writes. */
export function unlistedTargetOf(target: string, file: string): Diagnostic[] {
  const about = aboutUnlisted(target);
  return about ? [aboutFile("unlisted-target", file, ...about)] : [];
}

function aboutUnlisted(target: string): [message: string, help: string] | undefined {
  const known = knownVersion(target);
  if (!known || compareVersions(known, target) === 0) return undefined;
  const message =
    known === catalog.versions.at(-1)
      ? `The reference ends at version ${known}; what it says of that is taken to hold for ${target}.`
      : `The reference does not list version "${target}"; what it says of "${known}" is applied.`;
  const help = `Check that the portal has this version. Versions listed: ${catalog.versions.join(", ")}.`;
  return [message, help];
}
