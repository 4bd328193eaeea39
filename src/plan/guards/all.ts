// Lists every guard in the order of reports: what it blocks, and what to check before allowing it.
import type { GuardName } from "../../guard.js";
import type { Path } from "../../settings.js";
import type { Difference } from "../diff.js";
import type { Inputs } from "../inputs.js";
import type { PlannedRequest } from "../request.js";
import { disableNotice } from "./disable-notice.js";
import { disconnect } from "./disconnect.js";
import { olderCheckout } from "./older-checkout.js";
import { olderPortal } from "./older-portal.js";
import { overwriteDrift } from "./overwrite-drift.js";
import { shrinkList } from "./shrink-list.js";
import { tokenLifetime } from "./token-lifetime.js";
import { unreadPortal } from "./unread-portal.js";
import { wideChange } from "./wide-change.js";

export interface GuardRule {
  /** What it blocks; the manual and `lintel explain` show it after "stops". */
  readonly stops: string;
  /** What to check before allowing it, and what to do instead. */
  readonly help: string;
  /** Does not block the settings of a window that opens or closes, because a review has approved both values. */
  readonly isOpenAtBoundary?: true;
  find(planned: Planned): readonly Finding[];
}

export interface Planned {
  readonly inputs: Inputs;
  /** The changes that the request sends; at least one. */
  readonly sent: readonly Difference[];
  /** Null if the plan is not applicable. */
  readonly request: PlannedRequest | null;
}

export interface Finding {
  /** Null for the plan as a whole. */
  readonly path: Path | null;
  readonly message: string;
  /** Whether `lintel pull` can write the portal's value into the file. */
  readonly canPull?: true;
}

export const GUARD_RULES: Readonly<Record<GuardName, GuardRule>> = {
  "disable-notice": disableNotice,
  disconnect,
  "shrink-list": shrinkList,
  "wide-change": wideChange,
  "older-portal": olderPortal,
  "overwrite-drift": overwriteDrift,
  "older-checkout": olderCheckout,
  "token-lifetime": tokenLifetime,
  "unread-portal": unreadPortal,
};
