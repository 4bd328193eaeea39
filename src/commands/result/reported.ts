// What became of a portal → what the reports that were asked for need of it: all of it, or their own words alone.
import type { Action } from "../../plan/diff.js";
import type { PortalResult, Remainder } from "../../plan/result.js";
import { PLAIN, type Paint } from "../../report/text/paint.js";
import { portalJson } from "../../report/data/plan.js";
import { isShort, paragraphOf } from "../../report/text/plan.js";
import type { Call } from "../command.js";

export interface Reported {
  readonly rest: Remainder;
  /** Absent where the plan was let go. */
  readonly whole?: PortalResult;
  text(paint: Paint): string;
  json(): string;
}

export function whole(result: PortalResult): Reported {
  return {
    rest: result,
    whole: result,
    text: (paint) => paragraphOf(result, paint),
    json: () => portalJson(result),
  };
}

/** One for all, because there may be a million changes. */
const ACTIONS = {
  set: { action: "set" },
  default: { action: "default" },
  release: { action: "release" },
  adopt: { action: "adopt" },
} as const satisfies Record<Action, { action: Action }>;

/** Printed at once and kept as bytes, a tenth of what a plan takes. */
export function packed(
  result: PortalResult,
  { destinations, paint }: Pick<Call, "destinations" | "paint">,
  portals: number,
): Reported {
  // These weigh all portals against each other before they say anything of one.
  if (destinations.some(({ format }) => format === "markdown" || format === "html")) {
    return whole(result);
  }
  const texts = new Map<Paint, Buffer>();
  let json: Buffer | undefined;
  for (const { format, file } of destinations) {
    const own = file === undefined ? paint : PLAIN;
    if (format === "json") json ??= Buffer.from(portalJson(result));
    else if (!isShort(result, portals)) texts.set(own, Buffer.from(paragraphOf(result, own)));
  }
  const { plan } = result;
  return {
    rest: {
      ...result,
      plan: plan && {
        changes: plan.changes.map(({ action }) => ACTIONS[action]),
        applicable: plan.applicable,
        guards: plan.guards.map(({ name, isOpen }) => ({ name, isOpen })),
      },
    },
    text: (own) => kept(texts.get(own)),
    json: () => kept(json),
  };
}

function kept(bytes: Buffer | undefined): string {
  if (!bytes) throw new TypeError("a report was not asked for");
  return bytes.toString();
}
