// How long the tokens live that a portal makes: as its own settings say, else as long as their documented defaults.
import { ADVANCED, findSetting } from "../../catalog/catalog.js";
import type { PortalConfigProperties } from "../../../schemas/names.js";
import { isJsonObject } from "../../json.js";
import type { World } from "../world.js";

/** One that is made at sign-in, or asked for without a time. */
export function tokenMinutes(world: World): number {
  return minutesOf(world, "tokenExpiration");
}

/** One of a user who chose to be kept signed in. */
export function keptMinutes(world: World): number {
  return minutesOf(world, "longTokenExpiration");
}

/** However long was asked for. */
export function longestMinutes(world: World): number {
  return Math.max(tokenMinutes(world), keptMinutes(world));
}

function minutesOf({ store }: World, name: keyof PortalConfigProperties): number {
  const advanced = store.read().portals["self"]?.[ADVANCED];
  const set = isJsonObject(advanced) ? advanced[name] : undefined;
  // What somebody set from inside a test has been judged by nobody.
  return typeof set === "number" && set > 0
    ? set
    : Number(findSetting([ADVANCED, name])?.property?.default);
}
