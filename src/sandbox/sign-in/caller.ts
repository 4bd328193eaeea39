// A request's token, wherever it travels → who calls the portal, or the error for a token that is not good.
import { bearer, type Incoming } from "../server/reply.js";
import { INACTIVE, INVALID_TOKEN, type Refusal } from "../portal/refusal.js";
import type { Account } from "../memory.js";
import { isAdministrative } from "../options.js";
import type { SandboxContext } from "../context.js";

export interface Caller {
  readonly account: Account;
  readonly isAdministrator: boolean;
}

/** A request to the portal, with its form. */
export interface Call {
  readonly context: SandboxContext;
  readonly incoming: Incoming;
  readonly form: URLSearchParams;
  /** Absent for somebody who shows no token, and where nobody asks who calls. */
  readonly caller?: Caller;
}

export function identify({ context, incoming, form }: Call): { caller?: Caller } | Refusal {
  const token =
    // First of all, because a web tier may have put its own credentials into the other header.
    bearer([incoming.headers["x-esri-authorization"]].flat()[0]) ??
    (form.get("token") || undefined) ??
    (incoming.query.get("token") || undefined) ??
    bearer(incoming.headers.authorization);
  if (token === undefined) return {};
  const found = context.tokens.read(token);
  if (!found || found.claims.kind === "browser") return INVALID_TOKEN;
  const { account, claims } = found;
  const isElsewhere =
    (claims.referer !== undefined && !isBelow(claims.referer, incoming.headers.referer)) ||
    (claims.ip !== undefined && claims.ip !== incoming.address);
  if (isElsewhere) return INVALID_TOKEN;
  if (!account.isActive) return INACTIVE;
  const isAdministrator = isAdministrative(account.role) && claims.isPowerless !== true;
  return { caller: { account, isAdministrator } };
}

/** A token made for an address is good for the pages below it; one made for another text, for that text alone. */
function isBelow(bound: string, referer: string | undefined): boolean {
  if (referer === bound) return true;
  if (!/^https?:/i.test(bound) || !URL.canParse(bound) || !URL.canParse(referer ?? ""))
    return false;
  const [above, page] = [new URL(bound), new URL(referer ?? "")];
  const folder = above.pathname.replace(/\/*$/, "/");
  return page.origin === above.origin && `${page.pathname}/`.startsWith(folder);
}
