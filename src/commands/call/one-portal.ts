// A call that is about one portal and its state → the portal as the run can reach it.
import { muster } from "../../run/fleet.js";
import { Failure } from "../../failure.js";
import { outcomeOfCheck, type Outcome } from "../../outcome.js";
import type { Prospect, Tools } from "../../run/portal.js";
import { shellWord } from "../../text.js";

export type OnePortal =
  | { readonly prospect: Prospect; readonly outcome?: undefined }
  /** Tells why there is none. */
  | { readonly prospect?: undefined; readonly outcome: Outcome };

export async function readOnePortal(
  command: string,
  files: readonly string[],
  tools: Tools,
): Promise<OnePortal> {
  const [file, second] = files;
  if (file === undefined || second !== undefined) {
    throw new Failure(
      "wrong-usage",
      "More than one file is meant, and this command is about one portal.",
      `Name one of them, such as:\n  lintel ${command} ${shellWord(file ?? "FILE")}`,
    );
  }
  const [member] = await muster(files, tools);
  if (member?.value) return { prospect: member.value };
  if (member?.failure && member.failure.code !== "file-invalid") throw member.failure;
  return { outcome: outcomeOfCheck(command, files, member?.diagnostics ?? []) };
}

export function nothingApplied({ desired }: Pick<Prospect, "desired">): Failure {
  return new Failure(
    "nothing-applied",
    `Nothing of "${desired.file}" was ever applied to its portal, so there is no state.`,
    `Begin with:\n  lintel apply ${shellWord(desired.file)}`,
  );
}
