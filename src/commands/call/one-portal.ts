// A call that is about one portal and its state → the portal as the run can reach it.
import { eachPortal } from "../../run/fleet.js";
import { Failure } from "../../failure.js";
import { outcomeOfCheck, type Outcome } from "../../outcome.js";
import type { ReachablePortal, Tools } from "../../run/reachable.js";
import { shellWord } from "../../text.js";

export type OnePortal =
  | { readonly portal: ReachablePortal; readonly outcome?: undefined }
  /** Tells why there is none. */
  | { readonly portal?: undefined; readonly outcome: Outcome };

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
  const [member] = await eachPortal(files, tools, 1, async (portal) => portal);
  if (member?.value) return { portal: member.value };
  if (member?.failure && member.failure.code !== "file-invalid") throw member.failure;
  return { outcome: outcomeOfCheck(command, files, member?.diagnostics ?? []) };
}
