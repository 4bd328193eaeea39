// lintel state sign and accept: shows each state, asks, and signs it with the key of the environment or takes it for the newest.
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { stateText } from "../../report/text/state.js";
import type { Paint } from "../../report/text/paint.js";
import { eachAgain, eachPortal } from "../../run/fleet.js";
import type { ReachablePortal, Tools } from "../../run/reachable.js";
import { authorOf } from "../../state/author/author.js";
import { oldnessOf } from "../../state/checked-store.js";
import { forgetSeen, lastSeen, rememberSeen, type LastSeen } from "../../state/last-seen.js";
import { rewound } from "../../state/refusal.js";
import { distrust, signedWith, stateKeysIn } from "../../state/trust/signature.js";
import type { State } from "../../state/state.js";
import { StateConflict, type StateStore, type Stored } from "../../state/state-store.js";
import { trusted } from "../../state/steps.js";
import { counted } from "../../lib/text.js";
import { withTools } from "../call/tools.js";
import type { ParsedArguments, Result } from "../command.js";
import type { FLEET, YES } from "../options.js";
import { partOf, resultOfMembers, type Part } from "../result/members.js";
import { assertConfirmed } from "./confirm.js";

type SignCall = ParsedArguments<typeof FLEET & typeof YES>;

/** `accept` also takes a state that is older than one that was seen here; without a key it writes nothing. */
type SignAction = "sign" | "accept";

interface Signer {
  readonly action: SignAction;
  /** Undefined where a state is only accepted. */
  readonly key: string | undefined;
}

/** A state as it stands, and why it is not trusted. */
interface Looked {
  readonly portal: ReachablePortal;
  readonly store: StateStore;
  readonly stored: Stored;
  readonly memoryName: string;
  /** Undefined where there is nothing to do. */
  readonly why: string | undefined;
}

export function signStates(
  io: Io,
  call: SignCall,
  operands: readonly string[],
  action: SignAction,
): Promise<Result> {
  const key = action === "sign" ? keyIn(io) : stateKeysIn(io).own;
  const { concurrency } = call.options;
  const signer: Signer = { action, key };
  const work = async (tools: Tools, files: readonly string[]) => {
    const lookAt = (portal: ReachablePortal) => look(portal, tools, action);
    const members = await eachPortal(files, tools, concurrency, lookAt);
    const open = members.flatMap(({ value }) => (value?.why === undefined ? [] : [value]));
    for (const each of open) io.stderr.write(`${shownText(each, call.paint)}\n`);
    if (open.length > 0) {
      const verb = key === undefined ? "Accept" : "Sign";
      const question = `From now on all of this is trusted as what was applied. ${verb} ${counted(open.length, "state")}?`;
      await assertConfirmed(question, io, call);
    }
    const sign = (looked: Looked) => signOne(looked, signer, tools);
    const signed = await eachAgain(members, tools, concurrency, sign);
    return resultOfMembers(signed, { command: "state", files });
  };
  const named = { operands, options: call.options };
  return withTools(`state ${action}`, io, named, work, { isLooking: false, purpose: "state" });
}

function keyIn(io: Io): string {
  const { own, isEmpty } = stateKeysIn(io);
  if (own !== undefined) return own;
  throw wrongUsage(
    `There is no key to sign with: LINTEL_STATE_KEY is ${isEmpty ? "empty" : "not set"}.`,
    "Make one, and keep it where the pipeline keeps its secrets:\n  openssl rand -hex 32",
  );
}

async function look(portal: ReachablePortal, tools: Tools, action: SignAction): Promise<Looked> {
  const { io } = tools;
  const store = unchecked(portal, tools);
  const memoryName = await store.memoryName();
  const seen = lastSeen(memoryName, io);
  const stored = await store.read();
  const { state } = stored;
  const older = seen && oldnessOf(state, seen);
  if (older !== undefined && action === "sign") {
    const doubted = { place: store.place, recovery: store.recovery(), file: portal.desired.file };
    throw rewound(doubted, older, seen?.serial ?? 0);
  }
  return { portal, store, stored, memoryName, why: whyToSign(state, seen, io) };
}

function whyToSign(
  state: State | undefined,
  seen: LastSeen | undefined,
  io: Io,
): string | undefined {
  const older = seen && oldnessOf(state, seen);
  if (older !== undefined) return `${older}; the last one seen here has serial ${seen?.serial}`;
  return state && distrust(state, { ...stateKeysIn(io), old: undefined });
}

function unchecked({ desired, identity, stateAddress }: ReachablePortal, tools: Tools): StateStore {
  const { stores, notice } = tools;
  const own = { file: desired.file, portal: identity, notice };
  const { address, written } = stateAddress;
  return stores.open({ address, written, ...own, isUnchecked: true });
}

function shownText({ portal, stored, why }: Looked, paint: Paint): string {
  return `${stateText(portal, stored, paint)}Not trusted so far: it ${why}.\n`;
}

async function signOne(
  { portal, store, stored, memoryName, why }: Looked,
  { action, key }: Signer,
  { io }: Tools,
): Promise<Part> {
  const { state, version } = stored;
  const { place } = store;
  const part = (text: string, serial: number | null, signed = false) =>
    partOf({ place, signed, serial }, [["state", text]]);
  if (why === undefined) {
    const [there, none] =
      action === "sign"
        ? ["already signed", "there is none; the first apply signs it"]
        : ["nothing to accept: no newer one was seen here", "there is none"];
    return part(state ? there : none, state?.serial ?? null);
  }
  if (!state) {
    forgetSeen(memoryName, io);
    return part(
      "there is none, and the one seen before is forgotten; the next apply begins one",
      null,
    );
  }
  if (key === undefined) {
    rememberSeen(memoryName, state, io);
    return part(`accepted, with serial ${state.serial}`, state.serial);
  }
  const by = await authorOf(io, portal.desired.paths);
  const time = new Date(io.now()).toISOString();
  const signed = signedWith(key, trusted(state, { time, by, why: `trusted though it ${why}` }));
  try {
    await store.write(signed, version);
  } catch (error) {
    if (!(error instanceof StateConflict)) throw error;
    throw new Failure(
      "state-conflict",
      `The state "${place}" was changed while it was shown.`,
      "Run the same command again, and check what it shows.",
    );
  }
  rememberSeen(memoryName, signed, io);
  return part(`signed, with serial ${signed.serial}`, signed.serial, true);
}
