// Runs work for the portal of each file, several at a time. A failure of one portal neither hides nor stops the others.
import { withoutDuplicates, type Owner } from "./duplicate-owners.js";
import { resolveFile, resolvePortal } from "./portal-context.js";
import type { Member, PortalContext, Resolve, Resolved } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { acrossFiles, type Diagnostic } from "../diagnostic.js";
import { caught, Failure } from "../failure.js";
import type { CredentialHosts } from "../http/host-allowlist.js";
import type { OwnPortal } from "../portal/view.js";

/** What a result can contain besides the work itself. */
interface Noted {
  /** The portal's own identity, which reveals two files for one portal under two addresses. */
  readonly own?: OwnPortal | undefined;
  readonly findings?: readonly Diagnostic[] | undefined;
}

/**
 * Returns the members in the order of the files. If a prompt for new hosts may be needed, it resolves all files first,
 * so that one prompt lists all hosts. Two files for one portal both fail.
 */
export async function eachPortal<T, R extends Resolved = PortalContext>(
  run: RunContext,
  files: readonly string[],
  work: (portal: R) => Promise<T>,
  resolve: Resolve<R> = resolvePortal as unknown as Resolve<R>,
): Promise<Member<T>[]> {
  const early = run.allowlist.by === "person" ? await resolveAll(run, files, resolve) : [];
  run.progress.begin(files.length);
  const entries = await sideBySide(files, run, async (file, at): Promise<Owner<T>> => {
    const { value: resolved, ...member } = early[at] ?? (await resolveFile(run, file, resolve));
    if (!resolved) {
      run.progress.end(file, "failed");
      return { member };
    }
    run.progress.at(file, "state", resolved.portal.name);
    const outcome = await outcomeOf(() => work(resolved), run);
    run.progress.end(file, "failure" in outcome ? "failed" : "done");
    const { own, findings = [] } = notedIn("value" in outcome ? outcome.value : undefined);
    const diagnostics = [...member.diagnostics, ...findings];
    return { member: { ...member, diagnostics, ...outcome }, resolved, own };
  });
  return withoutDuplicates(entries).map((member, at) => {
    const { failure } = member;
    const { resolved } = entries[at] ?? {};
    if (!failure || !resolved) return member;
    return { ...member, failure: withAllHosts(failure, resolved.credentialHosts, run) };
  });
}

async function resolveAll<R extends Resolved>(
  run: RunContext,
  files: readonly string[],
  resolve: Resolve<R>,
): Promise<Member<R>[]> {
  const resolved: Member<R>[] = [];
  for (const file of files) resolved.push(await resolveFile(run, file, resolve));
  await run.allowlist.confirmNew();
  return resolved;
}

function notedIn(value: unknown): Noted {
  return typeof value === "object" && value !== null ? value : {};
}

/** Runs at the end, when all hosts of a run are known and one line can list them. */
export function withAllHosts(
  failure: Failure,
  credentialHosts: CredentialHosts,
  { allowlist }: RunContext,
): Failure {
  const isRefused = failure.code === "host-not-allowed";
  return (isRefused && allowlist.refusal(credentialHosts)) || failure;
}

/** Continues with the values of members. Failed members stay unchanged. */
export async function eachMember<F, T>(
  run: RunContext,
  members: readonly Member<F>[],
  work: (found: F) => Promise<T>,
): Promise<Member<T>[]> {
  run.progress.begin(members.filter(({ value }) => value !== undefined).length);
  return sideBySide(members, run, async ({ value, ...member }): Promise<Member<T>> => {
    if (value === undefined) return member;
    run.progress.at(member.file, "lock", member.portal.name);
    const outcome = await outcomeOf(() => work(value), run);
    run.progress.end(member.file, "failure" in outcome ? "failed" : "done");
    return { ...member, ...outcome };
  });
}

/** After an interrupt nothing new starts. */
export async function outcomeOf<T>(
  work: () => Promise<T>,
  { io }: Pick<RunContext, "io">,
): Promise<{ readonly value: T } | { readonly failure: Failure }> {
  try {
    if (io.signal.aborted) throw new Failure("interrupted", "The run was interrupted.");
    return { value: await work() };
  } catch (error) {
    return { failure: caught(error, io) };
  }
}

/** Starts the items in order, at most `concurrency` at a time, and returns the values in that order. */
export async function sideBySide<I, T>(
  items: readonly I[],
  { concurrency }: Pick<RunContext, "concurrency">,
  work: (item: I, at: number) => Promise<T>,
): Promise<T[]> {
  const waiting = items.entries();
  const values: T[] = [];
  const worker = async () => {
    for (const [at, item] of waiting) {
      // Work that never waits would delay an interrupt.
      await new Promise((turn) => setImmediate(turn));
      values[at] = await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return values;
}

/** The diagnostics of all members, without duplicates. */
export function diagnosticsOf(members: readonly Member<unknown>[]): Diagnostic[] {
  return acrossFiles(members.map(({ diagnostics }) => diagnostics));
}
