// The portals that a sandbox holds: "self", and as many beside it as were asked for.
import type { SandboxContext } from "../context.js";

/** The id under which a portal that stands alone knows itself. */
export const SELF_ID = "0123456789ABCDEF";

export function portalIds(context: SandboxContext): readonly string[] {
  const beside = Array.from({ length: context.switches.portals }, (_, at) => `portal-${at + 1}`);
  return ["self", ...beside];
}

/** The name under which a portal's settings are stored, for any of the ids it goes by. */
export function findPortal(context: SandboxContext, id: string): string | undefined {
  return portalIds(context).find((each) => each === (id === SELF_ID ? "self" : id));
}

export function portalName(portal: string): string {
  return portal === "self" ? "Sandbox portal" : `Sandbox ${portal}`;
}
