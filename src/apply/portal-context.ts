// Resolves a desired-state file to its portal: desired state, store and sign-in, or the reason why not.
import { resolve } from "node:path";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf, portalUrlOf, serviceAndPortalOf, signInOf } from "../document/read/desired.js";
import { stateAddressOf, type PortalFile, type StateAddress } from "../document/read/desired.js";
import { allowEntries } from "../document/read/leaves.js";
import { nameFor } from "../document/read/references.js";
import { nodeAt, textOf } from "../document/read/tree.js";
import { desiredAt } from "../document/schedule/at.js";
import { caught, Failure } from "../failure.js";
import type { AllowEntry } from "../guard.js";
import { credentialHostsOf, type CredentialHosts } from "../http/host-allowlist.js";
import type { Identity } from "../plan/inputs.js";
import type { Judging } from "../policy/judging.js";
import { unusable } from "./policy-checks.js";
import type { RunContext } from "./run-context.js";
import type { PortalAccess } from "../portal/portal.js";
import type { Token } from "../request.js";
import type { Session } from "../session/sign-ins.js";
import type { Schedule } from "../schedule.js";
import type { DesiredLeaf } from "../settings.js";
import { identityOf, type PortalIdentity } from "../state/key.js";
import { DEFAULT_STATE, stateHostOf } from "../state-address/kinds.js";
import { readerOf, type StateReader, type StateStore, type Version } from "../state/state-store.js";
import { isOnDefaultBranch } from "../lib/pipeline-branch.js";
import { shellWord } from "../lib/text.js";

export interface PortalContext {
  readonly desired: Omit<PortalFile, "root">;
  /** The desired settings at the moment of the run. */
  readonly leaves: readonly DesiredLeaf[];
  /** Absent if the file has no schedule. */
  readonly schedule?: Schedule;
  /** For a rollback: the leaves are of an earlier time, not of the file. */
  readonly isRollback?: boolean;
  /** The guards that the file allows. */
  readonly allow: readonly AllowEntry[];
  readonly identity: PortalIdentity;
  readonly portal: Identity;
  readonly stateAddress: StateAddress;
  /** Only `storeOf` opens a store that writes. */
  readonly store: StateReader;
  readonly credentialHosts: CredentialHosts;
  readonly access: PortalAccess;
  /** Why the run cannot sign in; undefined if it can, as far as is known. */
  readonly unable?: Failure;
  /** Refuses a plan without a sign-in: a secret is empty, or this is a job on the default branch. */
  readonly mustSignIn: boolean;
  readonly session?: Session;
  readonly judging?: Judging;
  /** The state with an open journal that this run has waited for. */
  readonly waitedFor?: Version | undefined;
}

/** A file of a run, with its result so far. */
export interface Member<T> {
  readonly file: string;
  readonly portal: Identity;
  readonly diagnostics: readonly Diagnostic[];
  readonly value?: T;
  readonly failure?: Failure;
}

/** What every run needs of a portal. Identity and state address reveal two files for one portal. */
export interface Resolved extends Pick<PortalContext, "portal" | "credentialHosts"> {
  readonly identity?: PortalIdentity;
  readonly stateAddress?: StateAddress;
}

/** What a run needs of a file. Opens nothing yet. */
export type Resolve<R extends Resolved> = (
  desired: PortalFile,
  run: RunContext,
  judging?: Judging,
) => R;

export async function resolveFile<R extends Resolved>(
  run: RunContext,
  file: string,
  resolveWith: Resolve<R>,
): Promise<Member<R>> {
  let portal: Identity = { name: file, url: "", id: "self" };
  let diagnostics: readonly Diagnostic[] = [];
  run.progress.at(file, "read");
  try {
    const checked = await checkFile(file, run.io);
    diagnostics = checked.diagnostics;
    if (checked.root) {
      // A file with errors keeps its name.
      const said = textOf(nodeAt(checked.root, ["portal", "name"]));
      portal = { ...portal, name: said ?? nameFor(file) };
    }
    if (!checked.root || hasErrors(diagnostics)) throw invalid(file);
    const desired = desiredOf(file, checked.root, checked.paths);
    const { name, id, url = "" } = desired.portal;
    portal = { name, url, id };
    const policed = await run.policies?.of(desired);
    if (policed) {
      diagnostics = [...diagnostics, ...policed.problems];
      if (hasErrors(policed.problems)) throw unusable(policed.problems);
    }
    const value = resolveWith(desired, run, policed?.judging);
    run.allowlist.note(value.credentialHosts);
    return { file, portal: value.portal, diagnostics, value };
  } catch (error) {
    return { file, portal, diagnostics, failure: caught(error, run.io) };
  }
}

function invalid(file: string): Failure {
  return new Failure(
    "file-invalid",
    `"${file}" contains errors.`,
    `See them:\n  lintel validate ${shellWord(file)}`,
  );
}

export function resolvePortal(
  whole: PortalFile,
  run: RunContext,
  judging?: Judging,
): PortalContext {
  const { io, http } = run;
  const { root, ...desired } = whole;
  const { name, id } = desired.portal;
  const identity = identityOf(portalUrlOf(whole), id);
  const portal = { name, url: identity.url, id };
  const stateAddress = stateAddressOf(whole, io, identity.key) ?? { address: DEFAULT_STATE };
  const kept = { desired, identity, stateAddress };
  const base = {
    ...kept,
    portal,
    ...desiredAt(root, run.atMs),
    allow: allowEntries(root),
    store: readerOf(storeOf(kept, run)),
    credentialHosts: credentialHostsIn(whole, stateAddress, run),
    ...(judging && { judging }),
  };
  const access: PortalAccess = { http, portal };
  const isDefaultBranch = isOnDefaultBranch(io.env);
  try {
    const signIn = signInOf(whole, io, identity.key);
    const session = run.signIns.open(signIn);
    const isEmpty = Object.values(signIn.variables ?? {}).some((name) => io.env[name] === "");
    const mustSignIn = isDefaultBranch || isEmpty;
    const token = watched(session.token, whole, run);
    return { ...base, mustSignIn, session, access: { ...access, token } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...base, mustSignIn: isDefaultBranch, unable: error, access };
  }
}

/** Shows in the progress that a portal waits for the sign-in service, or for its limit. */
function watched(
  token: Token,
  { file }: Pick<PortalFile, "file">,
  { progress }: RunContext,
): Token {
  return async (...words) => {
    const back = progress.at(file, "sign-in");
    try {
      return await token(...words);
    } finally {
      back();
    }
  };
}

function credentialHostsIn(
  whole: PortalFile,
  { address }: StateAddress,
  { isOnline, io }: RunContext,
): CredentialHosts {
  const { service, portal } = serviceAndPortalOf(whole);
  const state = stateHostOf(address, io.env);
  return [
    ...(isOnline ? credentialHostsOf(service, portal) : []),
    ...(state ? [{ service: state, to: state }] : []),
  ];
}

export function storeOf(
  { desired, identity, stateAddress }: Pick<PortalContext, "desired" | "identity" | "stateAddress">,
  { io, stores, notice }: RunContext,
  mayBeMoved = false,
): StateStore {
  const { address, written, at } = stateAddress;
  // The address can also come from the command line.
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

/** A portal that cannot be read must not look like one without drift. */
export function assertReadable({ file, portal }: Omit<PortalFile, "root">, consequence = ""): void {
  if (portal.mayRead) return;
  throw new Failure(
    "portal-refused",
    `"${file}" sets "read: never"${consequence}.`,
    "If the portal can be read, remove the line:\n  read: never",
  );
}
