// How portals stand → text for a terminal: the last apply, what holds the next one up, what it would do, and the command.
import type { Plan } from "../../../plan/plan.js";
import type { PortalResult } from "../../../plan/result.js";
import { appliesOf, type State } from "../../../state/state.js";
import type { Trust } from "../../../state/trust/signature.js";
import { counted } from "../../../text.js";
import { countsText } from "../../model/verdict.js";
import { failureText } from "../diagnostic.js";
import { inColumns, legendOf, wordsFor } from "../layout.js";
import type { Paint } from "../paint.js";
import { titleOf } from "./portal.js";
import { entryHead, holdText, lockText, TRUST, type Held } from "../state.js";

export interface Standing {
  readonly result: PortalResult;
  /** Otherwise it could not be read, or nobody knows which one it is. */
  readonly isStateKnown: boolean;
  readonly state: State | undefined;
  /** How long the update of an open journal may still be on its way. */
  readonly unknownMs: number;
  readonly holder: Held;
  /** Then nobody waits for its lock. */
  readonly isHolderGone: boolean;
  /** Whether somebody signed the state, and this run could see that. */
  readonly signature: Trust | null;
  /** The command that goes on from here. */
  readonly next: string;
}

export function statusText(standings: readonly Standing[], paint: Paint): string {
  const changes = standings.flatMap(({ result }) => result.plan?.changes ?? []);
  const isOpen = standings.some(({ state }) => state?.journal);
  const legend = legendOf([...wordsFor(changes), ...(isOpen ? (["journal"] as const) : [])], paint);
  const told = standings.map((each) => standingText(each, paint));
  return [...told, ...(legend ? [legend] : [])].join("\n");
}

function standingText(standing: Standing, paint: Paint): string {
  const { result, isStateKnown, state, unknownMs, holder, isHolderGone, signature, next } =
    standing;
  const { plan, failure } = result;
  const { hold, journal } = state ?? {};
  const last = state && appliesOf(state).at(-1);
  const unknown = unknownMs > 0 ? ` for up to ${Math.ceil(unknownMs / 1000)} s` : "";
  const open =
    journal &&
    `open since ${paint.time(journal.time)}: the outcome of this ${journal.kind} is unknown${unknown}`;
  const rows = [
    ["last apply", last ? entryHead(last, paint) : isStateKnown ? "never" : "not known"],
    ["hold", hold && holdText(hold, paint)],
    ["lock", holder && lockText(holder, paint) + (isHolderGone ? "; that process is gone" : "")],
    ["journal", open],
    ["signature", signature === "not-verified" ? TRUST[signature] : undefined],
    ["changes", plan ? changesOf(plan) : undefined],
    ["next", next],
  ] as const;
  const told = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [[`  ${name}`, text] as const],
  );
  return [
    titleOf(result, paint),
    ...inColumns(told, paint),
    ...(failure ? [failureText(failure, paint).trimEnd()] : []),
    "",
  ].join("\n");
}

function changesOf({ changes, guards, comparedWith, applicable }: Plan): string {
  const closed = guards.filter(({ isOpen }) => !isOpen).length;
  const stops = closed > 0 ? `; stopped by ${counted(closed, "guard")}` : "";
  const basis =
    comparedWith === "last" || comparedWith === "nothing"
      ? " (the portal was not read)"
      : applicable
        ? ""
        : " (as far as anybody can see without signing in)";
  return `${countsText(changes, false) || "none"}${stops}${basis}`;
}
