// lintel validate: files → every problem of each.
import type { Run, Words } from "./command.js";
import { POLICY, QUIET } from "./options.js";
import { checkByPolicies, openPolicing } from "../run/policing.js";
import { findFiles } from "../document/find.js";
import { acrossFiles, hasErrors } from "../diagnostic.js";
import { isPart } from "../document/check/check.js";
import { desiredOf } from "../document/read/desired.js";
import type { Io } from "../io.js";
import { managedBeside } from "./call/beside.js";
import { samePortals } from "./call/same-portal.js";
import { checkResult } from "./result/result.js";

export const words = {
  operands: "[FILE…]",
  options: { ...POLICY, ...QUIET },
  formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel validate", "portal.yaml here, else every portals/*.yaml"],
    ["lintel validate portals 'customers/**/*.yaml'", "folders and patterns"],
    ["lintel validate - < portal.yaml", "standard input"],
    ["lintel validate --policy ../policy", "by an organisation's own rules, too"],
    ["lintel validate --output text --output sarif=lintel.sarif", "two reports at once"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, { operands, options }) => {
  return checkFiles("validate", await findFiles(operands, io.cwd), io, options.policy);
};

export async function checkFiles(
  command: string,
  files: readonly string[],
  io: Io,
  policies: readonly string[] = [],
) {
  const policing = openPolicing(policies, io);
  const broken = await policing.problems();
  const checks = [];
  for (const file of files) checks.push(await checkByPolicies(file, io, policing));
  const found = acrossFiles(checks.map(({ diagnostics }) => diagnostics));
  const named = checks.flatMap(({ file, root, diagnostics }) => {
    if (!root || hasErrors(diagnostics) || isPart(file)) return [];
    const { url = "", id } = desiredOf(file, root).portal;
    return [{ file, url, id }];
  });
  const beside = await managedBeside(named, io);
  return checkResult(command, files, [...broken, ...found, ...samePortals(checks), ...beside]);
}
