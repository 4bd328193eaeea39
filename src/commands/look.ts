// A portal that a file names → its settings as anybody sees them; or the reason why it is not looked at.
import { listedIn } from "../catalog/catalog.js";
import { portalUrlOf, type Desired } from "../document/desired.js";
import { Failure } from "../failure.js";
import { ALLOWED_HOSTS, assertAllowedHost } from "../http/hosts.js";
import type { Io } from "../io.js";
import type { JsonObject } from "../json.js";
import { readLive } from "../portal/live.js";
import type { Network } from "./network.js";

/** The one place where a preview asks a portal, and where it is decided whether it may. Nobody signs in. */
export async function lookAsAnybody(
  desired: Desired,
  { http }: Pick<Network, "http">,
  io: Io,
): Promise<JsonObject> {
  const url = portalUrlOf(desired);
  if (!desired.portal.mayRead) {
    throw new Failure(
      "portal-refused",
      `"${desired.file}" says that the portal cannot be read.`,
      "If it can be read, remove the line:\n  read: never",
    );
  }
  // No credential goes there; but a list says which hosts a run has to do with.
  if (URL.canParse(url)) assertAllowedHost(new URL(url), io.env[ALLOWED_HOSTS]);
  try {
    return listedIn(await readLive({ http, portal: { url, id: desired.portal.id } }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "portal-refused") throw error;
    throw new Failure(
      error.code,
      error.message,
      `The preview signs nobody in. To compare with what an administrator sees:\n  lintel plan ${desired.file}`,
      { cause: error },
    );
  }
}
