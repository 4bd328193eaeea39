// lintel validate: files → every problem of each.
import type { Run, Words } from "./command.js";
import { QUIET } from "./options.js";
import { checkFile } from "../document/check/check-file.js";
import { findFiles } from "../document/find.js";
import { acrossFiles } from "../diagnostic.js";
import type { Io } from "../io.js";
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
  return checkResult(command, files, [...found, ...samePortals(checks)]);
}
