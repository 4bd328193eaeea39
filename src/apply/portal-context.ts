// A desired-state file → its portal as a run can reach it: what the file wants, its store, its sign-in; or why not.
import { resolve } from "node:path";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf, portalUrlOf, serviceAndPortalOf, signInOf } from "../document/read/desired.js";
import { stateAddressOf, type Desired, type StateAddress } from "../document/read/desired.js";
import { allowEntries } from "../document/read/leaves.js";
import { desiredAt } from "../document/schedule/at.js";
import { caught, Failure } from "../failure.js";
import type { AllowEntry } from "../guard.js";
import type { Http } from "../http/http.js";
import { recipientsOf, type Permits, type Recipients } from "../http/permits.js";
import type { Io } from "../io.js";
import type { Identity } from "../plan/inputs.js";
import type { Judging } from "../policy/judging.js";
import { unusable, type Policing } from "./policy-checks.js";
import type { PortalAccess } from "../portal/portal.js";
import type { Token } from "../request.js";
import type { Session, SignIns } from "../session/sign-ins.js";
import type { Schedule } from "../schedule.js";
import type { DesiredLeaf } from "../settings.js";
import type { Progress } from "../progress.js";
import { identityOf, type PortalIdentity } from "../state/key.js";
import { DEFAULT_STATE, stateRecipientOf } from "../state-address/kinds.js";
import type { Stores } from "../state/open.js";
import { readerOf, type StateReader, type StateStore, type Version } from "../state/state-store.js";
import { shellWord } from "../lib/text.js";

/** What all portals of a run share. */
export interface RunContext {
  readonly io: Io;
  readonly http: Http;
  readonly signIns: SignIns;
  /** Where credentials may go. */
  readonly permits: Permits;
  /** Otherwise no portal is called, and the states alone are read. */
  readonly isLooking: boolean;
  readonly stores: Stores;
  readonly toolVersion: string;
  /** The moment whose settings are wanted, for all portals of the run, in milliseconds since 1970. */
  readonly atMs: number;
  /** Then that moment is not the run's own, and nothing may be carried out. */
  readonly asOf?: number;
  /** The command as it was called, for those who have to wait for its lock. */
  readonly run: string;
  readonly notice: (sentence: string) => void;
  readonly progress: Progress;
  /** Absent for commands that neither plan nor apply. */
  readonly policing?: Policing;
}

export interface PortalContext {
  /** Without its tree, because a run may hold on to thousands of files. */
  readonly desired: Omit<Desired, "root">;
  /** At the moment of the run. */
  readonly leaves: readonly DesiredLeaf[];
  /** Absent where the file has none. */
  readonly schedule?: Schedule;
  /** Then the leaves are of an earlier time, and not what the file wants. */
  readonly isPutBack?: boolean;
  /** The guards that the file opens. */
  readonly allow: readonly AllowEntry[];
  readonly identity: PortalIdentity;
  readonly portal: Identity;
  readonly stateAddress: StateAddress;
  /** Opened by those who write; nobody else gets more than its reader. */
  readonly store: StateReader;
  readonly recipients: Recipients;
  readonly access: PortalAccess;
  /** Why nobody can sign in; undefined where somebody can, as far as is known. */
  readonly unable?: Failure;
  readonly session?: Session;
  /** Absent where no policy is named. */
  readonly judging?: Judging;
  /** The state with an open journal that this run has waited for. */
  readonly waitedFor?: Version | undefined;
}

/** A file on its way through a run, as far as it got. */
export interface Member<T> {
  readonly file: string;
  readonly portal: Identity;
  readonly diagnostics: readonly Diagnostic[];
  readonly value?: T;
  /** Why it got no further. */
  readonly failure?: Failure;
}

/** What every run needs to know of a portal; by its identity and the place of its state two files about one are found. */
export interface Reached extends Pick<PortalContext, "portal" | "recipients"> {
  readonly identity?: PortalIdentity;
  readonly stateAddress?: StateAddress;
}

/** What a run needs of a file, and opens nothing for it yet. */
export type Reach<R extends Reached> = (
  desired: Desired,
  tools: RunContext,
  judging?: Judging,
) => R;

export async function readFile<R extends Reached>(
  file: string,
  tools: RunContext,
  reachIt: Reach<R>,
): Promise<Member<R>> {
  let portal: Identity = { name: file, url: "", id: "self" };
  let diagnostics: readonly Diagnostic[] = [];
  tools.progress.at(file, "read");
  try {
    const checked = await checkFile(file, tools.io);
    diagnostics = checked.diagnostics;
    if (!checked.root || hasErrors(diagnostics)) throw invalid(file);
    const desired = desiredOf(file, checked.root, checked.paths);
    const { name, id, url = "" } = desired.portal;
    portal = { name, url, id };
    const policed = await tools.policing?.of(desired);
    if (policed) {
      diagnostics = [...diagnostics, ...policed.problems];
      if (hasErrors(policed.problems)) throw unusable(policed.problems);
    }
    const value = reachIt(desired, tools, policed?.judging);
    tools.permits.note(value.recipients);
    return { file, portal: value.portal, diagnostics, value };
  } catch (error) {
    return { file, portal, diagnostics, failure: caught(error, tools.io) };
  }
}

function invalid(file: string): Failure {
  return new Failure(
    "file-invalid",
    `"${file}" has errors, so that it is not known what it wants.`,
    `See them:\n  lintel validate ${shellWord(file)}`,
  );
}

export function reach(whole: Desired, tools: RunContext, judging?: Judging): PortalContext {
  const { io, http } = tools;
  const { root, ...desired } = whole;
  const { name, id } = desired.portal;
  const identity = identityOf(portalUrlOf(whole), id);
  const portal = { name, url: identity.url, id };
  const stateAddress = stateAddressOf(whole, io, identity.key) ?? { address: DEFAULT_STATE };
  const kept = { desired, identity, stateAddress };
  const base = {
    ...kept,
    portal,
    ...desiredAt(root, tools.atMs),
    allow: allowEntries(root),
    store: readerOf(storeOf(kept, tools)),
    recipients: recipientsIn(whole, stateAddress, tools),
    ...(judging && { judging }),
  };
  const access: PortalAccess = { http, portal };
  try {
    const session = tools.signIns.open(signInOf(whole, io));
    return { ...base, session, access: { ...access, token: watched(session.token, whole, tools) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...base, unable: error, access };
  }
}

/** Whoever waits for a token waits for the sign-in service, or for its limit. */
function watched(token: Token, { file }: Pick<Desired, "file">, { progress }: RunContext): Token {
  return async (...words) => {
    const back = progress.at(file, "sign-in");
    try {
      return await token(...words);
    } finally {
      back();
    }
  };
}

function recipientsIn(
  whole: Desired,
  { address }: StateAddress,
  { isLooking, io }: RunContext,
): Recipients {
  const { service, portal } = serviceAndPortalOf(whole);
  const state = stateRecipientOf(address, io.env);
  return [
    ...(isLooking ? recipientsOf(service, portal) : []),
    ...(state ? [{ service: state, to: state }] : []),
  ];
}

type Kept = Pick<PortalContext, "desired" | "identity" | "stateAddress">;

export function storeOf(
  { desired, identity, stateAddress }: Kept,
  { io, stores, notice }: RunContext,
  mayBeMoved = false,
): StateStore {
  const { address, written, at } = stateAddress;
  // An address may also stand on a command line.
  const isInBase =
    at && at.file !== desired.file && desired.paths.includes(resolve(io.cwd, at.file));
  return stores.open({
    address,
    written,
    ...(isInBase && { said: at }),
    isFromFile: at?.file === desired.file || isInBase === true,
    file: desired.file,
    portal: identity,
    notice,
    mayBeMoved,
  });
}
