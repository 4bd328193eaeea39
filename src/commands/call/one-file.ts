// A call that is about one portal → its desired state, or the outcome that tells why there is none.
import { checkFile } from "../../document/check/check-file.js";
import { desiredOf, type Desired } from "../../document/read/desired.js";
import { findFiles } from "../../document/find.js";
import type { Checked } from "../../document/check/check.js";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage } from "../../failure.js";
import { shellWord } from "../../text.js";
import type { Io } from "../../io.js";
import { outcomeOfCheck, type Outcome } from "../../outcome.js";
import { checkText } from "../../report/text/diagnostic.js";
import type { Call, Result } from "../command.js";

export type OneFile =
  | { readonly desired: Desired; readonly checked: Checked; readonly outcome?: undefined }
  | { readonly desired?: undefined; readonly checked: Checked; readonly outcome: Outcome };

export async function readOneFile(
  command: string,
  io: Io,
  { operands }: Pick<Call, "operands">,
): Promise<OneFile> {
  const file = onlyFile(command, await findFiles(operands, io.cwd));
  const checked = await checkFile(file, io);
  if (checked.root && !hasErrors(checked.diagnostics)) {
    return { desired: desiredOf(file, checked.root), checked };
  }
  return { checked, outcome: outcomeOfCheck(command, [file], checked.diagnostics) };
}

export function onlyFile(command: string, [file, second]: readonly string[]): string {
  if (file !== undefined && second === undefined) return file;
  throw wrongUsage(
    "More than one file is meant, and this command is about one portal.",
    `Name one of them, such as:\n  lintel ${command} ${shellWord(file ?? "FILE")}`,
  );
}

/** The result of a command whose file is not fit to work with. */
export function invalid(outcome: Outcome): Result {
  return { outcome, text: (paint) => checkText(outcome, paint) };
}
