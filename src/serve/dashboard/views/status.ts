// The statuses of a portal in the order in which they need attention, with their labels.
import { html, type Html } from "../../../lib/html.js";

/** Replaces the type of the same name in known.ts. */
export const STATUSES = [
  "invalid",
  "unreachable",
  "drifted",
  "held",
  "pending",
  "unknown",
  "in-sync",
] as const;
export type Status = (typeof STATUSES)[number];

export const LABELS: Readonly<Record<Status, string>> = {
  invalid: "Invalid",
  unreachable: "Unreachable",
  drifted: "Drifted",
  held: "Held",
  pending: "Pending",
  unknown: "Not checked yet",
  "in-sync": "In sync",
};

export function renderStatus(status: Status): Html {
  return html`<span class="pill is-${status}">${LABELS[status]}</span>`;
}
