// lintel validate: files → every problem of each.
import { checkFile } from "../document/check/check-file.js";
import { findFiles } from "../document/find.js";
import { acrossFiles } from "../diagnostic.js";
import { samePortals } from "./call/same-portal.js";
import { outcomeOfCheck } from "../outcome.js";
import { checkText } from "../report/text/diagnostic.js";
import type { Run } from "./command.js";

export const run: Run = async (io, { operands }) => {
  const files = await findFiles(operands, io.cwd);
  const checks = [];
  for (const file of files) checks.push(await checkFile(file, io));
  const diagnostics = [
    ...acrossFiles(checks.map((each) => each.diagnostics)),
    ...samePortals(checks),
  ];
  const outcome = outcomeOfCheck("validate", files, diagnostics);
  return { outcome, text: (paint) => checkText(outcome, paint) };
};
