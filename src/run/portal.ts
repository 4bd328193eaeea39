// The story of one portal: what its file wants, what was applied last and what the portal shows → a plan → the plan carried out.
import { randomUUID } from "node:crypto";
import { assertFit, carryOut, recoverable, type Look, type Step } from "./apply.js";
import {
  portalUrlOf,
  recipientsOf,
  signInOf,
  stateAddressOf,
  withoutSettings,
  type Desired,
} from "../document/read/desired.js";
import { allowEntries, desiredLeaves } from "../document/read/leaves.js";
import { Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Http } from "../http/http.js";
import type { Permits, Recipients } from "../http/permits.js";
import type { Io } from "../io.js";
import type { Identity, Inputs, Last, Options } from "../plan/inputs.js";
import { isNothingToDo, makePlan, type Plan } from "../plan/plan.js";
import type { PortalAccess } from "../portal/portal.js";
import { readLive, readLiveAgain, unread } from "./live.js";
import { waitForOutcome, type Waiting } from "./open-journal.js";
import type { Session, SignIns } from "../session/sign-ins.js";
import type { DesiredLeaf } from "../settings.js";
import { authorOf } from "../state/author.js";
import { digestOf } from "../state/format.js";
import { identityOf, type PortalIdentity } from "../state/key.js";
import { DEFAULT_STATE, notKept, openStore } from "../state/open.js";
import { unknownForMs } from "../state/recover.js";
import type { Author, Hold, State } from "../state/state.js";
import { holderOn, readerOf, type StateReader, type Store } from "../state/store.js";
import type { Locking } from "../state/with-lock.js";

/** What all portals of a run share. */
export interface Tools {
  readonly io: Io;
  readonly http: Http;
  readonly signIns: SignIns;
  /** Where credentials may go; undefined in a run that looks at no portal. */
  readonly permits: Permits | undefined;
  readonly toolVersion: string;
  /** The command as it was called, for those who have to wait for its lock. */
  readonly run: string;
  readonly notice: (sentence: string) => void;
}

export interface Wishes extends Options {
  /** The guards opened on the command line. */
  readonly allow: readonly GuardName[];
}

/** A portal as a run can reach it. */
export interface Prospect {
  readonly desired: Desired;
  readonly identity: PortalIdentity;
  readonly portal: Identity;
  /** Opened by those who write; nobody else gets more than its reader. */
  readonly store: StateReader;
  readonly leaves: readonly DesiredLeaf[];
  readonly recipients: Recipients;
  readonly visit: PortalAccess;
  /** Why nobody can sign in; undefined where somebody can, as far as is known. */
  readonly unable?: Failure;
  readonly session?: Session;
  /** The open journal whose update this run has waited for. */
  readonly waitedFor?: string;
}

/** A prospect whose plan is made. */
export interface Planned extends Prospect, Look {
  readonly plan: Plan;
}

export function prepare(desired: Desired, tools: Tools): Prospect {
  const { io, http } = tools;
  const { name, id } = desired.portal;
  const identity = identityOf(portalUrlOf(desired), id);
  const portal = { name, url: identity.url, id };
  const store = readerOf(storeOf(desired, identity, tools));
  const leaves = desiredLeaves(desired.root);
  const recipients = recipientsOf(desired);
  const base = { desired: withoutSettings(desired), identity, portal, store, leaves, recipients };
  const visit: PortalAccess = { http, portal };
  try {
    const session = tools.signIns.open(signInOf(desired, io));
    return { ...base, session, visit: { ...visit, token: session.token } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...base, unable: error, visit };
  }
}

/**
 * Without credentials it looks at what anybody can see; where nobody has said which hosts are meant, at what was applied
 * last. Such a plan is for looking at alone.
 */
export async function plan(prospect: Prospect, tools: Tools, wishes: Wishes): Promise<Planned> {
  const state = wishes.compareWith === "live" ? undefined : await prospect.store.read();
  const refused = tools.permits?.refusal(prospect.recipients);
  if (refused && (tools.permits?.by === "list" || wishes.compareWith === "live")) throw refused;
  const { live, unable } = refused
    ? unread(prospect, refused)
    : await readLive(prospect, wishes, tools.notice);
  const look = { state, live };
  const thought = think(prospect, tools, wishes, look);
  return { ...prospect, ...look, ...(unable && { unable }), plan: withCause(thought, unable) };
}

/** A plan that cannot be applied because nobody could sign in tells what was missing, and what to do about it. */
function withCause(plan: Plan, unable: Failure | undefined): Plan {
  if (!plan.reason || !unable) return plan;
  const message = `${plan.reason.message} ${unable.message}`;
  return { ...plan, reason: { ...plan.reason, message, help: unable.help ?? plan.reason.help } };
}

/** The same look at the portal, with other wishes. */
export function planAgain(planned: Planned, tools: Tools, wishes: Wishes): Planned {
  return { ...planned, plan: think(planned, tools, wishes, planned) };
}

export interface ApplyWishes extends Wishes, Waiting {
  /** Whether the plan was looked at, so that nothing else may be carried out. */
  readonly isConfirmed: boolean;
  /** Absent for an apply. */
  readonly rollback?: { readonly why: string; readonly wants: Hold["wants"] };
}

/** Carries out a plan that was made by somebody signed in; returns the one that was carried out in the end. */
export async function apply(
  planned: Planned,
  tools: Tools,
  { lockTimeoutMs, mayWait, isConfirmed, rollback, ...wishes }: ApplyWishes,
  onStep?: (step: Step) => void,
): Promise<Plan> {
  const { io } = tools;
  const { desired, identity, visit, session } = planned;
  // A portal that is never read is signed in to only now, before anything is written down.
  await session?.endsAtMs();
  const by = await authorOf(io, desired.paths, await accountOf(planned));
  const since = new Date(io.now()).toISOString();
  const locking = lockingOf(planned, tools, by);
  const { store } = locking;
  return carryOut({
    io,
    file: desired.file,
    identity,
    ...locking,
    lockTimeoutMs,
    visit,
    kind: rollback ? "rollback" : "apply",
    by,
    lineage: randomUUID(),
    ...(rollback && { hold: { since, by, ...rollback } }),
    ...(isConfirmed && { confirmed: planned.plan }),
    look: async () => {
      const state = await store.read();
      await waitForOutcome(state, planned, tools, mayWait);
      return { state, live: await readLiveAgain(planned, planned.live) };
    },
    think: (look) => think(planned, tools, wishes, look),
    ...(onStep && { onStep }),
  });
}

/** The store with its writer, and who is going to hold its lock. */
export function lockingOf(
  { desired, identity }: Pick<Prospect, "desired" | "identity">,
  tools: Tools,
  by: Author,
): Omit<Locking, "lockTimeoutMs"> {
  const { io, run, notice } = tools;
  const since = new Date(io.now()).toISOString();
  return {
    store: storeOf(desired, identity, tools),
    notice,
    holder: holderOn(io.machine, {
      id: randomUUID(),
      who: by.actor,
      run: by.job ?? run,
      since,
    }),
  };
}

/** What an apply needs beside a plan; told before anybody is asked. */
export function assertApplicable(
  { desired, plan, state, live, unable }: Planned,
  { io }: Tools,
): void {
  if (unable) throw unable;
  if (isNothingToDo(plan)) return;
  const lost = notKept(desired.state, io.env);
  if (lost) throw lost;
  assertFit(plan, recoverable({ state, live }) ?? state, { file: desired.file, io });
}

function storeOf(desired: Desired, portal: PortalIdentity, { io, notice }: Tools): Store {
  const at = stateAddressOf(desired, io, portal.key) ?? { address: DEFAULT_STATE };
  return openStore({ io, ...at, file: desired.file, portal, notice });
}

function think(
  { desired, portal, leaves }: Prospect,
  { io, toolVersion }: Tools,
  { allow, send, compareWith }: Wishes,
  { state, live }: Look,
): Plan {
  const inputs: Inputs = {
    toolVersion,
    portal,
    target: desired.target,
    deployment: desired.deployment,
    desired: leaves,
    allow: { entries: allowEntries(desired.root), names: allow },
    today: new Date(io.now()).toISOString().slice(0, 10),
    last: state && lastOf(state, io.now()),
    live,
    options: { send, compareWith },
  };
  return makePlan(inputs);
}

function lastOf(state: State, nowMs: number): Last {
  const { lineage, serial, leaves, alsoSent, journal, history } = state;
  return {
    lineage,
    serial,
    // Of what it holds: a serial goes up with a journal that is closed again, too.
    digest: digestOf({ ...state, serial: 1 }),
    leaves,
    ...(alsoSent && { alsoSent }),
    seen: Object.keys(history.at(-1)?.live?.after ?? {}),
    ...(journal && {
      pending: {
        kind: journal.kind,
        settings: journal.settings,
        planDigest: journal.planDigest,
        unknownForMs: unknownForMs(journal, nowMs),
      },
    }),
  };
}

/** As the sign-in service knows it; some accounts may not see themselves. */
async function accountOf({ session }: Prospect): Promise<string | undefined> {
  if (!session?.whoAmI) return undefined;
  try {
    const { UserName, FullName, PrimaryEmail } = await session.whoAmI();
    const isText = (each: unknown): each is string => typeof each === "string" && !!each.trim();
    return [UserName, FullName, PrimaryEmail].find(isText);
  } catch (error) {
    const isNotShown = error instanceof Failure && error.code === "token-refused";
    if (isNotShown || (error as Failure).code === "answer-not-understood") return undefined;
    throw error;
  }
}
