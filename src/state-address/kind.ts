// What each kind of place for states says of itself: how its addresses begin, what they look like, and whom they give credentials to.
import type { Io } from "../io.js";

export interface KindOfPlace {
  /** What such an address begins with, without the colon. */
  readonly schemes: readonly string[];
  /** One to begin with. */
  readonly example: string;
  /** Continues "It keeps states in". */
  readonly noun: string;
  /** What it is, and for whom; manual, README and the question of init say it so. */
  readonly reason: string;
  /** A regular expression for the schema, which has no other way to tell a slip. */
  readonly pattern: string;
  /** Its address says as whom, which is no secret. */
  readonly namesUser?: true;
  /** Whom credentials go to; absent where there are none, or where another program sees to them. */
  readonly recipientOf?: (address: string, env: Io["env"]) => URL | undefined;
  /** Whether it is such an address, as far as that shows with its references replaced; absent where that shows when it is used. */
  readonly isFit?: (address: string) => boolean;
  /** One address keeps the state of one portal. */
  readonly isForOne?: true;
}
