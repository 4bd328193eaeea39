// A portal → what it says of itself, and of the user whose token it is given.
import type { JsonObject } from "../json.js";
import { readJson, type Visit } from "./portal.js";

export function readSelf(visit: Visit): Promise<JsonObject> {
  return readJson(visit, "/portals/self");
}
