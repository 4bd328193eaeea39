// Guard: the portal is older than the version that the file is written for.
import { parseVersion } from "../../catalog/version.js";
import type { Inputs } from "../inputs.js";
import type { GuardRule } from "./all.js";

export const olderPortal: GuardRule = {
  stops: "a portal that is older than `targetVersion`",
  help: "An older portal may store settings that it does not use. Better set targetVersion to the portal's version.",
  find({ inputs }) {
    const portal = comparePortal(inputs);
    if (!portal || portal.order >= 0) return [];
    const message = `The portal is ${portal.version}, older than the target ${inputs.target.asked}.`;
    return [{ path: null, message }];
  },
};

/** Compares major and minor: negative if the portal is older than the target; undefined without a known version. */
export function comparePortal({
  live,
  target,
}: Inputs): { readonly version: string; readonly order: number } | undefined {
  const version = live.kind === "read" ? live.version : undefined;
  const [is, wanted] = [parseVersion(version ?? ""), parseVersion(target.asked)];
  if (version === undefined || !is || !wanted) return undefined;
  return { version, order: is[0] - wanted[0] || is[1] - wanted[1] };
}
