// A portal → what it says of itself, and of the user whose token it is given.
import type { JsonObject } from "../json.js";
import type { Exchange } from "./answer.js";
import { read, readJson, type PortalAccess } from "./portal.js";

const RESOURCE = "/portals/self";

export function readSelf(access: PortalAccess): Promise<JsonObject> {
  return readJson(access, RESOURCE);
}

/** With the request, for whoever shows what stands in the answer. */
export function askSelf(access: PortalAccess): Promise<Exchange> {
  return read(access, RESOURCE);
}
