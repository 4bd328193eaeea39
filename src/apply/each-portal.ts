// Runs work for the portal of each file, some at a time. A failure of one portal neither hides nor stops the others.
import { resolveFile, resolvePortal } from "./portal-context.js";
import type { Member, PortalContext, Resolve, Resolved } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { placeForOne } from "../state-address/kinds.js";
import { ownKeyOf, ownName } from "./own-portal.js";
import { acrossFiles, type Diagnostic } from "../diagnostic.js";
import { caught, Failure } from "../failure.js";
import type { CredentialHosts } from "../http/host-allowlist.js";
import type { OwnPortal } from "../portal/view.js";

/** What the value of a portal may hold beside what the work is about. */
interface Noted {
  /** What the portal calls itself, which shows two files about one portal under two addresses. */
  readonly own?: OwnPortal | undefined;
  /** What policies found. */
  readonly findings?: readonly Diagnostic[] | undefined;
}

interface Entry<T> {
  readonly member: Member<T>;
  /** Absent where the file got no further. */
  readonly resolved?: Resolved;
  readonly own?: OwnPortal | undefined;
}

/**
 * Returns the members in the order of the files. Where a person must be asked which hosts credentials go to, it resolves
 * all files first. Two files about one portal would be two answers to one question, so both fail.
 */
export async function eachPortal<T, R extends Resolved = PortalContext>(
  run: RunContext,
  files: readonly string[],
  work: (portal: R) => Promise<T>,
  resolve: Resolve<R> = resolvePortal as unknown as Resolve<R>,
): Promise<Member<T>[]> {
  const early = run.allowlist.by === "person" ? await resolveAll(run, files, resolve) : [];
  run.progress.begin(files.length);
  const entries = await sideBySide(files, run, async (file, at): Promise<Entry<T>> => {
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
  return withoutDuplicates(entries, run);
}

async function resolveAll<R extends Resolved>(
  run: RunContext,
  files: readonly string[],
  resolve: Resolve<R>,
): Promise<Member<R>[]> {
  const resolved: Member<R>[] = [];
  for (const file of files) resolved.push(await resolveFile(run, file, resolve));
  await run.allowlist.settle();
  return resolved;
}

function notedIn(value: unknown): Noted {
  return typeof value === "object" && value !== null ? value : {};
}

/** Fails those that two files are about, or whose states are at one address; names all hosts where a host is refused. */
function withoutDuplicates<T>(entries: readonly Entry<T>[], run: RunContext): Member<T>[] {
  const keyOf = ({ resolved }: Entry<T>) => resolved?.identity?.key;
  const aliasOf = ({ resolved, own }: Entry<T>) =>
    own && resolved?.identity && ownKeyOf(own, resolved.identity.url);
  const placeOf = ({ resolved }: Entry<T>) => placeForOne(resolved?.stateAddress?.address);
  const [byKey, byAlias, byPlace] = [keyOf, aliasOf, placeOf].map((each) => filesBy(entries, each));
  return entries.map((entry) => {
    const { member, resolved, own } = entry;
    const { value: _none, failure, ...rest } = member;
    const twins = new Set([
      ...(byKey?.get(keyOf(entry)) ?? []),
      ...(byAlias?.get(aliasOf(entry)) ?? []),
    ]);
    if (twins.size > 1) return { ...rest, failure: twice(rest, twins, own) };
    const sharers = byPlace?.get(placeOf(entry)) ?? [];
    if (sharers.length > 1) return { ...rest, failure: shared(rest, sharers) };
    if (!failure || !resolved) return member;
    return { ...rest, failure: withAllHosts(failure, resolved.credentialHosts, run) };
  });
}

function filesBy<T>(
  entries: readonly Entry<T>[],
  keyOf: (entry: Entry<T>) => string | undefined,
): ReadonlyMap<string | undefined, readonly string[]> {
  const files = new Map<string | undefined, string[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== undefined) files.set(key, [...(files.get(key) ?? []), entry.member.file]);
  }
  return files;
}

/** At the end all hosts of a run are known, so one line can name them all. */
export function withAllHosts(
  failure: Failure,
  credentialHosts: CredentialHosts,
  { allowlist }: RunContext,
): Failure {
  const isRefused = failure.code === "host-not-allowed";
  return (isRefused && allowlist.refusal(credentialHosts)) || failure;
}

/** Goes on with the values of members. Those that failed stay as they are. */
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

/** An interrupt begins nothing new. */
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

/** Begins the items in their order, at most `concurrency` at a time, and returns the values in that order. */
export async function sideBySide<I, T>(
  items: readonly I[],
  { concurrency }: Pick<RunContext, "concurrency">,
  work: (item: I, at: number) => Promise<T>,
): Promise<T[]> {
  const waiting = items.entries();
  const values: T[] = [];
  const worker = async () => {
    for (const [at, item] of waiting) {
      // Work that never waits would keep an interrupt waiting.
      await new Promise((turn) => setImmediate(turn));
      values[at] = await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return values;
}

/** Of all members, each diagnostic once. */
export function diagnosticsOf(members: readonly Member<unknown>[]): Diagnostic[] {
  return acrossFiles(members.map(({ diagnostics }) => diagnostics));
}

function twice(
  { file, portal }: Member<unknown>,
  files: ReadonlySet<string>,
  own: OwnPortal | undefined,
): Failure {
  const others = [...files].filter((each) => each !== file).map((each) => `"${each}"`);
  const itself = own ? `, which calls itself ${ownName(own)}` : "";
  return new Failure(
    "same-portal-twice",
    `"${file}" and ${others.join(", ")} are about the same portal, "${portal.url}" (${portal.id})${itself}.`,
    "Name one of them, or make one file of them.",
  );
}

function shared({ file }: Member<unknown>, files: readonly string[]): Failure {
  const others = files.filter((each) => each !== file).map((each) => `"${each}"`);
  return new Failure(
    "state-place-shared",
    `"${file}" and ${others.join(", ")} keep their states at one address, which can hold that of one portal.`,
    "Let each have an address of its own, made from what tells portals apart:\n  state: https://…/${portal.key}",
  );
}
