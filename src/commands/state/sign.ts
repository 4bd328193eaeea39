// lintel state sign and accept: shows each state, asks, and signs it with the key of the environment or takes it for the newest.
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { stateText } from "../../report/text/state.js";
import type { Paint } from "../../report/text/paint.js";
import { eachAgain, eachPortal } from "../../run/fleet.js";
import { lockingOf, type ReachablePortal, type Tools } from "../../run/reachable.js";
import { authorOf } from "../../state/author/author.js";
import { findBreak } from "../../state/chain.js";
import { digestOf } from "../../state/format.js";
import { assertNotOlder, memoryOf, oldnessOf, type Memory } from "../../state/trust/guarded.js";
import { seenDamaged } from "../../state/refusal.js";
import {
  forgetSeen,
  highestSeen,
  openWarnings,
  rememberSeen,
  seenIn,
  type Damaged,
  type Seen,
  type WarnOnce,
} from "../../state/trust/highest.js";
import { distrust, signedWith, stateKeysIn } from "../../state/trust/signature.js";
import type { State } from "../../state/state.js";
import type { Store } from "../../state/store.js";
import { trusted } from "../../state/steps.js";
import { withLock } from "../../state/lock/with-lock.js";
import { counted } from "../../lib/text.js";
import { withTools } from "../call/tools.js";
import type { ParsedArguments, Result } from "../command.js";
import { lockTimeoutMs } from "../call/plan-options.js";
import type { FLEET, LOCKING, YES } from "../options.js";
import { partOf, resultOfMembers, type Part } from "../result/members.js";
import { assertConfirmed } from "./confirm.js";

type SignCall = ParsedArguments<typeof FLEET & typeof LOCKING & typeof YES>;

/** `accept` also takes a state that is older than one that was seen here; without a key it writes nothing. */
type SignAction = "sign" | "accept";

interface Signer {
  readonly action: SignAction;
  /** Undefined where a state is only accepted. */
  readonly key: string | undefined;
  readonly warn: WarnOnce;
}

/** As it stands, whoever wrote it, and what is to be done with it. */
interface Looked {
  readonly portal: ReachablePortal;
  readonly state: State | undefined;
  readonly memory: Memory | undefined;
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
  const signer: Signer = { action, key, warn: openWarnings(io) };
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
    const sign = (looked: Looked) => signOne(looked, signer, tools, call);
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
  const store = unguarded(portal, tools);
  const memory = await memoryOf(store, portal.identity, io);
  const seen = memory && highestSeen(memory.key, io);
  const state = await store.read();
  if (seen && action === "sign") {
    const { file } = portal.desired;
    if ("damaged" in seen) throw seenDamaged(store.place, seen.damaged, file);
    await assertNotOlder(state, seen, { store, file });
  }
  return { portal, state, memory, why: whyToSign(state, seen, io) };
}

function whyToSign(
  state: State | undefined,
  seen: Seen | Damaged | undefined,
  io: Io,
): string | undefined {
  if (seen && "damaged" in seen) {
    return `may be older than this machine has seen: what it remembers, in "${seen.damaged}", is damaged`;
  }
  const odd = seen && oldnessOf(state, seen);
  if (odd !== undefined) return `${odd}, and this machine has seen its serial ${seen?.serial}`;
  return state && distrust(state, { ...stateKeysIn(io), old: undefined });
}

function unguarded({ desired, identity, stateAddress }: ReachablePortal, tools: Tools): Store {
  const { stores, notice } = tools;
  const own = { file: desired.file, portal: identity, notice };
  const { address, written } = stateAddress;
  return stores.open({ address, written, ...own, isUnguarded: true });
}

function shownText({ portal, state, why }: Looked, paint: Paint): string {
  const broken = state && findBreak(state);
  const chain = broken
    ? `The history is not as it was written: the entry of serial ${broken.serial} ${broken.why}.\n`
    : "";
  return `${stateText(portal, { state, holder: undefined }, paint)}${chain}Not trusted so far: it ${why}.\n`;
}

async function signOne(
  { portal, state, memory, why }: Looked,
  { action, key, warn }: Signer,
  tools: Tools,
  call: SignCall,
): Promise<Part> {
  const { io } = tools;
  const { desired } = portal;
  const store = unguarded(portal, tools);
  const { place } = store;
  const told = (text: string, serial: number | null, signed = false) =>
    partOf({ place, signed, serial }, [["state", text]]);
  if (!memory || why === undefined) {
    const [there, none] =
      action === "sign"
        ? ["signed already", "there is none; the first apply signs it"]
        : ["nothing to accept: this machine has seen no newer one", "there is none"];
    return told(state ? there : none, state?.serial ?? null);
  }
  if (!state) {
    forgetSeen(memory.key, io);
    const text = "there is none, and what was seen of it is forgotten: the next apply begins one";
    return told(text, null);
  }
  if (key === undefined) {
    rememberSeen(memory.key, seenIn(state), io, warn);
    return told(`accepted, with serial ${state.serial}`, state.serial);
  }
  const by = await authorOf(io, desired.paths);
  const time = new Date(io.now()).toISOString();
  const locking = { ...lockingOf(portal, tools, by), store, lockTimeoutMs: lockTimeoutMs(call) };
  const { serial } = await withLock(locking, async () => {
    const now = await store.read();
    if (!now || now.serial !== state.serial || digestOf(now) !== digestOf(state)) {
      throw new Failure(
        "state-conflict",
        `The state "${place}" was changed while it was shown.`,
        "Look at it again: run the same command once more.",
      );
    }
    const signed = signedWith(key, trusted(now, { time, by, why: `trusted though it ${why}` }));
    await store.write(signed, now.serial);
    rememberSeen(memory.key, seenIn(signed), io, warn);
    return signed;
  });
  return told(`signed, with serial ${serial}`, serial, true);
}
