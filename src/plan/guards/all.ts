// Every guard, in the order in which they are told: what it stops, how much is at stake, and what to do before opening it.
import type { GuardName } from "../../guard.js";
import type { Path } from "../../settings.js";
import type { Difference } from "../diff.js";
import type { Inputs } from "../inputs.js";
import type { PlannedRequest } from "../request.js";
import { disableNotice } from "./disable-notice.js";
import { disconnect } from "./disconnect.js";
import { olderPortal } from "./older-portal.js";
import { overwriteDrift } from "./overwrite-drift.js";
import { shrinkList } from "./shrink-list.js";
import { tokenLifetime } from "./token-lifetime.js";
import { unreadPortal } from "./unread-portal.js";
import { wideChange } from "./wide-change.js";

export interface GuardRule {
  /** What would be done to the portal; the manual and `lintel explain` say it after "stops". */
  readonly stops: string;
  /** What to look at before opening it, and what to do instead. */
  readonly help: string;
  /** For the settings of a window, when it opens or closes: a review has seen both. */
  readonly isOpenAtBoundary?: true;
  find(planned: Planned): readonly Finding[];
}

export interface Planned {
  readonly inputs: Inputs;
  /** The changes that travel to the portal: one at least. */
  readonly sent: readonly Difference[];
  /** Null where nothing may be sent. */
  readonly request: PlannedRequest | null;
}

export interface Finding {
  /** Null for what concerns the plan as a whole. */
  readonly path: Path | null;
  readonly message: string;
  /** Then the file can take over what the portal shows there, instead of what it says. */
  readonly canPull?: true;
}

export const GUARD_RULES: Readonly<Record<GuardName, GuardRule>> = {
  "disable-notice": disableNotice,
  disconnect,
  "shrink-list": shrinkList,
  "wide-change": wideChange,
  "older-portal": olderPortal,
  "overwrite-drift": overwriteDrift,
  "token-lifetime": tokenLifetime,
  "unread-portal": unreadPortal,
};
