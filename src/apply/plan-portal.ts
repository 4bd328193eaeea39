// Plans one portal: reads its state and its live settings as of one time, and computes the plan. Also plans many.
import { arrivalIn, recoverable, type Snapshot } from "./snapshot.js";
import { divergentApplies } from "./divergent-applies.js";
import { eachPortal } from "./each-portal.js";
import { missedTexts, remark, printRemarks, type Remarks } from "./missed-windows.js";
import { assertOwnPortal, ownIn } from "./own-portal.js";
import { findingsOf, type Judged } from "./policy-checks.js";
import type { Member, PortalContext } from "./portal-context.js";
import { assertHeldByNobody, assertPreconditions } from "./preconditions.js";
import type { RunContext } from "./run-context.js";
import { skipped, skippingHeld } from "./skip-held.js";
import { pageAddress } from "../document/check/address.js";
import { Failure } from "../failure.js";
import { GUARDS, type GuardName } from "../guard.js";
import { UNASKED } from "../plan/inputs.js";
import type { Identity, Last, Live, Options, WindowOfLeaf } from "../plan/inputs.js";
import { asPreview, isNothingToDo, makePlan, type Plan } from "../plan/plan.js";
import { readView, readViewAgain, type OwnPortal } from "../portal/view.js";
import { keyOf } from "../catalog/spelling.js";
import { stateKindOf } from "../state-address/kinds.js";
import { assertMaySign } from "../state/checked-store.js";
import { notKept } from "../state/open.js";
import { reportedUnknownMs } from "../state/recover.js";
import { NOTHING_STORED, type Stored } from "../state/state-store.js";
import { appliesOf, authorText, isTaken, manualHoldOf, rollbackHoldOf } from "../state/state.js";
import type { Hold, SettledChange, State } from "../state/state.js";

export interface PlanOptions extends Omit<Options, "send"> {
  /** The guards that the command line allows. */
  readonly allow: readonly GuardName[];
  /** The guards that a yes at the prompt allows. */
  readonly allowAtPrompt?: readonly GuardName[];
  /** Sends no credentials, even if they are set. */
  readonly isPreview?: boolean;
}

/** Adds defaults, and sorts the guards in the order of the manual. */
export function planOptionsOf({
  allow = [],
  compareWith = "live-and-last",
  paths,
  due = [],
  isPreview = false,
}: { readonly [Name in keyof PlanOptions]?: PlanOptions[Name] | undefined }): PlanOptions {
  return {
    allow: GUARDS.filter((name) => allow.includes(name)),
    ...(paths && { paths }),
    ...(due.length > 0 && { due: UNASKED.filter((name) => due.includes(name)) }),
    compareWith,
    ...(isPreview && { isPreview }),
  };
}

export interface PlannedPortal extends PortalContext, Snapshot, Judged {
  readonly plan: Plan;
  /** The manual hold when the state was read. */
  readonly manualHold?: Hold;
  /** The portal's own identity; undefined if it was not read with a sign-in. */
  readonly own?: OwnPortal | undefined;
}

/** Plans the portals of all files, and warns about missed windows and portals that were not read. */
export async function planPortals(
  run: RunContext,
  files: readonly string[],
  options: PlanOptions,
): Promise<Member<PlannedPortal>[]> {
  const missed: Remarks = new Map();
  const members = await eachPortal(run, files, (portal) =>
    skippingHeld(run, portal, async () => {
      const planned = await planPortal(run, portal, options);
      const isNothing = isNothingToDo(planned.plan);
      const context = { file: portal.desired.file, io: run.io, divergent: planned.divergent };
      const state = recoverable(planned) ?? planned.state;
      if (run.skipsHeld && !isNothing) {
        await skipped(planned, () => assertHeldByNobody(planned, state, context));
      }
      // A plan for another time says nothing of what was missed before now.
      if (run.asOf === undefined) {
        remark(missed, missedTexts(planned, run.io), portal.portal.name);
      }
      if (!isNothing) run.progress.changes(portal.desired.file);
      return withoutOldValues(planned);
    }),
  );
  printRemarks(missed, run);
  // A plan that reads no portal, because no hosts are allowed, must not look like one that did.
  const { allowlist, isOnline } = run;
  const refusal = isOnline && allowlist.by !== "list" ? allowlist.refusal() : undefined;
  if (refusal && members.some(({ value }) => value?.unable)) {
    run.notice(
      `warning: Not every portal was read, and the plan compares with the last apply. ${refusal.message}\n${refusal.help ?? ""}`,
    );
  }
  return members;
}

/** A history with the values of 50 applies is too large to keep for 1,000 portals. */
export function withoutOldValues(planned: PlannedPortal): PlannedPortal {
  const { state } = planned;
  if (!state) return planned;
  const history = state.history.map((entry, at) => {
    if (at === state.history.length - 1) return entry;
    const { live: _left, ...rest } = entry;
    return rest;
  });
  return { ...planned, state: { ...state, history } };
}

const MOST_READS = 20;

/**
 * An apply of another run between the two reads would look like drift. But then the state has changed, so both are read
 * again. Without credentials it reads the public settings; without allowed hosts it compares with the state alone. Such
 * a plan cannot be applied.
 */
export async function planPortal(
  run: RunContext,
  portal: PortalContext,
  options: PlanOptions,
  known?: Stored,
): Promise<PlannedPortal> {
  const { store } = portal;
  const isForgotten = options.compareWith === "live";
  run.progress.at(portal.desired.file, "state");
  let stored = isForgotten ? NOTHING_STORED : (known ?? (await store.read()));
  for (let reads = 1; ; reads++) {
    const planned = await planFrom(stored, run, portal, options);
    if (isForgotten || !showsDrift(planned.plan) || reads === MOST_READS) return planned;
    const { version } = stored;
    stored = await store.read();
    if (stored.version === version) return planned;
  }
}

export function showsDrift({ changes }: Plan): boolean {
  return changes.some(({ notes }) => notes.some(({ code }) => code === "drift"));
}

async function planFrom(
  { state, version }: Stored,
  run: RunContext,
  portal: PortalContext,
  options: PlanOptions,
): Promise<PlannedPortal> {
  run.progress.at(portal.desired.file, "live");
  const { live, unable } = await readLive(portal, options, run);
  const own = ownIn(live);
  assertOwnPortal(own, state, portal.store);
  const divergent = await divergentApplies({ state, live }, portal, run.io);
  const look = { state, version, live, divergent };
  const plan = computePlan(run, portal, options, look);
  const manualHold = state && manualHoldOf(state, run.io.now());
  return {
    ...portal,
    ...look,
    ...(unable && { unable }),
    ...(own && { own }),
    ...(manualHold && { manualHold }),
    ...(portal.judging && { findings: findingsOf(portal, plan, run) }),
    plan: options.isPreview ? asPreview(plan) : unable ? withReason(plan, unable) : plan,
  };
}

/** Adds the reason to a plan that cannot be applied without a sign-in. */
function withReason(plan: Plan, unable: Failure): Plan {
  const { reason } = plan;
  if (!reason) return plan;
  const message = `${reason.message} ${unable.message}`;
  return { ...plan, reason: { ...reason, message, help: unable.help ?? reason.help } };
}

/** The same snapshot of the portal, planned with other options. */
export function planAgain(
  run: RunContext,
  planned: PlannedPortal,
  options: PlanOptions,
): PlannedPortal {
  return { ...planned, plan: computePlan(run, planned, options, planned) };
}

/** Checks everything that an apply requires besides a plan, before the prompt. */
export function assertApplicable(
  { io }: RunContext,
  { desired, plan, leaves, state, live, divergent, unable, store, findings }: PlannedPortal,
): void {
  if (unable) throw unable;
  if (isNothingToDo(plan)) return;
  const lost = notKept(desired.state, io.env);
  if (lost) throw lost;
  assertMaySign(state, { place: store.place, file: desired.file }, io);
  const context = { file: desired.file, io, divergent };
  assertPreconditions({ plan, leaves, findings }, recoverable({ state, live }) ?? state, context);
}

interface ReadLive {
  readonly live: Live;
  /** Why it was read without a sign-in, or not at all. */
  readonly unable?: Failure;
}

/** Reads as the signed-in administrator; without credentials, reads the public settings. */
async function readLive(
  portal: PortalContext,
  { compareWith, isPreview = false }: Pick<PlanOptions, "compareWith" | "isPreview">,
  { allowlist, notice }: RunContext,
): Promise<ReadLive> {
  const { desired, access } = portal;
  const refused = allowlist.refusal(portal.credentialHosts);
  const mustSignIn = portal.mustSignIn && compareWith !== "last" && desired.portal.mayRead;
  const isListed = allowlist.by === "list";
  if (refused && (isListed || mustSignIn || compareWith === "live")) throw refused;
  if (!desired.portal.mayRead) {
    return { live: { kind: "unread", why: "never" }, ...(refused && { unable: refused }) };
  }
  if (refused) return { live: { kind: "unread", why: "failed" }, unable: refused };
  if (compareWith === "last") return { live: { kind: "unread", why: "not-asked" } };
  let unable: Failure | undefined;
  try {
    if (!isPreview) {
      if (portal.unable) throw portal.unable;
      return { live: { kind: "read", view: "signed-in", ...(await readView(access)) } };
    }
  } catch (error) {
    // Without credentials, nothing was tried.
    const isUnable = error instanceof Failure && error.code === "credential-missing";
    if (!isUnable || mustSignIn) {
      throw withRightAddress(error, portal.portal) ?? withWayOut(error);
    }
    unable = error;
  }
  const { token: _none, ...anonymous } = access;
  try {
    return {
      live: { kind: "read", view: "anonymous", ...(await readView(anonymous)) },
      ...(unable && { unable }),
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "interrupted") throw error;
    notice(`"${desired.portal.name}" cannot be read without signing in: ${error.message}`);
    return { live: { kind: "unread", why: "failed" }, ...(unable && { unable }) };
  }
}

/** Reads the live settings again. The version is already known. */
export async function readLiveAgain({ access }: PortalContext, before: Live): Promise<Live> {
  if (before.kind === "unread") return before;
  const { account: _then, unproven: _before, ...known } = before;
  return { ...known, ...(await readViewAgain(access)) };
}

/** A portal that accepts updates but shows nothing is not down. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== "portal-refused") return error;
  return new Failure(
    error.code,
    error.message,
    `${error.help ?? ""}\nTo plan from the last apply, without reading the portal:\n  portal:\n    read: never`,
    { cause: error },
  );
}

/** Suggests the right address; undefined unless a web page answered instead of the portal's interface. */
export function withRightAddress(
  error: unknown,
  { url }: Pick<Identity, "url">,
): Failure | undefined {
  const isAnswer =
    error instanceof Failure && ["portal-refused", "answer-not-understood"].includes(error.code);
  const page = isAnswer ? pageAddress(url) : undefined;
  if (!page || !isAnswer) return undefined;
  return new Failure(error.code, `${error.message} ${page.message}`, page.help, { cause: error });
}

export function computePlan(
  { io, toolVersion, asOf, atMs }: RunContext,
  portal: PortalContext,
  { allow, allowAtPrompt, compareWith, paths, due }: PlanOptions,
  { state, live, divergent }: Snapshot,
): Plan {
  const { desired, leaves, schedule, isRollback, allow: entries } = portal;
  return makePlan({
    toolVersion,
    portal: portal.portal,
    target: desired.target,
    deployment: desired.deployment,
    desired: leaves,
    ...(schedule && { schedule }),
    ...(desired.timeZone !== undefined && { timeZone: desired.timeZone }),
    ...(asOf !== undefined && { asOf: new Date(asOf).toISOString() }),
    ...(isRollback && { isRollback }),
    allow: {
      entries,
      names: allow,
      ...(allowAtPrompt && { atPrompt: allowAtPrompt }),
      drift: desired.drift,
    },
    atMs,
    today: new Date(io.now()).toISOString().slice(0, 10),
    last: state && holdsAnything(state) ? lastOf({ state, live }, portal, io) : undefined,
    // A hold reports these applies itself.
    ...(divergent && !(state && rollbackHoldOf(state)) && { divergent }),
    live,
    options: {
      send: desired.portal.send,
      compareWith,
      ...(paths && { paths }),
      ...(due && { due }),
    },
  });
}

/** A refused first apply leaves an empty state, which must not make its plan stale. */
function holdsAnything({ leaves, history, journal }: State): boolean {
  return leaves.length > 0 || history.length > 0 || journal !== undefined;
}

/** The windows of applied leaves are only needed here. */
function lastOf(
  { state, live }: Snapshot & { readonly state: State },
  { schedule, stateAddress }: Pick<PortalContext, "schedule" | "stateAddress">,
  io: RunContext["io"],
): Last {
  const { lineage, serial, leaves, alsoSent, journal } = state;
  const hasSchedule = schedule !== undefined || leaves.some(({ given }) => given !== undefined);
  const newest = appliesOf(state).at(-1);
  return {
    lineage,
    serial,
    leaves,
    ...(stateKindOf(stateAddress.address) === "file" && { mayBeOlder: true }),
    ...(alsoSent && { alsoSent }),
    ...(newest && {
      applied: { number: newest.number, time: newest.time, by: authorText(newest.by) },
    }),
    seen: Object.keys(newest?.live?.after ?? {}),
    ...(hasSchedule && { windows: windowsApplied(state) }),
    ...(journal && {
      pending: {
        ...journal,
        ...(hasSchedule && { windows: windowsIn(journal.changes) }),
        unknownForMs: reportedUnknownMs(journal, io),
        arrival: arrivalIn({ state, live }, io),
      },
    }),
  };
}

/** The leaves whose last change came from a window. */
function windowsApplied(state: State): WindowOfLeaf[] {
  const found = new Map<string, WindowOfLeaf | undefined>();
  for (const { changes, outcome } of appliesOf(state)) {
    for (const change of outcome === "unknown" ? [] : changes.filter(isTaken)) {
      found.set(keyOf(change.path), windowsIn([change])[0]);
    }
  }
  return [...found.values()].filter((each) => each !== undefined);
}

function windowsIn(changes: readonly SettledChange[]): WindowOfLeaf[] {
  return changes.flatMap(({ path, window }) =>
    window?.is === "open" ? [{ path, window: window.name }] : [],
  );
}
