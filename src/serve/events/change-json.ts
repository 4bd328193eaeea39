// Renders changes and drift as plain JSON, and their paths as text.
import type { Json } from "../../lib/json.js";
import type { Change, Drift } from "../../apply/reconcile.js";
import { formatPath } from "../../settings.js";
import type { SettledChange } from "../../state/state.js";
import { someOf } from "../../lib/text.js";

export type ChangeJson = ReturnType<typeof changeJson>;
export type DriftJson = ReturnType<typeof driftJson>;

export function driftJson({ path, proven, live, isManaged }: Drift) {
  return { path: formatPath(path), proven, live, managed: isManaged };
}

export function changeJson({ path, action, cause, before, after, window }: Change | SettledChange) {
  const by: Json = window ? { name: window.name, is: window.is, since: window.since } : null;
  // A history leaves out unknown values.
  return { path: formatPath(path), action, cause, window: by, before: before ?? null, after };
}

/** The first few, in quotes. */
export function pathsIn(all: readonly Pick<Change, "path">[]): string {
  return someOf(
    all.map(({ path }) => `"${formatPath(path)}"`),
    "setting",
    3,
  );
}
