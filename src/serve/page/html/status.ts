// A portal's status → its word, its sign and its look; and how many portals have each.
import { html, type Html } from "../../../pages/html.js";
import { counted, grouped } from "../../../text.js";
import { STATUSES, type Seen, type Status } from "../board.js";

interface Look {
  /** Beside a sign, so that no colour alone tells it. */
  readonly word: string;
  readonly sign: string;
  /** Of several portals, after their number: "3 failed". */
  readonly said: string;
  /** Whether somebody may have to do something. */
  readonly isTrouble: boolean;
}

export const LOOKS: Readonly<Record<Status, Look>> = {
  failed: { word: "Failed", sign: "✕", said: "failed", isTrouble: true },
  unreachable: { word: "Unreachable", sign: "⊘", said: "cannot be reached", isTrouble: true },
  stopped: { word: "Stopped", sign: "■", said: "stopped", isTrouble: true },
  held: { word: "Held", sign: "‖", said: "held", isTrouble: true },
  drifted: { word: "Drifted", sign: "≠", said: "drifted", isTrouble: true },
  changing: { word: "Changing", sign: "→", said: "changing", isTrouble: false },
  unknown: { word: "Not looked at", sign: "…", said: "not looked at yet", isTrouble: false },
  wanted: { word: "As wanted", sign: "✓", said: "as wanted", isTrouble: false },
};

export type Counts = Readonly<Record<Status, number>>;

export function countsOf(portals: readonly Seen[]): Counts {
  const counts = Object.fromEntries(STATUSES.map((each) => [each, 0])) as Record<Status, number>;
  for (const { status } of portals) counts[status]++;
  return counts;
}

/** What a reader takes home. */
export function verdictOf(counts: Counts): string {
  const all = STATUSES.reduce((sum, each) => sum + counts[each], 0);
  if (all === 0) return "No portals yet.";
  const part = (each: Status) => `${grouped(counts[each])} ${LOOKS[each].said}`;
  const trouble = STATUSES.filter((each) => LOOKS[each].isTrouble && counts[each] > 0);
  const rest = (["changing", "unknown"] as const).filter((each) => counts[each] > 0);
  if (trouble.length > 0) {
    const troubled = trouble.reduce((sum, each) => sum + counts[each], 0);
    const who =
      troubled === all && all === 1
        ? "The portal"
        : `${grouped(troubled)} of ${counted(all, "portal")}`;
    return `${who} may need somebody: ${trouble.map(part).join(", ")}.`;
  }
  if (rest.length > 0)
    return `No portal needs anybody: ${[...rest, ...(counts.wanted > 0 ? ["wanted" as const] : [])].map(part).join(", ")}.`;
  return all === 1
    ? "The portal is as its file wants it."
    : `All ${counted(all, "portal")} are as their files want them.`;
}

export function renderStatus(status: Status): Html {
  const { word, sign } = LOOKS[status];
  return html`<span class="pill is-${status}"
    ><span aria-hidden="true">${sign}</span> ${word}</span
  >`;
}
