// A portal that a file names → its settings as anybody sees them; or the reason why it is not looked at.
import { listedIn } from "../../catalog/catalog.js";
import { portalUrlOf, type Desired } from "../../document/read/desired.js";
import { Failure } from "../../failure.js";
import { recipientsOf } from "../../http/permits.js";
import type { JsonObject } from "../../lib/json.js";
import { readLive } from "../../portal/portal.js";
import type { Network } from "./network.js";
import { shellWord } from "../../lib/text.js";

/** The one place where a preview asks a portal, and where it is decided whether it may. Nobody signs in. */
export async function lookAsAnybody(
  desired: Desired,
  { http, permits }: Pick<Network, "http" | "permits">,
): Promise<JsonObject> {
  const url = portalUrlOf(desired);
  assertReadable(desired);
  // No credential goes there, so that a person need not be asked; where none is there, the list says what a run may ask.
  const address = permits.by !== "person" && URL.canParse(url) ? new URL(url) : undefined;
  const refusal = address && permits.refusal(recipientsOf(address, address));
  if (refusal) throw refusal;
  try {
    return listedIn(await readLive({ http, portal: { url, id: desired.portal.id } }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "portal-refused") throw error;
    throw new Failure(
      error.code,
      error.message,
      `The preview signs nobody in. To compare with what an administrator sees:\n  lintel plan ${shellWord(desired.file)}`,
      { cause: error },
    );
  }
}

export function assertReadable({ file, portal }: Omit<Desired, "root">, consequence = ""): void {
  if (portal.mayRead) return;
  throw new Failure(
    "portal-refused",
    `"${file}" says that the portal cannot be read${consequence}.`,
    "If it can be read, remove the line:\n  read: never",
  );
}
