// A portal's stored settings and who asks → the settings that this caller gets to see.
import { ADVANCED, catalog, findSetting } from "../../catalog/catalog.js";
import type { ValueType } from "../../catalog/facts.js";
import { isJsonObject, type JsonObject } from "../../json.js";
import type { Caller } from "../sign-in/caller.js";

// Real portals answer with much that no reference document lists; a client must neither trip over it nor send it back.
const STOCK: JsonObject = {
  allowedRedirectUris: [],
  culture: "en",
  defaultExtent: {
    xmin: -20037508,
    ymin: -15000000,
    xmax: 20037508,
    ymax: 15000000,
    spatialReference: { wkid: 102100, latestWkid: 3857 },
  },
  featuredGroups: [],
  helperServices: { geometry: { url: "https://services.example.com/rest/services/Geometry" } },
};

// What tells how a portal is run rather than what its pages show.
const PRIVATE: readonly unknown[] = [
  "minutes",
  "array of domain names",
  "string or `false`",
] satisfies ValueType[];

/**
 * | caller        | notices, banner | advanced properties            | booleans | the rest |
 * |---------------|-----------------|--------------------------------|----------|----------|
 * | anonymous     | yes             | those that pages are made from | no       | stock    |
 * | member        | yes             | those that pages are made from | yes      | stock    |
 * | administrator | yes             | all                            | yes      | all      |
 *
 * What was never set is absent for everybody.
 */
export function visibleTo(caller: Caller, stored: JsonObject): JsonObject {
  if (caller.kind === "signed-in" && caller.isAdministrator) return { ...STOCK, ...stored };
  const shown = catalog.parameters.flatMap(({ name, object }): [string, JsonObject[string]][] => {
    const value = stored[name];
    if (value === undefined) return [];
    if (name === ADVANCED && isJsonObject(value)) {
      const open = Object.entries(value).filter(([property]) => isOpen(property));
      return open.length > 0 ? [[name, Object.fromEntries(open)]] : [];
    }
    return object !== undefined || caller.kind === "signed-in" ? [[name, value]] : [];
  });
  return { ...STOCK, ...Object.fromEntries(shown) };
}

function isOpen(name: string): boolean {
  const property = findSetting([ADVANCED, name])?.property;
  return property !== undefined && !PRIVATE.includes(property.type);
}
