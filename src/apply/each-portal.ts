// Many files → the work done for the portal of each, side by side within a bound; what becomes of one neither hides nor stops another.
import { reach, readFile } from "./portal-context.js";
import type { Member, Reach, Reached, PortalContext, RunContext } from "./portal-context.js";
import { resultOf, resultWithoutPlan } from "./portal-result.js";
import { placeForOne } from "../state-address/kinds.js";
import { missedTexts, remark, tellRemarks, type Remarks } from "./missed-windows.js";
import { ownIn, ownKeyOf, ownName } from "./own-portal.js";
import { plan, type PlannedPortal, type PlanOptions } from "./plan-portal.js";
import { acrossFiles, type Diagnostic } from "../diagnostic.js";
import { caught, Failure } from "../failure.js";
import type { Recipients } from "../http/permits.js";
import { isNothingToDo } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import type { OwnPortal } from "../portal/view.js";

/** What is kept of each portal, in the order of the files; and what is wrong with the files, each thing once. */
export interface Kept<K> {
  readonly kept: readonly K[];
  readonly diagnostics: readonly Diagnostic[];
}

export function eachPortal<T>(
  files: readonly string[],
  tools: RunContext,
  concurrency: number,
  work: (portal: PortalContext, note: Noting) => Promise<T>,
): Promise<Member<T>[]> {
  return eachReached(files, tools, { concurrency, reach }, work);
}

/** Called with what the portal shows, so that two files about one portal are found by what it calls itself; and with what policies found. */
type Noting = (found: Pick<PlannedPortal, "live" | "findings">) => void;

interface Reaching<R extends Reached> {
  readonly concurrency: number;
  readonly reach: Reach<R>;
}

/**
 * Reads each file when its turn comes, does the work for its portal, and lets go of all but what the work returns:
 * thousands do not fit into memory together. Only where a person must be asked which hosts credentials go to are all
 * read beforehand. The same portal twice would be two answers to one question, so that neither counts.
 */
export async function eachReached<T, R extends Reached>(
  files: readonly string[],
  tools: RunContext,
  { concurrency, reach }: Reaching<R>,
  work: (portal: R, note: Noting) => Promise<T>,
): Promise<Member<T>[]> {
  const early = new Map<number, Member<R>>();
  if (tools.permits.by === "person") {
    for (const [at, file] of files.entries()) early.set(at, await readFile(file, tools, reach));
    await tools.permits.settle();
  }
  const members: (Member<T> & Partial<Known>)[] = [];
  const owns = new Map<string, OwnPortal>();
  tools.progress.begin(files.length);
  await sideBySide(files, concurrency, async (file, at) => {
    const { value: portal, ...member } = early.get(at) ?? (await readFile(file, tools, reach));
    early.delete(at);
    members[at] = member;
    if (!portal) return tools.progress.end(file, "failed");
    tools.progress.at(file, "state", portal.portal.name);
    const { identity, recipients, stateAddress } = portal;
    let findings: readonly Diagnostic[] = [];
    const note: Noting = ({ live, findings: found = [] }) => {
      findings = found;
      const own = ownIn(live);
      if (own) owns.set(file, own);
    };
    const outcome = await outcomeOf(() => work(portal, note), tools);
    const known = {
      // Of those that failed alone, because these hold more than all the rest.
      ...("failure" in outcome && { recipients }),
      ...(identity && { identity }),
      ...(stateAddress && { stateAddress }),
    };
    tools.progress.end(file, "failure" in outcome ? "failed" : "done");
    const diagnostics = [...member.diagnostics, ...findings];
    members[at] = { ...member, diagnostics, ...known, ...outcome };
  });
  const aliasOf = ({ file, identity }: (typeof members)[number]) => {
    const own = owns.get(file);
    return own && identity && ownKeyOf(own, identity.url);
  };
  const keyed = grouped(members, ({ identity }) => identity?.key);
  const called = grouped(members, aliasOf);
  const placed = grouped(members, ({ stateAddress }) => placeForOne(stateAddress?.address));
  return members.map((each) => {
    const { identity, recipients, stateAddress, ...found } = each;
    const { value: _none, failure, ...member } = found;
    const named = keyed.get(identity?.key ?? "") ?? [];
    const twins = new Set([...named, ...(called.get(aliasOf(each) ?? "") ?? [])]);
    if (twins.size > 1) return { ...member, failure: twice(member, twins, owns.get(each.file)) };
    const sharers = placed.get(placeForOne(stateAddress?.address) ?? "") ?? [];
    if (sharers.length > 1) return { ...member, failure: shared(member, sharers) };
    if (!failure || !recipients) return found;
    return { ...member, failure: withAllHosts(failure, recipients, tools) };
  });
}

type Known = Omit<Reached, "portal">;

/** Key → the files of its members. */
function grouped<M extends Member<unknown>>(
  members: readonly M[],
  keyOf: (member: M) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const member of members) {
    const key = keyOf(member);
    if (key !== undefined) files.set(key, [...(files.get(key) ?? []), member.file]);
  }
  return files;
}

/** At the end all hosts of a run are known, so that one line can name them all. */
export function withAllHosts(
  failure: Failure,
  recipients: Recipients,
  { permits }: RunContext,
): Failure {
  const isRefused = failure.code === "host-not-allowed";
  return (isRefused && permits.refusal(recipients)) || failure;
}

/** The same portals once more, with what was found of each; those that failed are left as they are. */
export async function eachAgain<F, T>(
  members: readonly Member<F>[],
  tools: RunContext,
  concurrency: number,
  work: (found: F) => Promise<T>,
): Promise<Member<T>[]> {
  const done: Member<T>[] = [];
  tools.progress.begin(members.filter(({ value }) => value !== undefined).length);
  await sideBySide(members, concurrency, async ({ value, ...member }, at) => {
    done[at] = member;
    if (value === undefined) return;
    tools.progress.at(member.file, "lock", member.portal.name);
    const outcome = await outcomeOf(() => work(value), tools);
    tools.progress.end(member.file, "failure" in outcome ? "failed" : "done");
    done[at] = { ...member, ...outcome };
  });
  return done;
}

/** An interrupt begins nothing new. */
export async function outcomeOf<T>(
  work: () => Promise<T>,
  { io }: RunContext,
): Promise<{ readonly value: T } | { readonly failure: Failure }> {
  try {
    if (io.signal.aborted) throw new Failure("interrupted", "The run was interrupted.");
    return { value: await work() };
  } catch (error) {
    return { failure: caught(error, io) };
  }
}

/** No more at a time than the bound, begun in their order. */
export async function sideBySide<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) {
      // Work that never waits would keep an interrupt waiting.
      await new Promise((turn) => setImmediate(turn));
      await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Plans for all; `keep` takes of each plan what is needed of it, before it is let go. */
export async function planAll<K>(
  files: readonly string[],
  tools: RunContext,
  concurrency: number,
  options: PlanOptions,
  keep: (result: PortalResult, planned?: PlannedPortal) => K,
): Promise<Kept<K>> {
  const missed: Remarks = new Map();
  const members = await eachPortal(files, tools, concurrency, async (portal, note) => {
    const planned = await plan(portal, tools, options);
    note(planned);
    remark(missed, missedTexts(planned, tools.io), portal.portal.name);
    if (!isNothingToDo(planned.plan)) tools.progress.changes(portal.desired.file);
    return keep(resultOf(planned, "changes"), planned);
  });
  tellRemarks(missed, tools);
  // A plan that looks at no portal, because nobody has said which hosts are meant, must not pass for one that did.
  const { permits, isLooking } = tools;
  const refusal = isLooking && permits.by !== "list" ? permits.refusal() : undefined;
  if (refusal) {
    tools.notice(
      `warning: Not every portal was looked at; the plan compares with what was applied last. ${refusal.message}\n${refusal.help ?? ""}`,
    );
  }
  return {
    kept: members.map((member) => member.value ?? keep(resultWithoutPlan(member))),
    diagnostics: diagnosticsOf(members),
  };
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
