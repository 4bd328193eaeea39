// lintel state move: files and an address → their states there, with their history, and a mark where they were.
import type { Call, Result } from "../command.js";
import { Failure, wrongUsage } from "../../failure.js";
import { readStateLine } from "../../document/check/state-line.js";
import { withState, type Desired, type StateAddress } from "../../document/read/desired.js";
import type { Node } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { printJson } from "../../json.js";
import { rollUp } from "../../outcome.js";
import { failureJson } from "../../report/data/json.js";
import { failureText } from "../../report/text/diagnostic.js";
import type { Paint } from "../../report/text/paint.js";
import { diagnosticsOf, eachReached } from "../../run/fleet.js";
import { move, type Moved } from "../../run/move/move.js";
import {
  lockingOf,
  reach,
  storeOf,
  type Member,
  type ReachablePortal,
  type Tools,
} from "../../run/reachable.js";
import { authorOf } from "../../state/author.js";
import { DEFAULT_STATE, isForOnePortal, statePlaces } from "../../state-address/kinds.js";
import { counted, oneLine, shellWord } from "../../text.js";
import { lockTimeoutMs } from "../call/plan-options.js";
import { withTools } from "../call/tools.js";
import type { FLEET, LOCKING, YES } from "../options.js";
import { problemsAbove } from "../result/result.js";
import { assertConfirmed } from "./confirm.js";
import { addressesAmong } from "./operands.js";

type MoveCall = Call<typeof LOCKING & typeof FLEET & typeof YES>;

/** A portal whose state is on its way: the portal itself is that at the first place. */
interface Mover extends ReachablePortal {
  readonly to: ReachablePortal;
  /** What the file says itself. */
  readonly said: StateAddress;
}

interface Arrived extends Moved {
  readonly said: StateAddress;
  readonly from: string;
  readonly to: string;
  readonly address: string;
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
  const work = async (tools: Tools, files: readonly string[]): Promise<Result> => {
    if (files.length > 1 && isForOnePortal(to)) throw tooNarrow(to, files);
    const reaching = (desired: Desired) => reachBoth(desired, { from: left, to: right }, tools);
    const members = await eachReached(
      files,
      tools,
      { concurrency: call.options.concurrency, reach: reaching },
      (mover) => moveOne(mover, tools, call),
    );
    const outcome = {
      command: "state",
      exit: rollUp(members.map(({ failure }) => failure?.exit ?? 0)),
      diagnostics: diagnosticsOf(members).filter(({ severity }) => severity === "error"),
      files,
      portals: members.map((member) => () => memberJson(member)),
    };
    return {
      outcome,
      text: (paint) => problemsAbove(outcome, paint) + membersText(members, paint),
    };
  };
  const named = { operands, options: call.options };
  return withTools("state move", io, named, work, { isLooking: false, purpose: "state" });
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
    "Let each have an address of its own, made from what tells portals apart, in single quotes:\n  'https://…/${portal.key}'",
  );
}

function reachBoth(
  desired: Desired,
  { from, to }: { readonly from: Node | undefined; readonly to: Node },
  tools: Tools,
): Mover {
  const said = reach(desired, tools);
  const here = from ? reach(withState(desired, from), tools) : said;
  const there = reach(withState(desired, to), tools);
  const recipients = [...here.recipients, ...there.recipients];
  return { ...here, recipients, to: there, said: said.stateAddress };
}

async function moveOne(mover: Mover, tools: Tools, call: MoveCall): Promise<Arrived> {
  const { desired, identity, to, said } = mover;
  const by = await authorOf(tools.io, desired.paths);
  const { store: _own, ...locking } = lockingOf(mover, tools, by);
  const ends = {
    from: { store: storeOf(mover, tools, true), address: writtenIn(mover.stateAddress) },
    to: { store: storeOf(to, tools, true), address: writtenIn(to.stateAddress) },
  };
  if (ends.from.address === ends.to.address) {
    const state = await to.store.read();
    if (!state) throw alreadySaid(desired.file, ends.to.address);
    const { place } = to.store;
    return { outcome: "was-there", state, said, from: place, to: place, address: ends.to.address };
  }
  const moved = await move({
    ...locking,
    ...ends,
    lockTimeoutMs: lockTimeoutMs(call),
    io: tools.io,
    by,
    file: desired.file,
    subject: identity.key,
    confirm: (question) => assertConfirmed(question, tools.io, call),
  });
  const [from, place] = [ends.from.store.place, ends.to.store.place];
  return { ...moved, said, from, to: place, address: ends.to.address };
}

function writtenIn({ address, written }: StateAddress): string {
  return written ?? address;
}

function alreadySaid(file: string, address: string): Failure {
  return wrongUsage(
    `"${file}" says already that its state is at "${address}", and nothing is there.`,
    `If it was changed before the state was moved, name where the state was:\n  lintel state move ${shellWord(file)} ${address === DEFAULT_STATE ? "ADDRESS" : shellWord(DEFAULT_STATE)} ${shellWord(address)}`,
  );
}

function memberJson({ file, portal, value, failure }: Member<Arrived>): string {
  const { name, url, id } = portal;
  const { outcome, from = null, to = null, state } = value ?? {};
  return printJson(
    {
      name,
      url,
      id,
      file,
      status: outcome ?? "failed",
      exitCode: failure?.exit ?? 0,
      from,
      to,
      serial: state?.serial ?? null,
      failure: failureJson(failure ?? null),
    },
    2,
  );
}

function membersText(members: readonly Member<Arrived>[], paint: Paint): string {
  const told = members.map((member) => memberText(member, paint));
  const arrived = members.flatMap(({ file, value }) => (value ? [{ file, ...value }] : []));
  const next = nextText(arrived);
  const failed = members.length - arrived.length;
  const end =
    failed > 0 && members.length > 1
      ? `\n${counted(failed, "portal")} failed; the same command again does what is left.\n`
      : "";
  return told.join("\n") + end + (next && `\n${next}`);
}

function memberText({ portal, value, failure }: Member<Arrived>, paint: Paint): string {
  const name = paint.bold(oneLine(portal.name));
  if (!value) return failure ? `${name}\n${failureText(failure, paint)}` : "";
  const { outcome, from, to, state } = value;
  const serial = `serial ${state?.serial}, ${counted(state?.history.length ?? 0, "entry")} of history`;
  const lines = {
    moved: [`The state was moved: ${serial}.`, `  from  ${from}`, `  to    ${to}`],
    "was-there": [`The state is there already: ${serial}.`, `  at    ${to}`],
    returned: [`The move is given up; the state goes on where it was: ${serial}.`, `  at    ${to}`],
    none: ["Nothing was ever applied, so that there is nothing to move."],
  }[outcome];
  return [name, ...lines.map((line) => `  ${oneLine(line)}`), ""].join("\n");
}

/** The lines that are to be changed, each once, however many files take part of themselves from it. */
function nextText(arrived: readonly (Arrived & { readonly file: string })[]): string {
  const wrong = arrived.filter(({ said, address }) => writtenIn(said) !== address);
  if (wrong.length === 0) return "";
  const places = wrong.map(({ file, said: { at }, address }) =>
    at
      ? `  ${at.file}, line ${at.line}:  state: ${address}`
      : `  ${file}, to add:  state: ${address}`,
  );
  const isInFolder = wrong.some(({ said }) => /^file:/i.test(said.address));
  return [
    "Now say so in the file, because until then every run is refused:",
    ...[...new Set(places)].map(oneLine),
    ...(isInFolder
      ? [
          "Where .lintel is kept in git, commit it together with that: the mark in it tells whoever",
          "has the old file. Once everybody has the new one, it may be deleted.",
        ]
      : []),
    "",
  ].join("\n");
}
