// How long the tokens live that a portal makes: as its own settings say, else as long as their documented defaults.
import { ADVANCED, findSetting } from "../../catalog/catalog.js";
import type { PortalConfigProperties } from "../../../schemas/names.js";
import { isJsonObject } from "../../json.js";
import type { SandboxContext } from "../context.js";

/** One that is made at sign-in, or asked for without a time. */
export function tokenMinutes(context: SandboxContext): number {
  return minutesOf(context, "tokenExpiration");
}

/** One of a user who chose to be kept signed in. */
export function keptMinutes(context: SandboxContext): number {
  return minutesOf(context, "longTokenExpiration");
}

/** However long was asked for. */
export function longestMinutes(context: SandboxContext): number {
  return Math.max(tokenMinutes(context), keptMinutes(context));
}

function minutesOf({ memory }: SandboxContext, name: keyof PortalConfigProperties): number {
  const advanced = memory.read().portals["self"]?.[ADVANCED];
  const set = isJsonObject(advanced) ? advanced[name] : undefined;
  // What somebody set from inside a test has been judged by nobody.
  return typeof set === "number" && set > 0
    ? set
    : Number(findSetting([ADVANCED, name])?.property?.default);
}
