// What was told of a portal's history × the history → the entries that nobody was told of, whoever applied them.
import { changeJson, pathsIn } from "./changes.js";
import type { Told } from "./event.js";
import type { History } from "../../apply/reconcile.js";
import { isSent } from "../../settings.js";
import { appliesOf, authorText, type Applied, type SettledChange } from "../../state/state.js";
import { counted, listed } from "../../lib/text.js";

/** The newest entry that was told, or that stood there when nobody had looked yet. */
export interface ToldOf {
  /** Absent where there was no state. */
  readonly lineage?: string;
  /** Of the newest apply; 0 before the first. */
  readonly number: number;
}

export function newestOf(state: History | undefined): ToldOf {
  if (!state) return { number: 0 };
  const { lineage } = state;
  return { lineage, number: appliesOf(state).at(-1)?.number ?? 0 };
}

/** Of a state that was begun anew, those since the last look. */
export function entriesSince(
  { lineage, number }: ToldOf,
  state: History | undefined,
  lookedMs: number,
): readonly Applied[] {
  if (!state) return [];
  const isNew = (each: Applied) =>
    state.lineage === lineage ? each.number > number : Date.parse(each.time) >= lookedMs;
  return appliesOf(state).filter(isNew);
}

const REASONS: Readonly<Record<SettledChange["cause"], string>> = {
  file: "from the file",
  schedule: "for a window",
  drift: "to restore drift",
  rollback: "for a rollback",
};

/** `rest`: what nothing else tells of it. */
export function appliedNews(
  { kind, number, time, by, outcome }: Applied,
  rest: readonly SettledChange[],
  { lineage }: History,
): Told {
  const isKnown = outcome === undefined;
  const sent = rest.filter(isSent);
  const noted = rest.length - sent.length;
  const reasons = [...new Set(sent.map(({ cause }) => REASONS[cause]))];
  const isBack = kind === "rollback";
  const message = [
    ...(sent.length > 0 && isKnown
      ? [
          isBack
            ? `${authorText(by)} rolled back ${pathsIn(sent)}.`
            : `${authorText(by)} applied ${pathsIn(sent)} ${listed(reasons)}.`,
        ]
      : []),
    ...(sent.length > 0 && !isKnown
      ? [`${authorText(by)} sent ${pathsIn(sent)}; the outcome is unknown.`]
      : []),
    ...(noted > 0 ? [`Recorded ${counted(noted, "setting")} without sending anything.`] : []),
  ].join(" ");
  const more = {
    changes: rest.map(changeJson),
    number,
    lineage,
    appliedAt: time,
    by: { ...by },
    ...(!isKnown && { outcome }),
  };
  return { kind: "applied", message, isProblem: false, more, fact: [lineage, number] };
}
