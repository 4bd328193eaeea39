// Rule: the extent service is a map service.
import { isAddress } from "./not-an-address.js";
import { onValue, type Rule } from "./rule.js";

export const extent = {
  code: "extent-service",
  severity: "warning",
  meaning: "an extent service that is no map service",
  find: (view) => {
    const found = view.get("portalConfigProperties.extentService");
    if (typeof found?.value !== "string" || !isAddress(found.value)) return [];
    if (/\/MapServer\/?$/.test(new URL(found.value).pathname)) return [];
    const message =
      '"extentService" is not the address of a map service, which ends in "/MapServer".';
    const help =
      "It must be a tiled map service in the WGS84 geographic coordinate system (WKID 4326).";
    return [onValue(found, message, help)];
  },
} as const satisfies Rule;
