// A portal → its settings as whoever the token belongs to sees them; as anybody does, where there is none.
import type { JsonObject } from "../json.js";
import { readJson, type Visit } from "./portal.js";

/** Everything the portal shows, whether the reference lists it or not. */
export function readLive(visit: Visit): Promise<JsonObject> {
  return readJson(visit, "/portals/<portal_id>/settings");
}
