// Labels the status of a portal.
import { html, type Html } from "../../../lib/html.js";
import { STATUSES, type Status } from "../../snapshot.js";

export { STATUSES, type Status };

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
