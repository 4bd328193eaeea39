// A portal that is looked at, again and again → its home as anybody meets it, or why it cannot be shown.
import type { PortalFile } from "../document/read/desired.js";
import { Failure } from "../failure.js";
import type { JsonObject } from "../lib/json.js";
import type { Card } from "./client/news.js";
import { html, toText, type Html, renderText } from "../lib/html.js";
import { homesByAddress } from "./homes.js";
import type { Seen } from "./card.js";

/** The settings that a file's portal shows to anybody; a failure where it shows none, or may not be asked. */
export type LookAtPortal = (desired: PortalFile) => Promise<JsonObject>;

export interface Live {
  readonly card: NonNullable<Card["live"]>;
  readonly seen?: Seen;
}

export const LOOKING = unseen(html`<p>Looking at the portal …</p>`);
const NOT_RIGHT = unseen(html`<p>Which portal it is, the file says once it is right.</p>`);

function unseen(why: Html): Live {
  return { card: { note: toText(why), homes: null } };
}

/** Where what anybody sees of a portal says nothing. */
const UNSHOWN = "unknown, as the portal shows none to anybody.";

/** Never rejects: a portal that cannot be shown must not end the preview of the file. */
export async function liveOf(
  at: number,
  desired: PortalFile | undefined,
  look: LookAtPortal,
): Promise<Live> {
  if (!desired) return NOT_RIGHT;
  try {
    const seen = { name: desired.portal.name, settings: await look(desired), unsaid: UNSHOWN };
    return { seen, card: { note: "", homes: homesByAddress("live", at, seen) } };
  } catch (error) {
    return unseen(renderFailure(error));
  }
}

function renderFailure(error: unknown): Html {
  const isKnown = error instanceof Failure;
  const message = isKnown ? error.message : `This is a bug in Lintel: ${(error as Error).message}`;
  const help = isKnown ? error.help : undefined;
  return html`<div class="problem warning">
    <p class="message">${renderText(message)}</p>
    ${help === undefined ? undefined : html`<p class="help">${renderText(help)}</p>`}
  </div>`;
}
