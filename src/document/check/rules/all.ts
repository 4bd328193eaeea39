// A tree → what the rules beyond the schema find, with the severities that the file itself chooses.
import type { Version } from "../../../../schemas/names.js";
import { RULES, type Diagnostic, type RuleCode, type Severity } from "../../../diagnostic.js";
import type { Path } from "../../../settings.js";
import { allowExpired } from "./allow.js";
import {
  advancedUnavailable,
  deprecated,
  introducedLater,
  setByInstaller,
} from "./availability.js";
import { emptyNotice, lowContrast, misspeltValue, unknownColour } from "./appearance.js";
import { extentService, footerLink, notAHostName, notAnAddress } from "./addresses.js";
import {
  assistantsBlocked,
  curatedContent,
  halfDisconnected,
  notMinutes,
  tokenOrder,
} from "./behaviour.js";
import { viewOf, type Finding, type Rule } from "./view.js";
import { placeOf } from "../../read/source.js";
import { diagnose, entriesOf, nodeAt, type Node } from "../../read/tree.js";

/** A new rule is one function here, its code in the table of codes, and a fixture. */
const ALL: readonly Rule[] = [
  advancedUnavailable,
  introducedLater,
  deprecated,
  setByInstaller,
  misspeltValue,
  lowContrast,
  unknownColour,
  emptyNotice,
  notAnAddress,
  extentService,
  footerLink,
  notAHostName,
  notMinutes,
  tokenOrder,
  halfDisconnected,
  curatedContent,
  assistantsBlocked,
  allowExpired,
];

export interface RuleProblem {
  readonly path: Path;
  /** About the value itself, so that the schema need not speak of it too; not about its key. */
  readonly isOfValue: boolean;
  readonly diagnostic: Diagnostic;
}

export function applyRules(
  root: Node,
  target: Version | undefined,
  today: string | undefined,
): RuleProblem[] {
  const view = viewOf(root, target, today);
  const chosen = chosenSeverities(root);
  return ALL.flatMap((rule) => rule(view)).flatMap((finding): RuleProblem[] => {
    const severity = chosen.get(finding.code) ?? RULES[finding.code];
    if (severity === "off") return [];
    const { path, at } = finding;
    return [{ path, isOfValue: "kind" in at, diagnostic: { ...toDiagnostic(finding), severity } }];
  });
}

function toDiagnostic({ code, at, message, help, also }: Finding): Diagnostic {
  const diagnostic = diagnose(code, at, message, help);
  if (!also) return diagnostic;
  const related = { place: placeOf(also.node.span), message: also.message };
  return { ...diagnostic, related: [related, ...diagnostic.related] };
}

function chosenSeverities(root: Node): Map<RuleCode, Severity | "off"> {
  const chosen = new Map<RuleCode, Severity | "off">();
  for (const [code, { value }] of entriesOf(nodeAt(root, ["rules"]))) {
    const severity = value.kind === "scalar" ? value.value : undefined;
    if (code in RULES && (severity === "error" || severity === "warning" || severity === "off")) {
      chosen.set(code as RuleCode, severity);
    }
  }
  return chosen;
}
