// A portal → its settings as whoever the token belongs to sees them; as anybody does, where there is none.
import { catalog } from "../catalog/catalog.js";
import type { JsonObject } from "../json.js";
import { readJson, type Visit } from "./portal.js";

/** Everything the portal shows, whether the reference lists it or not. */
export function readLive(visit: Visit): Promise<JsonObject> {
  // The reference shows the update alone; real portals show the settings one step above it.
  return readJson(visit, catalog.update.path.replace(/\/update$/, ""));
}
