// Many portals → the same story for each, side by side within a bound; what becomes of one neither hides nor stops another.
import { assertFresh, disagreements, type Step } from "./apply.js";
import { acrossFiles, hasErrors, type Diagnostic } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf, portalUrlOf } from "../document/read/desired.js";
import { asFailure, EXIT, Failure } from "../failure.js";
import { advance, advanceOne, sideBySide, type Bound, type Member } from "./advance.js";
import type { Identity } from "../plan/inputs.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import type { PortalResult, Status } from "../plan/result.js";
import { awaitOutcome, type Waiting } from "./open-journal.js";
import {
  apply,
  assertApplicable,
  plan,
  prepare,
  type Planned,
  type Prospect,
  type Tools,
  type Wishes,
} from "./portal.js";
import { shellWord } from "../text.js";

export { advance, type Bound, type Member } from "./advance.js";

/**
 * Reads every file, and has it said for all of them at once where credentials may go; the same portal twice would be two
 * answers to one question.
 */
export async function muster(files: readonly string[], tools: Tools): Promise<Member<Prospect>[]> {
  const members: Member<Prospect>[] = [];
  for (const file of files) members.push(await read(file, tools));
  await tools.permits?.settle();
  const filesOf = new Map<string, string[]>();
  for (const { file, value } of members) {
    if (!value) continue;
    const { key } = value.identity;
    filesOf.set(key, [...(filesOf.get(key) ?? []), file]);
  }
  return members.map((member) => {
    const twins = filesOf.get(member.value?.identity.key ?? "") ?? [];
    return twins.length > 1 ? failed(member, twice(member, twins)) : member;
  });
}

/**
 * Reads and plans each file when its turn comes and lets go of it afterwards: thousands do not fit into memory together.
 * Only where it must be asked or told which hosts credentials go to are all read beforehand.
 */
export async function planInTurn(
  files: readonly string[],
  tools: Tools,
  wishes: Wishes,
  { io, concurrency }: Bound,
  take: (member: Member<Planned>, at: number) => void,
): Promise<void> {
  // What was typed or piped in can be read once.
  const input = files.includes("-") ? await read("-", tools) : undefined;
  const noteAll = once(async () => {
    for (const file of files) if (file !== "-") await read(file, tools);
    await tools.permits?.settle();
  });
  if (tools.permits?.by === "person") await noteAll();
  const found = new Map<string, { readonly member: Member<never>; readonly at: number }[]>();
  await sideBySide(files, concurrency, async (file, at) => {
    const prospect = (file === "-" && input) || (await read(file, tools));
    if (prospect.value) {
      const isRefused = tools.permits?.refusal(prospect.value.recipients) !== undefined;
      if (isRefused && tools.permits?.by === "list") await noteAll();
      const { key } = prospect.value.identity;
      const { value: _let, ...member } = prospect;
      found.set(key, [...(found.get(key) ?? []), { member, at }]);
    }
    take(await advanceOne(prospect, io, (each) => plan(each, tools, wishes)), at);
  });
  for (const twins of found.values()) {
    if (twins.length < 2) continue;
    const named = twins
      .toSorted((one, other) => one.at - other.at)
      .map(({ member }) => member.file);
    for (const { member, at } of twins) take(failed(member, twice(member, named)), at);
  }
  tellUnseen(tools);
}

/** A plan that looks at no portal, because nobody has said which hosts are meant, must not pass for one that did. */
export function tellUnseen({ permits, notice }: Tools): void {
  const refusal = permits?.by === "list" ? undefined : permits?.refusal();
  if (!refusal) return;
  notice(
    `warning: Not every portal was looked at; the plan compares with what was applied last. ${refusal.message}\n${refusal.help ?? ""}`,
  );
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}

export function planAll(
  prospects: readonly Member<Prospect>[],
  tools: Tools,
  wishes: Wishes,
  bound: Bound,
): Promise<Member<Planned>[]> {
  return advance(prospects, bound, (prospect) => plan(prospect, tools, wishes));
}

export interface Applying extends Waiting {
  readonly wishes: Wishes;
  /** What a saved plan says of a portal; absent where there is none. */
  readonly saved?: (planned: Planned) => Plan | undefined;
  /** Asked once, with every plan that can be carried out; absent where nobody is to be asked. */
  readonly confirm?: (results: readonly PortalResult[]) => Promise<boolean>;
  readonly onStep?: (portal: Identity, step: Step) => void;
}

/** Plans all, has them confirmed, and carries out those that can be. */
export async function applyAll(
  prospects: readonly Member<Prospect>[],
  tools: Tools,
  { wishes, lockTimeoutMs, mayWait, saved, confirm, onStep }: Applying,
  bound: Bound,
): Promise<PortalResult[]> {
  const waiting = { lockTimeoutMs, mayWait };
  const quiet = await advance(prospects, bound, (each) =>
    awaitOutcome(each, tools, "apply", waiting),
  );
  const planned = await planAll(quiet, tools, wishes, bound);
  const fit = await advance(planned, bound, async (each) => {
    // A secret that was lost must not read like "nothing to do".
    if (each.unable) throw each.unable;
    if (isSettled(each)) return each;
    const before = saved?.(each);
    if (before) assertFresh(before, each.plan);
    assertApplicable(each, tools);
    return each;
  });
  const results = (after: readonly Member<unknown>[], done: Status) =>
    planned.map((member, at) => resultOf(member, done, after[at]?.failure));
  const isAnything = fit.some(({ value }) => value && !isNothingToDo(value.plan));
  if (isAnything && confirm && !(await confirm(results(fit, "changes")))) {
    const declined = new Failure("declined", "Nothing was applied, because nobody said yes.");
    return results(
      fit.map((member) =>
        member.value && !isSettled(member.value) ? failed(member, declined) : member,
      ),
      "applied",
    );
  }
  const isConfirmed = confirm !== undefined || saved !== undefined;
  const applied = await advance(fit, bound, async (each, { portal }) => {
    if (isSettled(each)) return each.plan;
    const options = { ...wishes, ...waiting, isConfirmed };
    return apply(each, tools, options, (step) => onStep?.(portal, step));
  });
  return planned.map((member, at) => {
    const { value, failure } = applied[at] ?? {};
    // Where nobody was asked, what was carried out may be another plan than the first.
    const now =
      member.value && value ? { ...member, value: { ...member.value, plan: value } } : member;
    const result = resultOf(now, "applied", failure);
    return failure ? result : afterwards(result, tools);
  });
}

/** What the plan said of an unknown outcome, or of a hold that the file agrees with, is over once it is carried out. */
function afterwards(result: PortalResult, { notice }: Tools): PortalResult {
  const { plan, hold, portal } = result;
  const isLifted = hold?.isAgreed === true;
  if (isLifted) {
    notice(`The hold on "${portal.name}" is ended, because the file agrees with it.`);
  }
  return {
    ...result,
    hold: isLifted ? null : hold,
    plan: plan && {
      ...plan,
      isJournalOpen: false,
      notes: plan.notes.filter(({ code }) => code !== "outcome-unknown"),
    },
  };
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: Planned): boolean {
  return isNothingToDo(plan) && !state?.hold;
}

/** What became of a member whose plan was made; `done` where it went well and there was something to do. */
export function resultOf(
  { file, portal, value, failure: before }: Member<Planned>,
  done: Status,
  failure = before,
): PortalResult {
  const { plan = null, state } = value ?? {};
  const hold = state?.hold;
  return {
    file,
    portal,
    status: failure ? statusOf(failure) : plan && isNothingToDo(plan) ? "unchanged" : done,
    plan,
    hold:
      hold && plan
        ? {
            since: hold.since,
            by: hold.by.actor,
            why: hold.why,
            isAgreed: disagreements(plan, hold).length === 0,
          }
        : null,
    failure: failure ? { code: failure.code, message: failure.message, help: failure.help } : null,
    exit: failure?.exit ?? EXIT.done,
  };
}

/** Of all members, each diagnostic once. */
export function diagnosticsOf(members: readonly Member<unknown>[]): Diagnostic[] {
  return acrossFiles(members.map(({ diagnostics }) => diagnostics));
}

async function read(file: string, tools: Tools): Promise<Member<Prospect>> {
  const unknown: Identity = { name: file, url: "", id: "self" };
  let member: Member<Prospect> = { file, portal: unknown, diagnostics: [] };
  try {
    const { root, diagnostics, paths } = await checkFile(file, tools.io);
    member = { ...member, diagnostics };
    if (!root || hasErrors(diagnostics)) return failed(member, invalid(file));
    const desired = desiredOf(file, root, paths);
    const { name, id, url = "" } = desired.portal;
    member = { ...member, portal: { name, url, id } };
    portalUrlOf(desired);
    const value = prepare(desired, tools);
    tools.permits?.note(value.recipients);
    return { ...member, portal: value.portal, value };
  } catch (error) {
    return failed(member, asFailure(error, tools.io.signal.aborted));
  }
}

function failed<T>({ file, portal, diagnostics }: Member<T>, failure: Failure): Member<T> {
  return { file, portal, diagnostics, failure };
}

function invalid(file: string): Failure {
  return new Failure(
    "file-invalid",
    `"${file}" has errors, so that it is not known what it wants.`,
    `See them:\n  lintel validate ${shellWord(file)}`,
  );
}

function twice({ file, portal }: Member<unknown>, files: readonly string[]): Failure {
  const others = files.filter((each) => each !== file).map((each) => `"${each}"`);
  return new Failure(
    "same-portal-twice",
    `"${file}" and ${others.join(", ")} are about the same portal, "${portal.url}" (${portal.id}).`,
    "Name one of them, or make one file of them.",
  );
}

function statusOf({ code }: Failure): Status {
  switch (code) {
    case "held":
      return "held";
    case "interrupted":
    case "declined":
      return "skipped";
    default:
      return "failed";
  }
}
