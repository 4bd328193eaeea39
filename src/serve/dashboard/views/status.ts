// Labels the status of a portal, and summarises it in a sentence.
import { html, type Html } from "../../../lib/html.js";
import { listed } from "../../../lib/text.js";
import { STATUSES, type Snapshot, type Status } from "../../snapshot.js";
import { namesOf } from "./change-list.js";

export { STATUSES, type Status };

export const LABELS: Readonly<Record<Status, string>> = {
  invalid: "Invalid",
  unreachable: "Unreachable",
  drifted: "Drifted",
  held: "Held",
  blocked: "Blocked",
  pending: "Pending",
  unknown: "Not checked yet",
  "in-sync": "In sync",
};

export function renderStatus(status: Status): Html {
  return html`<span class="pill is-${status}">${LABELS[status]}</span>`;
}

/** What differs, or why that is unknown; "" if nothing differs. */
export function differenceOf({ failure, drift, waiting, needs, guards = [] }: Snapshot): string {
  if (failure) return failure.message;
  if (drift.length > 0) return `Changed on the portal: ${namesOf(drift)}.`;
  if (waiting.length === 0) return "";
  if (guards.length > 0) {
    const names = [...new Set(guards)].map((each) => `"${each}"`);
    return `Blocked by the guard${names.length > 1 ? "s" : ""} ${listed(names)}: ${namesOf(waiting)}.`;
  }
  const lacking = needs ? ` The worker that checked it has no "--apply ${needs.join(",")}".` : "";
  return `Not applied yet: ${namesOf(waiting)}.${lacking}`;
}

/** One sentence about a portal, for any status. */
export function summaryOf(snapshot: Snapshot): string {
  if (snapshot.status === "in-sync") return "The portal matches its file.";
  if (snapshot.status === "unknown") return "Lintel has not checked the portal at this commit yet.";
  return differenceOf(snapshot);
}
