// A portal's status → its word, its sign and its look; and how many portals have each.
import { html, type Html } from "../../../lib/html.js";
import { counted, grouped } from "../../../lib/text.js";
import { STATUSES, type Seen, type Status } from "../board.js";

interface Look {
  /** The style sheet adds a sign, so that neither colour nor word alone tells it. */
  readonly word: string;
  /** Of several portals, after their number: "3 failed". */
  readonly said: string;
  /** Whether somebody may have to do something. */
  readonly isTrouble: boolean;
}

export const LOOKS: Readonly<Record<Status, Look>> = {
  failed: { word: "Failed", said: "failed", isTrouble: true },
  unreachable: { word: "Unreachable", said: "cannot be reached", isTrouble: true },
  stopped: { word: "Stopped", said: "stopped", isTrouble: true },
  held: { word: "Held", said: "held", isTrouble: true },
  drifted: { word: "Drifted", said: "drifted", isTrouble: true },
  changing: { word: "Changing", said: "changing", isTrouble: false },
  unknown: { word: "Not looked at", said: "not looked at yet", isTrouble: false },
  wanted: { word: "As wanted", said: "as wanted", isTrouble: false },
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
  // A number does not stand at the end of a line.
  const part = (each: Status) => `${grouped(counts[each])}\u00a0${LOOKS[each].said}`;
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
  return html`<span class="pill is-${status}">${LOOKS[status].word}</span>`;
}
