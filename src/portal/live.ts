// A portal → its settings as whoever the token belongs to sees them; as anybody does, where there is none.
import type { JsonObject } from "../json.js";
import { understandExactly } from "./answer.js";
import { read, type PortalAccess } from "./portal.js";

/** Everything the portal shows, whether the reference lists it or not, and exactly as it may be sent back. */
export async function readLive(access: PortalAccess): Promise<JsonObject> {
  return understandExactly(await read(access, "/portals/<portal_id>/settings"));
}
