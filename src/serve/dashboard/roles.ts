// Decides from the groups of a signed-in user what they may see and do.
import { nameMatcher } from "../../document/find.js";
import type { User } from "./access.js";

/** As lintel.yaml says it: names of groups, and patterns of portal names for each group of operators. */
export interface Roles {
  /** Undefined lets everybody in who passes the proxy. */
  readonly viewers?: readonly string[] | undefined;
  readonly operators: Readonly<Record<string, readonly string[]>>;
}

export const NO_ROLES: Roles = { operators: {} };

export interface RoleCheck {
  mayView(user: User): boolean;
  mayOperate(user: User, portal: { readonly name: string }): boolean;
}

export async function openRoles({ viewers, operators }: Roles): Promise<RoleCheck> {
  const groups = await Promise.all(
    Object.entries(operators).map(async ([group, patterns]) => ({
      group,
      matchers: await Promise.all(patterns.map(nameMatcher)),
    })),
  );
  return {
    mayView: (user) =>
      viewers === undefined ||
      user.groups.some((each) => viewers.includes(each) || Object.hasOwn(operators, each)),
    mayOperate: (user, { name }) =>
      groups.some(
        ({ group, matchers }) =>
          user.groups.includes(group) && matchers.some((isMatch) => isMatch(name)),
      ),
  };
}
