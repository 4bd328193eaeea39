// lintel state move: moves states and their history to another address, and updates `state` in the files.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ParsedArguments, Result } from "../command.js";
import { eachPortal } from "../../apply/each-portal.js";
import { assertNotBetween, moveState, type Moved } from "../../apply/move-state.js";
import { resolvePortal, type Member, type PortalContext } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { openRun, resultOfRun } from "../../cli/open-run.js";
import { resultOfMembers, type Part } from "../../cli/portal-parts.js";
import { checkFile } from "../../document/check/check-file.js";
import { readStateLine } from "../../document/check/state-line.js";
import { edit, sourceOf } from "../../document/edit/edit.js";
import { withState, type PortalFile } from "../../document/read/desired.js";
import { parse } from "../../document/read/parse.js";
import { isInside, repositoryOf } from "../../document/read/repository.js";
import { nodeAt, type Node } from "../../document/read/tree.js";
import { EXIT, Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { counted, oneLine, shellWord, someOf } from "../../lib/text.js";
import { folderOf } from "../../state/moved.js";
import { isForOnePortal, statePlaces } from "../../state-address/kinds.js";
import { rollUp } from "../../outcome.js";
import { assertReplaceable } from "../../cli/write-file.js";
import { gitAdd } from "../commit-state.js";
import { homesOf, othersTaking, realPathIn } from "../extending.js";
import type { FLEET, WAITING, YES } from "../options.js";
import { readPresent, write } from "../pull/into.js";
import { assertConfirmed } from "./confirm.js";
import { addressesAmong } from "./operands.js";
import type { StateMoveFacts } from "../documents.js";

interface Mover extends PortalContext {
  readonly whole: PortalFile;
  readonly to: PortalContext;
}

interface Arrived extends Part {
  /** The old place and the new one, where they are folders of the file's repository. */
  readonly folders: readonly string[];
}

type Members = readonly Member<Arrived>[];

export async function moveStates(
  io: Io,
  call: ParsedArguments<typeof FLEET & typeof WAITING & typeof YES>,
  words: readonly string[],
): Promise<Result> {
  const { files: operands, addresses } = addressesAmong(words);
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) throw unclear(words, addresses.length, io);
  const line = readStateLine(address, io);
  const named = { operands, options: call.options };
  await using run = await openRun("state move", io, named, { isOnline: false, purpose: "state" });
  const { files, folders } = run;
  if (files.length > 1 && isForOnePortal(address)) throw tooNarrow(address, files);
  const lines = await linesOf(files, address, io);
  const states = files.length === 1 ? "the state" : `the states of ${files.length} portals`;
  await assertConfirmed(`Move ${states} to "${oneLine(address)}"?`, io, call);
  const resolveMover = (whole: PortalFile, context: RunContext): Mover => {
    const [from, to] = [resolvePortal(whole, context), movedTo(whole, line, context)];
    const credentialHosts = [...from.credentialHosts, ...to.credentialHosts];
    return { ...from, whole, to, credentialHosts };
  };
  const waitMs = 1000 * call.options.wait;
  const confirm = (question: string) => assertConfirmed(question, run.io, call);
  const confirmUnseen = (question: string) => assertAnswered(question, run.io);
  if (files.length > 1) await assertNoneBetween(run, files, resolveMover);
  const members = await eachPortal(
    run,
    files,
    async ({ whole, to, ...from }: Mover): Promise<Arrived> => {
      const moved = await moveState({ run, whole, from, to, waitMs, confirm, confirmUnseen });
      const folders = [from, to].flatMap((portal) => keptFolder(portal, io) ?? []);
      return { ...partOf(moved, from, to), folders };
    },
    resolveMover,
  );
  const written = writeLines(lines, members, { address, io });
  const result = resultOfMembers(members, { command: "state", files, folders });
  const next = nextText(members, written, io);
  const { changed, byHand } = written;
  const exit = rollUp([result.outcome.exit, byHand.length > 0 ? EXIT.failed : EXIT.done]);
  const byHandLeft = { written: [...changed], notWritten: [...byHand] };
  return resultOfRun(run, {
    outcome: { ...result.outcome, exit, more: byHandLeft },
    quiet: () => byHandText(written),
    text: (styles) => result.text(styles) + (next ? `\n${next}` : ""),
  });
}

/** Else some states would move and the base that says where they all are could not be changed. */
async function assertNoneBetween(
  run: RunContext,
  files: readonly string[],
  resolveMover: (whole: PortalFile, run: RunContext) => Mover,
): Promise<void> {
  const check = (mover: Mover) => assertNotBetween(run, mover, mover.to);
  const checked = await eachPortal(run, files, check, resolveMover);
  const between = checked.find(({ failure }) => failure?.code === "state-moved");
  if (between?.failure) throw between.failure;
}

/** Its folder, where the file's repository holds that. */
function keptFolder({ desired, stateAddress }: PortalContext, { cwd }: Io): string | undefined {
  const folder = folderOf(stateAddress.address, desired.file, cwd);
  const repository = repositoryOf(resolve(cwd, desired.file));
  return folder && repository && isInside(repository, folder) ? folder : undefined;
}

/** A person confirms this, not only a script. */
async function assertAnswered(question: string, io: Io): Promise<void> {
  if (!io.stdin.isTerminal) {
    const help = "Run the same command in a terminal, and answer there.";
    throw new Failure("state-moved", question, help);
  }
  await assertConfirmed(question, io, { options: { yes: false } });
}

function movedTo(whole: PortalFile, line: Node, run: RunContext): PortalContext {
  return resolvePortal(withState(whole, line), run);
}

interface Line {
  /** The file that holds `state`, or will hold it. */
  readonly file: string;
  /** The portals that go by it. */
  readonly portals: readonly string[];
}

/** Fails where a base says it for portals that are not moved: they would look for their states where none of theirs is. */
async function linesOf(files: readonly string[], address: string, io: Io): Promise<Line[]> {
  if (files.includes("-")) {
    const help = "Name a file:\n  lintel state move portal.yaml ADDRESS";
    throw wrongUsage("What came from standard input cannot be changed there.", help);
  }
  const lines = new Map<string, { file: string; portals: string[] }>();
  for (const file of files) {
    const [said = file] = homesOf(await checkFile(file, io), ["state"]);
    const key = realPathIn(said, io);
    const line = lines.get(key) ?? { file: said, portals: [] };
    line.portals.push(file);
    lines.set(key, line);
  }
  for (const [key, { file: base, portals }] of lines) {
    if (portals.every((file) => realPathIn(file, io) === key)) continue;
    const named = [...files, ...[...lines.values()].map(({ file }) => file)];
    const others = await othersTaking(["state"], { base, named }, io);
    if (others.length > 0) throw sharedWith(base, { portals, others, address });
  }
  for (const { file } of lines.values()) {
    const path = resolve(io.cwd, file);
    if (existsSync(path)) assertReplaceable(path, file, io);
  }
  return [...lines.values()];
}

interface Sharing {
  readonly portals: readonly string[];
  readonly others: readonly string[];
  readonly address: string;
}

function sharedWith(base: string, { portals, others, address }: Sharing): Failure {
  const all = [...portals, ...others, address].map(shellWord).join(" ");
  const them = others.length === 1 ? "it" : "them";
  return new Failure(
    "state-place-shared",
    `"${base}" also says where the state of ${counted(others.length, "other file")} is: ${someOf(others.map(oneLine), "file")}.`,
    `Move ${them} too:\n  lintel state move ${all}\nTo move only what you named, first copy the line "state:" of "${base}" into ${someOf(portals.map(oneLine), "file")}.`,
  );
}

interface Written {
  readonly address: string;
  readonly changed: readonly string[];
  /** Those whose line cannot be changed without touching what is beside it. */
  readonly byHand: readonly string[];
  /** Those that wait for portals that failed. */
  readonly waiting: readonly string[];
}

/** A file is changed once all portals that go by it are at the new place. */
function writeLines(
  lines: readonly Line[],
  members: Members,
  { address, io }: { readonly address: string; readonly io: Io },
): Written {
  const changed: string[] = [];
  const byHand: string[] = [];
  const waiting: string[] = [];
  const arrived = new Set(members.flatMap(({ file, value }) => (value ? [file] : [])));
  for (const { file, portals } of lines) {
    if (!portals.some((each) => arrived.has(each))) continue;
    if (!portals.every((each) => arrived.has(each))) {
      waiting.push(file);
      continue;
    }
    const outcome = writeLine(file, address, io);
    if (outcome === "written") changed.push(file);
    if (outcome === "by-hand") byHand.push(file);
  }
  return { address, changed, byHand, waiting };
}

function writeLine(file: string, address: string, io: Io): "written" | "same" | "by-hand" {
  try {
    const before = readPresent(file, io);
    const { root } = parse(sourceOf(before.text));
    const isSaid = root && nodeAt(root, ["state"]);
    const change = isSaid ? { set: ["state"], value: address } : { add: ["state"], value: address };
    const text = edit(before.text, [change]);
    if (text === undefined) return "by-hand";
    if (text === before.text) return "same";
    write(file, before, text, io);
    return "written";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return "by-hand";
  }
}

function byHandText({ byHand, waiting, address }: Written): string {
  return [
    ...byHand.map((file) => `Write into ${oneLine(file)} by hand:\n  state: ${oneLine(address)}\n`),
    ...waiting.map(
      (file) =>
        `${oneLine(file)} was not changed, because a portal that uses it has not moved. Run the same command again.\n`,
    ),
  ].join("");
}

/** What a person does after the move. */
function nextText(members: Members, written: Written, io: Io): string {
  const { changed } = written;
  const folders = members.flatMap(({ value }) => value?.folders ?? []);
  const [first = ""] = changed;
  const isKept = changed.some((file) => repositoryOf(resolve(io.cwd, file)) !== undefined);
  const files = changed.length === 1 ? oneLine(first) : counted(changed.length, "file");
  const done = changed.length === 0 ? "" : `Changed ${files}.`;
  const paths = changed.map((file) => realPathIn(file, io));
  const commit = `${done} Commit and push the change, so that others find the state:\n  ${gitAdd(paths, folders, io)}`;
  return byHandText(written) + (isKept ? `${commit}\n` : done && `${done}\n`);
}

function partOf({ outcome, state }: Moved, from: PortalContext, to: PortalContext): Part {
  const [left, right] = [from.store.place, to.store.place];
  const serial = `serial ${state?.serial}, ${counted(state?.history.length ?? 0, "entry")} of history`;
  const lines = {
    moved: [`The state was moved: ${serial}.`, `  from  ${left}`, `  to    ${right}`],
    "was-there": [`The state is there already: ${serial}.`, `  at    ${right}`],
    returned: [
      `The move is given up; the state stays where it was: ${serial}.`,
      `  at    ${right}`,
    ],
    none: ["Nothing has been applied yet, so there is nothing to move."],
  }[outcome];
  const several = {
    moved: "The states were moved, with their history.",
    "was-there": "The states are there already.",
    returned: "The moves are given up; the states go on where they were.",
    none: "Nothing has been applied yet, so there is nothing to move.",
  }[outcome];
  return {
    json: {
      status: outcome,
      from: left,
      to: right,
      serial: state?.serial ?? null,
    } satisfies StateMoveFacts,
    text: () => lines.map((line) => `${oneLine(line)}\n`).join(""),
    shared: { key: outcome, text: () => `${several}\n` },
  };
}

function unclear(words: readonly string[], addresses: number, { cwd }: Io): Failure {
  const { nouns, examples } = statePlaces();
  const last = words.at(-1);
  const message =
    addresses > 1
      ? "More than one address is named. The state moves from where the file says to one address."
      : last === undefined || existsSync(resolve(cwd, last))
        ? "No address to move the state to is named."
        : `"${last}" is no address of a state.`;
  return wrongUsage(
    message,
    `Name the files, and then where their states are to go:\n  lintel state move portal.yaml ADDRESS\nStates are kept in ${nouns}, such as:${examples.replaceAll("state: ", "")}`,
  );
}

function tooNarrow(to: string, files: readonly string[]): Failure {
  return new Failure(
    "state-place-shared",
    `"${to}" can hold the state of one portal, and ${counted(files.length, "file")} are to go there.`,
    "Give each portal its own address, in single quotes:\n  'https://…/${portal.key}'",
  );
}
