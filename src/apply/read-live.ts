// A portal as a run can reach it → what it shows, to the signed-in administrator or else to anybody.
import type { PortalContext } from "./portal-context.js";
import { Failure, type FailureCode } from "../failure.js";
import type { Live, Options } from "../plan/inputs.js";
import { readView, readViewAgain } from "../portal/view.js";

interface Read {
  readonly live: Live;
  readonly unable?: Failure;
}

const UNABLE: readonly FailureCode[] = ["credential-missing", "no-sign-in"];

/** Without credentials it reads what anybody can see, and says why. */
export async function readLive(
  portal: PortalContext,
  { compareWith }: Pick<Options, "compareWith">,
  notice: (sentence: string) => void,
): Promise<Read> {
  const { desired, access } = portal;
  if (!desired.portal.mayRead) return { live: { kind: "unread", why: "never" } };
  if (compareWith === "last") return { live: { kind: "unread", why: "not-asked" } };
  let unable: Failure;
  try {
    if (portal.unable) throw portal.unable;
    return { live: { kind: "read", view: "signed-in", ...(await readView(access)) } };
  } catch (error) {
    // Otherwise nothing was tried, since there was nothing to try it with.
    const isUnable = error instanceof Failure && UNABLE.includes(error.code);
    if (!isUnable) throw withWayOut(error);
    unable = error;
  }
  const { token: _none, ...anybody } = access;
  try {
    return { live: { kind: "read", view: "anonymous", ...(await readView(anybody)) }, unable };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "interrupted") throw error;
    notice(`"${desired.portal.name}" cannot be read without signing in: ${error.message}`);
    return { live: { kind: "unread", why: "failed" }, unable };
  }
}

/** For a portal that may not be looked at. */
export function unread({ desired }: PortalContext, unable: Failure): Read {
  return { live: { kind: "unread", why: desired.portal.mayRead ? "failed" : "never" }, unable };
}

/** A second look at what was read before; the version is known by then. */
export async function readLiveAgain({ access }: PortalContext, before: Live): Promise<Live> {
  if (before.kind === "unread") return before;
  const { account: _then, unproven: _before, ...known } = before;
  return { ...known, ...(await readViewAgain(access)) };
}

/** A portal that takes updates and shows nothing is no portal that is down. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== "portal-refused") return error;
  return new Failure(
    error.code,
    error.message,
    `${error.help ?? ""}\nA portal whose settings cannot be read is planned from what was applied last:\n  portal:\n    read: never`,
    { cause: error },
  );
}
