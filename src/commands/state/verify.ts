// lintel state verify: files → whether the history of each portal's state is the one that was written, entry by entry.
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { eachPortal } from "../../run/fleet.js";
import type { ReachablePortal, Tools } from "../../run/reachable.js";
import { TRUST } from "../../report/text/state.js";
import { digestOfEntry, findBreak, newestDigest } from "../../state/chain.js";
import { trustIn } from "../../state/trust/signature.js";
import type { State } from "../../state/state.js";
import { counted, shellWord } from "../../lib/text.js";
import type { Option, ParsedArguments, Result } from "../command.js";
import type { FLEET } from "../options.js";
import { withTools } from "../call/tools.js";
import { partOf, resultOfMembers, type Part } from "../result/members.js";

/** With a digest that a log bears witness of: an entry of every state must have it. */
export function verifyStates(
  io: Io,
  call: ParsedArguments<typeof FLEET & { readonly witness: Option & { value: string } }>,
  operands: readonly string[],
): Promise<Result> {
  const { witness, concurrency } = call.options;
  if (witness !== undefined && !/^[0-9a-f]{12,64}$/.test(witness)) {
    throw wrongUsage(
      `"${witness}" is no digest of an entry.`,
      "Copy it from the log of an apply, 12 digits of it at least.",
    );
  }
  const work = async (tools: Tools, files: readonly string[]) => {
    const verifyOne = (portal: ReachablePortal) => verify(portal, io, witness);
    const members = await eachPortal(files, tools, concurrency, verifyOne);
    return resultOfMembers(members, { command: "state", files });
  };
  const named = { operands, options: call.options };
  return withTools("state verify", io, named, work, { isLooking: false });
}

async function verify(
  { store, desired }: ReachablePortal,
  io: Io,
  witness: string | undefined,
): Promise<Part> {
  const state = await store.read();
  if (!state) {
    const json = { place: store.place, entries: 0, dropped: 0, newest: null, signature: null };
    return partOf(json, [["history", "nothing was ever applied"]]);
  }
  const broken = findBreak(state);
  if (broken) throw doesNotFit(store.place, broken.serial, broken.why);
  if (witness !== undefined && !bearsOut(state, witness)) {
    throw new Failure(
      "state-not-as-written",
      `No entry of the history in "${store.place}" has the digest "${witness}".`,
      `What that log tells of is not in this history, or is among the entries that were dropped. See:\n  lintel state history ${shellWord(desired.file)}`,
    );
  }
  const entries = state.history.length;
  const dropped = state.earlier?.entries ?? 0;
  const newest = newestDigest(state) ?? null;
  const signature = trustIn(state, io);
  const before = dropped > 0 ? `, after ${counted(dropped, "entry")} that were dropped` : "";
  const json = { place: store.place, entries, dropped, newest, signature };
  return partOf(json, [
    ["history", `${counted(entries, "entry")}, each as it was written${before}`],
    ["newest", newest ?? "none"],
    ["signature", signature ? TRUST[signature] : "none"],
  ]);
}

function bearsOut(state: State, witness: string): boolean {
  const digests = [...state.history.map(digestOfEntry), state.earlier?.digest ?? ""];
  return digests.some((each) => each.startsWith(witness));
}

function doesNotFit(place: string, serial: number, why: string): Failure {
  return new Failure(
    "state-not-as-written",
    `The history in "${place}" is not as it was written: the entry of serial ${serial} ${why}.`,
    "Somebody has changed it by other means than Lintel. Compare it with what git or a backup holds, and with the digests in the logs of earlier applies.",
  );
}
