// lintel validate: reports every problem of files.
import { oneLine, shellWord } from "../lib/text.js";
import { checkText } from "../report/problem-text.js";
import { plainly, sentenceLines } from "../report/text-layout.js";
import type { CommandSpec, Result, Run } from "./command.js";
import { FLEET, POLICY, QUIET } from "./options.js";
import { checkByPolicies, openPolicyChecks } from "../apply/policy-checks.js";
import { findFiles } from "../document/find.js";
import { isPart, type Checked } from "../document/check/check.js";
import { desiredLeaves } from "../document/read/leaves.js";
import { acrossFiles, hasErrors, type Diagnostic } from "../diagnostic.js";
import { EXIT } from "../failure.js";
import type { Io } from "../io.js";
import { aboutOf, duplicateOwners, samePortals, type About } from "../apply/duplicate-owners.js";
import { pickPortals } from "../cli/pick-portals.js";
import { checkResult } from "../cli/result.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    strict: { description: "Fail on warnings, too." },
    only: FLEET.only,
    ...POLICY,
    ...QUIET,
  },
  formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel validate", "read portal.yaml, else portals/*.yaml"],
    ["lintel validate portals 'customers/**/*.yaml'", "folders and patterns"],
    ["lintel validate - < portal.yaml", "standard input"],
    ["lintel validate --policy ../policy", "check the files against policies, too"],
    ["lintel validate portals --strict", "fail on warnings, too"],
    ["lintel validate -o text -o sarif=lintel.sarif", "write two reports"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, { operands, options }) => {
  const files = await pickPortals(await findFiles(operands, io.cwd), options.only, io);
  const result = await checkFiles("validate", files, io, options.policy);
  const { outcome } = result;
  const isWarned = outcome.diagnostics.some(({ severity }) => severity === "warning");
  if (!options.strict || !isWarned || outcome.exit !== EXIT.done) return result;
  const why = "Failed, because --strict fails on warnings.";
  return {
    ...result,
    outcome: { ...outcome, exit: EXIT.invalid, why },
    text: (styles) => `${result.text(styles)}${why}\n`,
  };
};

export async function checkFiles(
  command: string,
  files: readonly string[],
  io: Io,
  policyPaths: readonly string[] = [],
) {
  const policies = openPolicyChecks(policyPaths, io);
  const broken = await policies.problems();
  const found: (readonly Diagnostic[])[] = [];
  const abouts: About[] = [];
  const unset: string[] = [];
  const invalidFiles = new Map<string, Diagnostic>();
  for (const file of files) {
    const checked = await checkByPolicies(file, io, policies);
    found.push(checked.diagnostics);
    const error = checked.diagnostics.find(({ severity }) => severity === "error");
    if (error) invalidFiles.set(file, error.inBase ?? error);
    if (isWithoutSettings(checked)) unset.push(file);
    const about = aboutOf(checked);
    if (about) abouts.push(about);
  }
  const beside = await duplicateOwners(abouts, io);
  const all = [...broken, ...acrossFiles(found), ...samePortals(abouts), ...beside];
  const checked = checkResult(command, files, all);
  const result = { ...checked, outcome: { ...checked.outcome, invalidFiles } };
  const [first] = unset;
  // A file among many may be meant to manage nothing yet.
  if (first === undefined || files.length > 1) return result;
  const hint = `"${oneLine(first)}" has no settings yet. Add some under "settings:", or start from the live values:\n  lintel pull ${oneLine(shellWord(first))} --all`;
  const text: Result["text"] = (styles) =>
    `${checkText(result.outcome, styles)}${sentenceLines(hint, plainly, "", styles).join("\n")}\n`;
  return { ...result, text };
}

function isWithoutSettings({ file, root, diagnostics }: Checked): boolean {
  const isWhole = root !== undefined && !isPart(file) && !hasErrors(diagnostics);
  return isWhole && file !== "-" && desiredLeaves(root).length === 0;
}
