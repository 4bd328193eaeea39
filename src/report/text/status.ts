// How portals stand → text for a terminal: the last apply, what holds the next one up, what it would do, and the command.
import type { PortalResult } from "../../plan/result.js";
import type { State } from "../../state/state.js";
import type { Holder } from "../../state/store.js";
import { inColumns } from "./layout.js";
import { type Paint } from "./paint.js";
import { counted, oneLine } from "../../text.js";
import { titleOf } from "./portal.js";
import { entryHead, holderText, holdText } from "./state.js";
import { failureText } from "./diagnostic.js";
import { numbersOf } from "../model/wording.js";
import { legendOf, wordsFor } from "../model/words.js";

export interface Standing {
  readonly result: PortalResult;
  /** Otherwise it could not be read, or nobody knows which one it is. */
  readonly isStateKnown: boolean;
  readonly state: State | undefined;
  /** How long the update of an open journal may still be on its way. */
  readonly unknownMs: number;
  readonly holder: Holder | undefined;
  /** Then nobody waits for its lock. */
  readonly isHolderGone: boolean;
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
  const { result, isStateKnown, state, unknownMs, holder, isHolderGone, next } = standing;
  const { plan, failure } = result;
  const last = state?.history.at(-1);
  const rows: [string, string][] = [
    ["last apply", last ? entryHead(last, paint) : isStateKnown ? "never" : "not known"],
    ...(state?.hold ? [["hold", holdText(state.hold, paint)] as [string, string]] : []),
    ...(holder
      ? [
          ["lock", holderText(holder, paint) + (isHolderGone ? "; that process is gone" : "")] as [
            string,
            string,
          ],
        ]
      : []),
    ...(state?.journal
      ? [
          [
            "journal",
            `open since ${paint.time(state.journal.time)}: the outcome of this ${state.journal.kind} is unknown${unknownMs > 0 ? ` for up to ${Math.ceil(unknownMs / 1000)} s` : ""}`,
          ] as [string, string],
        ]
      : []),
    ...(plan ? [["changes", changesOf(result)] as [string, string]] : []),
    ["next", next],
  ];
  return [
    titleOf(result, paint),
    ...inColumns(rows.map(([left, right]) => [`  ${left}`, oneLine(right)])),
    ...(failure ? [failureText(failure, paint).trimEnd()] : []),
    "",
  ].join("\n");
}

function changesOf({ plan }: PortalResult): string {
  if (!plan) return "";
  const { set, adopt, release } = numbersOf(plan.changes);
  const parts = [
    ...(set ? [`${set} to set`] : []),
    ...(adopt ? [`${adopt} to adopt`] : []),
    ...(release ? [`${release} to release`] : []),
  ];
  const closed = plan.guards.filter(({ isOpen }) => !isOpen).length;
  const guards = closed > 0 ? `; stopped by ${counted(closed, "guard")}` : "";
  const basis =
    plan.comparedWith === "last" || plan.comparedWith === "nothing"
      ? " (the portal was not read)"
      : plan.applicable
        ? ""
        : " (as far as anybody can see without signing in)";
  return `${parts.length > 0 ? parts.join(", ") : "none"}${guards}${basis}`;
}
