// The portals that a sandbox holds: "self", and as many beside it as were asked for.
import type { World } from "../world.js";

/** The id under which a portal that stands alone knows itself. */
export const SELF_ID = "0123456789ABCDEF";

export function portalIds(world: World): readonly string[] {
  const beside = Array.from({ length: world.switches.portals }, (_, at) => `portal-${at + 1}`);
  return ["self", ...beside];
}

/** The name under which a portal's settings are stored, for any of the ids it goes by. */
export function findPortal(world: World, id: string): string | undefined {
  return portalIds(world).find((each) => each === (id === SELF_ID ? "self" : id));
}

export function portalName(portal: string): string {
  return portal === "self" ? "Sandbox portal" : `Sandbox ${portal}`;
}
