// lintel state move: files and an address → their states there, with their history, and a mark where they were.
import { resolve } from "node:path";
import type { ParsedArguments, Result } from "../command.js";
import { Failure, wrongUsage } from "../../failure.js";
import { readStateLine } from "../../document/check/state-line.js";
import { withState, type PortalFile, type StateAddress } from "../../document/read/desired.js";
import { isInside, repositoryOf } from "../../document/read/repository.js";
import type { Node } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { rollUp } from "../../outcome.js";
import { diagnosticsOf, eachPortal } from "../../apply/each-portal.js";
import { moveState, type End } from "../../apply/move-state.js";
import { resolveFile, resolvePortal, storeOf } from "../../apply/portal-context.js";
import type { Member, Resolve, PortalContext } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { authorOf } from "../../state/author/author.js";
import { folderHere, folderOf } from "../../state/moved.js";
import {
  DEFAULT_STATE,
  isForOnePortal,
  stateKindOf,
  statePlaces,
} from "../../state-address/kinds.js";
import { counted, oneLine, shellWord } from "../../lib/text.js";
import { openRun, withLeftOut, type Run } from "../../cli/open-run.js";
import type { FLEET, YES } from "../options.js";
import { problemsAbove } from "../../cli/result.js";
import { assertConfirmed } from "./confirm.js";
import { leftToSay, memberJson, membersText, writtenIn, type Arrived } from "./moved-text.js";
import { addressesAmong } from "./operands.js";
import { alsoSaidBy } from "./sharing.js";

type MoveCall = ParsedArguments<typeof FLEET & typeof YES>;

/** A portal whose state is on its way: the portal itself is that at the first place. */
interface Mover extends PortalContext {
  readonly to: PortalContext;
  /** What the file says itself. */
  readonly said: StateAddress;
}

export async function moveStates(
  io: Io,
  call: MoveCall,
  words: readonly string[],
): Promise<Result> {
  const { files: operands, addresses } = addressesAmong(words);
  const [from, to] = addresses.length === 2 ? addresses : [undefined, addresses[0]];
  if (to === undefined || addresses.length > 2) throw unclear(words, addresses.length);
  const left = from === undefined ? undefined : readStateLine(from, io);
  const right = readStateLine(to, io);
  const named = { operands, options: call.options };
  const how = { isOnline: false, purpose: "state" } as const;
  await using run = await openRun("state move", io, named, how);
  const { files } = run;
  if (files.length > 1 && isForOnePortal(to)) throw tooNarrow(to, files);
  const resolveMover = (desired: PortalFile) =>
    resolveBoth(run, desired, { from: left, to: right });
  await assertMeant(run, resolveMover, call);
  const move = (mover: Mover) => moveOne(run, mover, call);
  const members = await eachPortal(run, files, move, resolveMover);
  const outcome = {
    command: "state",
    exit: rollUp(members.map(({ failure }) => failure?.exit ?? 0)),
    diagnostics: diagnosticsOf(members).filter(({ severity }) => severity === "error"),
    files,
    portals: members.map(memberJson),
  };
  const shared = await sharedLines(members, io);
  return withLeftOut(run, {
    outcome,
    text: (paint) => problemsAbove(outcome, paint) + membersText(members, { paint, io, shared }),
  });
}

/** Of each base whose line is to be changed: who else goes by it, and was not moved. */
async function sharedLines(
  members: readonly Member<Arrived>[],
  io: Io,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wrong = leftToSay(members);
  const bases = wrong.flatMap(({ file, said }) =>
    said.at && said.at.file !== file ? [said.at.file] : [],
  );
  const moved = members.flatMap(({ file, value }) => (value ? [file] : []));
  const shared = new Map<string, readonly string[]>();
  for (const base of new Set(bases)) shared.set(base, await alsoSaidBy(base, moved, io));
  return shared;
}

function unclear(words: readonly string[], addresses: number): Failure {
  const { nouns, examples } = statePlaces();
  const last = words.at(-1);
  const message =
    addresses > 2
      ? "More than two addresses are named: a state moves from one to another."
      : last === undefined
        ? "No address to move the state to is named."
        : `"${last}" is no address of a state.`;
  const places = examples.replaceAll("state: ", "");
  return wrongUsage(
    message,
    `Name the files, and then where their states are to go:\n  lintel state move portal.yaml ADDRESS\nStates are kept in ${nouns}, such as:${places}`,
  );
}

function tooNarrow(to: string, files: readonly string[]): Failure {
  return new Failure(
    "state-place-shared",
    `"${to}" can hold the state of one portal, and ${counted(files.length, "file")} are to go there.`,
    "Give each portal its own address, in single quotes:\n  'https://…/${portal.key}'",
  );
}

function resolveBoth(
  run: RunContext,
  desired: PortalFile,
  { from, to }: { readonly from: Node | undefined; readonly to: Node },
): Mover {
  const said = resolvePortal(desired, run);
  const here = from ? resolvePortal(withState(desired, from), run) : said;
  const there = resolvePortal(withState(desired, to), run);
  const credentialHosts = [...here.credentialHosts, ...there.credentialHosts];
  return { ...here, credentialHosts, to: there, said: said.stateAddress };
}

/** Once for all files, and only where others lose what they share: a folder is of whoever moves it. */
async function assertMeant(run: Run, resolveMover: Resolve<Mover>, call: MoveCall): Promise<void> {
  if (call.options.yes) return;
  const left: string[] = [];
  let to = "";
  for (const file of run.files) {
    const { value } = await resolveFile(run, file, resolveMover);
    if (!value || stateKindOf(value.stateAddress.address) === "file") continue;
    const from = writtenIn(value.stateAddress);
    to = writtenIn(value.to.stateAddress);
    if (from !== to) left.push(from);
  }
  if (left.length === 0) return;
  const places = [...new Set(left)].map((place) => `"${oneLine(place)}"`).join(", ");
  const states =
    left.length === 1 ? "the state of 1 portal" : `the states of ${left.length} portals`;
  const question = `Move ${states} away from ${places}, to "${oneLine(to)}"? Whoever else works there is refused until they have the changed file.`;
  await assertConfirmed(question, run.io, call);
}

async function moveOne(run: RunContext, mover: Mover, call: MoveCall): Promise<Arrived> {
  const { desired, identity, to, said } = mover;
  const by = await authorOf(run.io, desired.paths);
  const ends = { from: endOf(run, mover), to: endOf(run, to) };
  const { address } = ends.to;
  const arrived = { said, address, folder: keptFolder(to, run.io) };
  if (ends.from.address === address) {
    const { state } = await to.store.read();
    if (!state) throw alreadySaid(desired.file, address);
    const { place } = to.store;
    return { ...arrived, outcome: "was-there", state, from: place, to: place };
  }
  const moved = await moveState({
    ...ends,
    io: run.io,
    by,
    file: desired.file,
    subject: identity.key,
    confirm: (question) => assertConfirmed(question, run.io, call),
  });
  const [from, place] = [ends.from.store.place, ends.to.store.place];
  return { ...arrived, ...moved, from, to: place };
}

function endOf(run: RunContext, portal: PortalContext): End {
  const { desired, stateAddress } = portal;
  return {
    store: storeOf(portal, run, true),
    address: writtenIn(stateAddress),
    folder: folderHere(stateAddress.address, desired.file, run.io),
  };
}

function keptFolder({ desired, stateAddress }: PortalContext, { cwd }: Io): string | undefined {
  const folder = folderOf(stateAddress.address, desired.file, cwd);
  const repository = repositoryOf(resolve(cwd, desired.file));
  return folder !== undefined && repository !== undefined && isInside(repository, folder)
    ? folder
    : undefined;
}

function alreadySaid(file: string, address: string): Failure {
  return wrongUsage(
    `"${file}" says already that its state is at "${address}", and nothing is there.`,
    `If it was changed before the state was moved, name where the state was:\n  lintel state move ${shellWord(file)} ${address === DEFAULT_STATE ? "ADDRESS" : shellWord(DEFAULT_STATE)} ${shellWord(address)}`,
  );
}
