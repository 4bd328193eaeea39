// What is told of a portal → the settings that people see, such as its banner, as they were and as they will be.
import type { ParameterName } from "../../../schemas/names.js";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json.js";
import type { Change } from "../../plan/diff.js";
import { isSent, withLeaf } from "../../settings.js";
import type { PortalReport } from "./portal.js";

export const BANNER = "informationalBanner" satisfies ParameterName;

const PICTURED = [
  BANNER,
  "anonymousAccessNotice",
  "authenticatedAccessNotice",
] as const satisfies readonly ParameterName[];

/** One of them on both sides. */
export interface Sides {
  readonly parameter: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Of those parameters that change. */
export function sidesOf(report: PortalReport): Sides[] {
  const { changes } = report;
  return sidesBetween(changes.filter(isSent), () => bothSides(report, changes));
}

/** The same of settings as they were and will be, which are asked for where they are needed. */
export function sidesBetween(
  changes: readonly Pick<Change, "path">[],
  both: () => Readonly<Record<"before" | "after", JsonObject>> | undefined,
): Sides[] {
  const changed = new Set(changes.map(({ path }) => path[0]));
  const pictured = PICTURED.filter((name) => changed.has(name));
  const sides = pictured.length > 0 ? both() : undefined;
  if (!sides) return [];
  return pictured.map((parameter) => ({
    parameter,
    before: fitToDraw(sides.before[parameter]),
    after: fitToDraw(sides.after[parameter]),
  }));
}

/** As far as the plan tells: what is sent is whole, else there is what the file wants. */
function bothSides({ result: { plan }, isDrift }: PortalReport, changes: readonly Change[]) {
  if (!plan) return undefined;
  const sent = plan.request?.settings ?? {};
  const others = plan.leaves.filter(({ path }) => !Object.hasOwn(sent, String(path[0])));
  const wanted = others.reduce(withLeaf, sent);
  const live = withSide(wanted, plan.changes, "before");
  if (!isDrift) return { before: live, after: wanted };
  return { before: withSide(live, changes, "before"), after: withSide(live, changes, "after") };
}

function withSide(settings: JsonObject, changes: readonly Change[], side: "before" | "after") {
  return changes.reduce(
    (held, each) => withLeaf(held, { path: each.path, value: each[side] }),
    settings,
  );
}

/** Settings read from a portal have not been checked: what is of no use for a picture is left out. */
function fitToDraw(value: Json | undefined): JsonObject {
  const held = Object.entries(isJsonObject(value) ? value : {}).filter(
    ([name, each]) => typeof each === "string" || (name === "enabled" && typeof each === "boolean"),
  );
  return Object.fromEntries(held);
}
