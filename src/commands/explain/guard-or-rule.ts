// Describes a guard or a rule: what it finds, and how to allow it or change its severity.
import type { Result } from "../command.js";
import { RULES } from "../../document/check/rules/all.js";
import type { Rule } from "../../document/check/rules/rule.js";
import { GUARDS, type GuardName } from "../../guard.js";
import { GUARD_RULES } from "../../plan/guards/all.js";
import type { Styles } from "../../report/styles.js";
import { wrap } from "../../report/text-layout.js";
import { done } from "../../cli/result.js";
import { plain } from "./explain.js";

export const NAMES: readonly string[] = [...GUARDS, ...RULES.map(({ code }) => code)];

export function explainName(asked: string): Result | undefined {
  const guard = GUARDS.find((name) => name === asked);
  if (guard) return explainGuard(guard);
  const rule = ruleNamed(asked);
  return rule && explainRule(rule);
}

export function ruleNamed(asked: string): Rule | undefined {
  return RULES.find(({ code }) => code === asked);
}

/** What a guard stops, or a rule finds. */
export function meaningOfName(name: string): string {
  const guard = GUARDS.find((each) => each === name);
  if (guard) return GUARD_RULES[guard].stops;
  return ruleNamed(name)?.meaning ?? "";
}

function explainRule({ code, severity, meaning }: Rule): Result {
  const linesFor = (styles: Styles) => [
    ...wrap(`A rule of ${severity} severity. It finds ${plain(meaning)}.`, styles.width - 6),
    "",
    "A file can choose another severity (error, warning or off):",
    `  rules: { ${code}: off }`,
  ];
  return done("explain", { rule: { code, severity, meaning } }, (styles) =>
    entryText(code, linesFor(styles), styles),
  );
}

/** What it blocks, what to check first, and how to allow it. */
function explainGuard(name: GuardName): Result {
  const { stops, help } = GUARD_RULES[name];
  const [advice = "", ...commands] = help.split("\n");
  const linesFor = (styles: Styles) => [
    ...wrap(`A guard. It stops ${plain(stops)}.`, styles.width - 6),
    "",
    ...wrap(advice, styles.width - 6),
    ...commands,
    "",
    ...wrap(
      `To allow it, use --allow ${name}, or add to the file for a limited time:`,
      styles.width - 6,
    ),
    "allow:",
    `  - { guard: ${name}, path: PATH, until: YYYY-MM-DD, reason: WHY }`,
  ];
  return done("explain", { guard: { name, stops, help } }, (styles) =>
    entryText(name, linesFor(styles), styles),
  );
}

function entryText(name: string, lines: readonly string[], styles: Styles): string {
  return [styles.bold(name), ...lines.map((line) => line && `  ${line}`), ""].join("\n");
}
