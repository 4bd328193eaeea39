// lintel validate: files → every problem of each.
import type { Run, Words } from "./command.js";
import { QUIET } from "./options.js";
import { checkFile } from "../document/check/check-file.js";
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
  options: QUIET,
  formats: ["text", "json", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel validate", "portal.yaml here, else every portals/*.yaml"],
    ["lintel validate portals 'customers/**/*.yaml'", "folders and patterns"],
    ["lintel validate - < portal.yaml", "standard input"],
    ["lintel validate --output text --output sarif=lintel.sarif", "two reports at once"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, { operands }) => {
  return checkFiles("validate", await findFiles(operands, io.cwd), io);
};

export async function checkFiles(command: string, files: readonly string[], io: Io) {
  const checks = [];
  for (const file of files) checks.push(await checkFile(file, io));
  const found = acrossFiles(checks.map(({ diagnostics }) => diagnostics));
  const named = checks.flatMap(({ file, root, diagnostics }) => {
    if (!root || hasErrors(diagnostics) || isPart(file)) return [];
    const { url = "", id } = desiredOf(file, root).portal;
    return [{ file, url, id }];
  });
  const beside = await managedBeside(named, io);
  return checkResult(command, files, [...found, ...samePortals(checks), ...beside]);
}
