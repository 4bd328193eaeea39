// lintel state sign and accept: shows each state, asks, and signs it with the key of the environment or accepts an older one.
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { StateSignFacts } from "../documents.js";
import { stateText } from "../../report/state-report.js";
import type { Styles } from "../../report/styles.js";
import { eachMember, eachPortal } from "../../apply/each-portal.js";
import type { PortalContext } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { authorOf } from "../../state/author/author.js";
import { oldnessOf } from "../../state/checked-store.js";
import { forgetSeen, lastSeen, rememberSeen, type LastSeen } from "../../state/last-seen.js";
import { rewound } from "../../state/refusal.js";
import { distrust, signedWith, stateKeysIn } from "../../state/signature.js";
import type { State } from "../../state/state.js";
import { StateConflict, type StateStore, type Stored } from "../../state/state-store.js";
import { accepted, trusted } from "../../state/steps.js";
import { counted, showTime, zoneOf } from "../../lib/text.js";
import { openRun, resultOfRun } from "../../cli/open-run.js";
import type { ParsedArguments, Result } from "../command.js";
import type { FLEET, YES } from "../options.js";
import { partOf, resultOfMembers, type Part } from "../../cli/portal-parts.js";
import { assertConfirmed } from "./confirm.js";

type SignCall = ParsedArguments<typeof FLEET & typeof YES>;

type SignAction = "sign" | "accept";

/** A state as it stands. */
interface CheckedState {
  readonly portal: PortalContext;
  readonly store: StateStore;
  readonly stored: Stored;
  readonly memoryName: string;
  /** Why it is neither trusted nor gone on with; undefined where there is nothing to do. */
  readonly doubt: Doubt | undefined;
}

interface Doubt {
  /** To go on from the name of the state. */
  readonly shown: string;
  /** For the history. */
  readonly why: string;
}

export async function signStates(
  io: Io,
  call: SignCall,
  operands: readonly string[],
  action: SignAction,
): Promise<Result> {
  if (action === "sign") assertKeyIn(io);
  const named = { operands, options: call.options };
  const how = { isOnline: false, purpose: "state" } as const;
  await using run = await openRun(`state ${action}`, io, named, how);
  const members = await eachPortal(run, run.files, (portal) => check(run, portal, action));
  const open = members.flatMap(({ value }) => (value?.doubt ? [value] : []));
  for (const each of open)
    run.io.stderr.write(`${shownText(each, call.styles.in(zoneOf(run.io)))}\n`);
  if (open.length > 0) {
    const states = counted(open.length, "state");
    const question =
      action === "sign"
        ? `From now on all of this is trusted as what was applied. Sign ${states}?`
        : open.some(({ stored }) => !stored.state)
          ? `A new state does not know what was changed by hand: the next apply overwrites it. Accept ${states}?`
          : `What was applied since shows as drift. Accept ${states}?`;
    await assertConfirmed(question, run.io, call);
  }
  const { files, folders } = run;
  const done = await eachMember(run, members, (checked) => signOne(run, checked, action));
  return resultOfRun(run, resultOfMembers(done, { command: "state", files, folders }));
}

function assertKeyIn(io: Io): void {
  const { own, isEmpty } = stateKeysIn(io);
  if (own !== undefined) return;
  throw wrongUsage(
    `There is no key to sign with: LINTEL_STATE_KEY is ${isEmpty ? "empty" : "not set"}.`,
    "Make one, and keep it where the pipeline keeps its secrets:\n  openssl rand -hex 32",
  );
}

async function check(
  run: RunContext,
  portal: PortalContext,
  action: SignAction,
): Promise<CheckedState> {
  const { io } = run;
  const store = unchecked(run, portal);
  const memoryName = await store.memoryName();
  const seen = lastSeen(memoryName, io);
  const stored = await store.read();
  const { state } = stored;
  const older = seen && oldnessOf(state, seen);
  const isToSign = action === "sign";
  const keys = stateKeysIn(io);
  // To sign moves it to the new key, too.
  const odd = state && distrust(state, isToSign ? { ...keys, old: undefined } : keys);
  const checked = { portal, store, stored, memoryName };
  if (!seen || older === undefined) {
    return { ...checked, doubt: isToSign && odd !== undefined ? trustDoubt(odd) : undefined };
  }
  if (!isToSign) return { ...checked, doubt: ageDoubt(state, { seen, older, odd }, io) };
  const doubted = { place: store.place, recovery: store.recovery(), file: portal.desired.file };
  throw rewound(doubted, older, seen.serial);
}

function trustDoubt(odd: string): Doubt {
  return { shown: odd, why: `trusted though it ${odd}` };
}

interface Older {
  readonly seen: LastSeen;
  readonly older: string;
  /** Why it is not trusted either. */
  readonly odd: string | undefined;
}

function ageDoubt(state: State | undefined, { seen, older, odd }: Older, io: Io): Doubt {
  const { serial, lineage, time } = seen;
  const shownTime = time === undefined ? "" : ` (at ${showTime(time, zoneOf(io))})`;
  const also = odd === undefined ? "" : `, and it ${odd}`;
  const last = `serial ${serial}${time === undefined ? "" : ` seen at ${time}`}`;
  const why = state?.lineage === lineage ? `older than ${last}` : `started again after ${last}`;
  return {
    shown: `${older}${withSerial(state, seen)}; the last one seen here has serial ${serial}${shownTime}${also}`,
    why: `${why}${also}`,
  };
}

/** Of a state that was started again; an older one is named by its serial. */
function withSerial(state: State | undefined, { lineage }: LastSeen): string {
  return state && state.lineage !== lineage ? `, and has serial ${state.serial}` : "";
}

function unchecked(
  { stores, notice }: RunContext,
  { desired, identity, stateAddress }: PortalContext,
): StateStore {
  const own = { file: desired.file, portal: identity, notice };
  const { address, written } = stateAddress;
  return stores.open({ address, written, ...own, isUnchecked: true });
}

function shownText({ portal, store, stored, doubt }: CheckedState, styles: Styles): string {
  return `${stateText({ ...portal, store }, stored, styles)}Not trusted so far: it ${doubt?.shown}.\n`;
}

async function signOne(
  { io }: RunContext,
  { portal, store, stored, memoryName, doubt }: CheckedState,
  action: SignAction,
): Promise<Part> {
  const { state, version } = stored;
  const { place } = store;
  const part = (text: string, serial = state?.serial ?? null, signed = false) =>
    partOf({ place, signed, serial } satisfies StateSignFacts, [["state", text]]);
  if (!doubt) {
    const [there, none] =
      action === "sign"
        ? ["already signed", "there is none; the first apply signs it"]
        : ["nothing to accept: no newer one was seen here", "there is none"];
    return part(state ? there : none);
  }
  if (!state) {
    forgetSeen(memoryName, io);
    return part("there is none; the next apply begins one, and overwrites changes made by hand");
  }
  const { own: key } = stateKeysIn(io);
  if (state.signature && key === undefined) {
    // To read it is all that this machine may do.
    rememberSeen(memoryName, state, io);
    return part(
      `accepted on this machine, with serial ${state.serial}; it is signed, and stays as it is`,
    );
  }
  const by = await authorOf(io, portal.desired.paths);
  const note = { time: new Date(io.now()).toISOString(), by, why: doubt.why };
  const next = action === "sign" ? trusted(state, note) : accepted(state, note);
  const written = key === undefined ? next : signedWith(key, next);
  try {
    await store.write(written, version);
  } catch (error) {
    if (!(error instanceof StateConflict)) throw error;
    throw new Failure(
      "state-conflict",
      `The state "${place}" was changed while it was shown.`,
      "Run the same command again, and check what it shows.",
    );
  }
  rememberSeen(memoryName, written, io);
  const done = action === "sign" ? "signed" : "accepted";
  return part(`${done}, with serial ${written.serial}`, written.serial, key !== undefined);
}
