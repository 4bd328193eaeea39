// lintel validate: files → every problem of each.
import type { CommandSpec, Run } from "./command.js";
import { POLICY, QUIET } from "./options.js";
import { checkByPolicies, openPolicing } from "../run/policing.js";
import { findFiles } from "../document/find.js";
import { acrossFiles, type Diagnostic } from "../diagnostic.js";
import type { Io } from "../io.js";
import { managedBeside } from "./call/beside.js";
import { amongMany } from "./call/many.js";
import { aboutOf, samePortals, type About } from "./call/same-portal.js";
import { checkResult } from "./result/result.js";

export const spec = {
  operands: "[FILE…]",
  options: { ...POLICY, ...QUIET },
  formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel validate", "portal.yaml, or portals/*.yaml"],
    ["lintel validate portals 'customers/**/*.yaml'", "folders and patterns"],
    ["lintel validate - < portal.yaml", "standard input"],
    ["lintel validate --policy ../policy", "check policies, too"],
    ["lintel validate -o text -o sarif=lintel.sarif", "write two reports"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, { operands, options }) => {
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
  const found: (readonly Diagnostic[])[] = [];
  const abouts: About[] = [];
  await amongMany(files.length, async () => {
    for (const file of files) {
      // Of each file no more is kept than that: thousands do not fit into memory together.
      const checked = await checkByPolicies(file, io, policing);
      found.push(checked.diagnostics);
      const about = aboutOf(checked);
      if (about) abouts.push(about);
    }
  });
  const beside = await managedBeside(abouts, io);
  const all = [...broken, ...acrossFiles(found), ...samePortals(abouts), ...beside];
  return checkResult(command, files, all);
}
