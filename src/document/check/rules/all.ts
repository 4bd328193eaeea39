// Lists all rules in the order of the manual, and applies them with the severities of the file.
import type { Version } from "../../../../schemas/names.js";
import type { Diagnostic } from "../../../diagnostic.js";
import type { Path } from "../../../settings.js";
import { placeOf } from "../../read/source.js";
import { childOf, diagnose, entriesOf, textOf, type Node } from "../../read/tree.js";
import { misspeltValue } from "./misspelt-value.js";
import { introducedLater } from "./introduced-later.js";
import { deprecated } from "./deprecated.js";
import { advancedUnavailable } from "./advanced-unavailable.js";
import { lowContrast } from "./low-contrast.js";
import { unknownColour } from "./unknown-colour.js";
import { extent } from "./extent.js";
import { notAnAddress } from "./not-an-address.js";
import { footerLink } from "./footer-link.js";
import { tokenOrder } from "./token-order.js";
import { notMinutes } from "./not-minutes.js";
import { notAHostName } from "./not-a-host-name.js";
import { halfDisconnected } from "./half-disconnected.js";
import { curatedContent } from "./curated-content.js";
import { assistantsBlocked } from "./assistants-blocked.js";
import { emptyNotice } from "./empty-notice.js";
import { setByInstaller } from "./set-by-installer.js";
import { allowExpired } from "./allow-expired.js";
import { windowOver } from "./window-over.js";
import { viewOf, type Rule } from "./rule.js";

export const RULES = [
  misspeltValue,
  introducedLater,
  deprecated,
  advancedUnavailable,
  lowContrast,
  unknownColour,
  extent,
  notAnAddress,
  footerLink,
  tokenOrder,
  notMinutes,
  notAHostName,
  halfDisconnected,
  curatedContent,
  assistantsBlocked,
  emptyNotice,
  setByInstaller,
  allowExpired,
  windowOver,
] as const satisfies readonly Rule[];

export const RULE_CODES = codesOf(RULES);

function codesOf<C extends string>(rules: readonly { readonly code: C }[]): readonly C[] {
  return rules.map(({ code }) => code);
}

/** A finding of a rule or of the schema. */
export interface Problem {
  readonly path: Path;
  /** About the value, not the key: a rule's finding replaces the schema's. */
  readonly isOfValue: boolean;
  readonly diagnostic: Diagnostic;
}

export function applyRules(
  root: Node,
  target: Version | undefined,
  today: string | undefined,
): Problem[] {
  const view = viewOf(root, target, today);
  const choices = entriesOf(childOf(root, "rules"));
  return RULES.flatMap((rule: Rule) => {
    const chosen = textOf(choices.get(rule.code)?.value);
    const severity = SEVERITIES.find((each) => each === chosen) ?? rule.severity;
    if (severity === "off") return [];
    return rule.find(view).map(({ path, at, message, help, also }) => {
      const found = diagnose({ code: rule.code, severity }, at, message, help);
      const related = also ? [{ place: placeOf(also.node.span), message: also.message }] : [];
      const diagnostic = { ...found, related: [...related, ...found.related] };
      return { path, isOfValue: "kind" in at, diagnostic };
    });
  });
}

/** The severities that a file can set for a rule. */
const SEVERITIES = ["error", "warning", "off"] as const;
