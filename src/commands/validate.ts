// lintel validate: files → every problem of each.
import { checkFile } from "../document/check-file.js";
import { findFiles } from "../document/find.js";
import { eachOnce } from "../diagnostic.js";
import { outcomeOfCheck } from "../outcome.js";
import { checkText } from "../report/text.js";
import type { Run } from "./command.js";

export const run: Run = async (io, { operands }) => {
  const files = findFiles(operands, io.cwd);
  const diagnostics = [];
  for (const file of files) diagnostics.push(...(await checkFile(file, io)).diagnostics);
  const outcome = outcomeOfCheck("validate", files, eachOnce(diagnostics));
  return { outcome, text: (paint) => checkText(outcome, paint) };
};
