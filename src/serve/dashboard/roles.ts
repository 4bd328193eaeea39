// Decides from the groups of a signed-in user what they may see and do.
import { nameMatcher } from "../../document/find.js";
import { listed } from "../../lib/text.js";
import type { User } from "./access.js";

/** The roles in lintel.yaml: groups of viewers, and portal name patterns for each group of operators. */
export interface Roles {
  /** Undefined allows every user who passes the proxy. */
  readonly viewers?: readonly string[] | undefined;
  readonly operators: Readonly<Record<string, readonly string[]>>;
}

export const NO_ROLES: Roles = { operators: {} };

export interface RoleCheck {
  mayView(user: User): boolean;
  mayOperate(user: User, portal: { readonly name: string }): boolean;
  /** "viewer", or "operator of north-*". */
  roleOf(user: User): string;
}

export async function openRoles({ viewers, operators }: Roles): Promise<RoleCheck> {
  const groups = await Promise.all(
    Object.entries(operators).map(async ([group, patterns]) => ({
      group: withoutSlash(group),
      patterns,
      matchers: await Promise.all(patterns.map(nameMatcher)),
    })),
  );
  const viewing =
    viewers && new Set([...viewers.map(withoutSlash), ...groups.map(({ group }) => group)]);
  const operating = ({ groups: own }: User) => {
    const names = new Set(own.map(withoutSlash));
    return groups.filter(({ group }) => names.has(group));
  };
  return {
    mayView: (user) => !viewing || user.groups.some((each) => viewing.has(withoutSlash(each))),
    mayOperate: (user, { name }) =>
      operating(user).some(({ matchers }) => matchers.some((isMatch) => isMatch(name))),
    roleOf(user) {
      const patterns = [...new Set(operating(user).flatMap((each) => each.patterns))];
      if (patterns.length === 0) return "viewer";
      return `operator of ${patterns.includes("*") ? "all portals" : listed(patterns)}`;
    },
  };
}

/** Keycloak writes the group "gis-admins" as "/gis-admins". A nested group keeps its path. */
function withoutSlash(group: string): string {
  return group.replace(/^\//, "");
}
