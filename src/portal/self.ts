// A portal → what it says of itself, and of the user whose token it is given.
import type { JsonObject } from "../json.js";
import type { Exchange } from "./answer.js";
import { read, readJson, type Visit } from "./portal.js";

const RESOURCE = "/portals/self";

export function readSelf(visit: Visit): Promise<JsonObject> {
  return readJson(visit, RESOURCE);
}

/** With the request, for whoever shows what stands in the answer. */
export function askSelf(visit: Visit): Promise<Exchange> {
  return read(visit, RESOURCE);
}
