// A key that is unknown, missing or without a value → the diagnostic that tells what would be right.
import { SETTINGS, catalog, findSetting, spellingsOf } from "../../catalog/catalog.js";
import type { Property } from "../../catalog/facts.js";
import { didYouMean, nearest, type Diagnostic } from "../../diagnostic.js";
import { formatPath, type Path } from "../../settings.js";
import { fieldOf, SIGN_IN_METHODS, type SignInMethod } from "../../sign-in.js";
import type { Span } from "../read/source.js";
import {
  diagnose,
  entriesOf,
  entryAt,
  nodeAt,
  settingPath,
  shapeOf,
  type Node,
} from "../read/tree.js";

/** A key that is missing because it is misspelt is one mistake, told at the misspelt key. */
export function isMisspelt(node: Node | undefined, key: string): boolean {
  return [...entriesOf(node).keys()].some(
    (each) => each !== key && nearest(each, [key]).length > 0,
  );
}

export function unknownKey(
  root: Node,
  path: Path,
  key: string,
  known: readonly string[],
): Diagnostic {
  const inside = path.length > 0 ? `in "${formatPath(path)}"` : "at the top of the file";
  const elsewhere = elsewhereOf(key, path);
  const isSetting = (settingPath(path)?.length ?? 2) <= 1;
  const help =
    elsewhere ??
    otherMethod(key, path) ??
    didYouMean(key, known) ??
    [
      known.length > 0 && `Known here: ${known.join(", ")}.`,
      isSetting && `If this portal knows the name, list it:\n  allowUnknown: [${key}]`,
    ]
      .filter(Boolean)
      .join("\n");
  const at = entryAt(root, [...path, key])?.key ?? root;
  return diagnose("unknown-key", at, `The key "${key}" is not known ${inside}.`, help);
}

/** Where a setting's name belongs that stands in the wrong mapping; nothing where that could be several. */
function elsewhereOf(key: string, path: Path): string | undefined {
  const homes = SETTINGS.flatMap(({ parameter, property }) => {
    if (parameter.name === key) return ["settings"];
    const isNamed = property && spellingsOf(property.name).includes(key);
    return isNamed ? [`settings.${parameter.name}`] : [];
  });
  const [home, ...others] = new Set(homes);
  const isHere = home === ["settings", ...(settingPath(path) ?? ["elsewhere"])].join(".");
  return home && others.length === 0 && !isHere ? `"${key}" belongs under "${home}".` : undefined;
}

/** Nothing else is said of a secret that was written out there. */
function otherMethod(key: string, path: Path): string | undefined {
  const methods = Object.keys(SIGN_IN_METHODS) as SignInMethod[];
  const method = methods.find((each) => Object.hasOwn(SIGN_IN_METHODS[each], key));
  if (path.join() !== "signIn" || method === undefined) return undefined;
  const mended = `Remove the line, or choose its method: ${method}.`;
  const isSecret = fieldOf(method, key)?.isSecret;
  return isSecret ? `${mended} A secret that was committed there must be changed.` : mended;
}

export function missingKey(root: Node, path: Path, key: string): Diagnostic {
  const inside = path.length > 0 ? ` in "${formatPath(path)}"` : "";
  const names = shapeOf([...path, key]);
  const message = `The key "${key}" is missing${inside}.`;
  const help = MISSING[names] ?? `Add it:\n  ${key}: …`;
  const at = path.length > 0 ? (entryAt(root, path)?.key ?? root) : startOf(root.span);
  const problem = diagnose("missing-key", at, message, help);
  const node = nodeAt(root, path);
  const lowest = node?.kind === "mapping" ? node.lowest : undefined;
  if (!lowest) return problem;
  return { ...problem, inBase: diagnose("missing-key", startOf(lowest), message, help) };
}

function startOf(span: Span): { readonly span: Span } {
  return { span: { ...span, end: span.start } };
}

const MISSING: Readonly<Record<string, string>> = {
  targetVersion: `Say which version the portal has, for example:\n  targetVersion: "${catalog.versions.at(-1)}"`,
  portal:
    'Say where the portal is. A file that others extend and that is no portal\'s own has a name that begins with "_".\n  portal:\n    url: https://gis.example.com/portal/sharing/rest',
  "portal.url": "Say where the portal is:\n  url: https://gis.example.com/portal/sharing/rest",
  "schedule.*.from": "Add when the window opens:\n  from: 2026-12-05T18:00",
  "schedule.*.until":
    'Add when the window closes, and what stands under "settings" is wanted again:\n  until: 2026-12-05T22:00',
  "schedule.*.settings":
    "Add what is to be otherwise while the window is open:\n  settings:\n    informationalBanner: { enabled: true }",
  "allow.until": "Add the last day on which the guard is to be open:\n  until: 2027-01-31",
};

export function nullValue(root: Node, path: Path): Diagnostic {
  const node = nodeAt(root, path) ?? root;
  const setting = findSetting(settingPath(path) ?? []);
  const comment = /^[ \t]*(#[0-9A-Fa-f]{3,8})\b/.exec(node.span.source.text.slice(node.span.start));
  const help = comment
    ? `"#" begins a comment, so that nothing is left. Put the value in quotes: "${comment[1]}"`
    : setting
      ? [
          "Say which is meant: remove the line (not managed)",
          ...writtenEmpty(setting.property),
          ...(setting.property?.default === undefined ? [] : ["!default (the documented default)"]),
          "or !unmanaged (drop what a base set).",
        ].join(", ")
      : "Write a value, or remove the line.";
  return diagnose("null-value", node, `"${formatPath(path)}" has no value.`, help);
}

function writtenEmpty(property: Property | undefined): string[] {
  const { type } = property ?? { type: "boolean" };
  if (typeof type === "object" || type.startsWith("array")) return ["write [] (empty)"];
  if (type === "minutes") return [];
  return [type === "boolean" ? "write true or false" : 'write "" (empty)'];
}
