// What the portal of a file shows, as a pull may write it into a file.
import { arrivalIn } from "../../apply/snapshot.js";
import { planOptionsOf, planPortal, type PlannedPortal } from "../../apply/plan-portal.js";
import { assertReadable, type PortalContext } from "../../apply/portal-context.js";
import { isRollbackOpen } from "../../apply/preconditions.js";
import type { RunContext } from "../../apply/run-context.js";
import { referencePath } from "../../catalog/spelling.js";
import { pickSettings } from "../../cli/pick-settings.js";
import type { Pulled } from "../../document/edit/pull.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { isEqual, type Json, type JsonObject } from "../../lib/json.js";
import { shellWord, showTime, zoneOf } from "../../lib/text.js";
import type { Live } from "../../plan/inputs.js";
import { formatPath, isWithin, type DesiredLeaf, type Path } from "../../settings.js";

export interface Shown {
  readonly planned: PlannedPortal;
  readonly settings: JsonObject;
}

export async function readShown(run: RunContext, portal: PortalContext): Promise<Shown> {
  const planned = await planPortal(run, portal, planOptionsOf({ compareWith: "live" }));
  const settings = settingsOf(planned);
  const { live } = planned;
  await assertOutcomeKnown(portal, live, run.io);
  if (live.kind === "read" && live.unproven !== undefined) {
    run.notice(`"${portal.portal.name}": ${live.unproven} What the portal hides is not pulled.`);
  }
  return { planned, settings };
}

/** Until an open update has arrived, the portal shows values that the file has already changed. */
async function assertOutcomeKnown(
  { store, desired }: PortalContext,
  live: Live,
  io: Io,
): Promise<void> {
  const { state } = await store.read().catch((error: unknown) => {
    if (error instanceof Failure && error.code === "state-rewound") throw error;
    // What the portal shows can be written into a file without a state that is damaged or out of reach.
    return { state: undefined };
  });
  if (!state?.journal || arrivalIn({ state, live }, io) !== "unknown") return;
  const { kind, by, time } = state.journal;
  const begun = showTime(time, zoneOf(io));
  throw new Failure(
    "outcome-unknown",
    `The ${kind} that ${by.actor} began at ${begun} is not settled, so the portal may still show earlier values. Nothing was written.`,
    `To settle it:\n  lintel ${isRollbackOpen(state) ? "rollback" : "apply"} ${shellWord(desired.file)}`,
  );
}

/** The public view omits settings; a file made from that would unset them. */
function settingsOf({ live, unable, desired }: PlannedPortal): JsonObject {
  if (unable) throw unable;
  assertReadable(desired);
  if (live.kind === "read") return live.settings;
  throw new TypeError("a portal that may be read was not read");
}

/** A setting that --path names, or all below it. */
export interface Only {
  /** As the call names it. */
  readonly text: string;
  readonly path: Path;
}

export async function onlyNamed(
  names: readonly string[],
  files: readonly string[],
  io: Io,
): Promise<Only[]> {
  const paths = (await pickSettings(names, files, io)) ?? [];
  return paths.map((path, at) => ({ text: names[at] ?? "", path }));
}

export function isAmong(path: Path, only: readonly Only[]): boolean {
  return only.length === 0 || only.some((each) => isWithin(referencePath(path), each.path));
}

/** A portal that shows nothing has the documented default. */
export function isDifferent({
  value,
  action,
  shown,
}: Pick<DesiredLeaf, "value" | "action"> & { readonly shown: Json }): boolean {
  return !isEqual(shown, value) && !(action === "default" && shown === null);
}

export function pulledJson({ path, before = null, value, outcome, why }: Pulled) {
  return { path: formatPath(path), before, value, outcome, why: why ?? null };
}

export const NOTHING =
  "the portal shows nothing there, which a file cannot say; remove the line, or apply";
