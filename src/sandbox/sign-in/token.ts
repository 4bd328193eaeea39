// Who a token speaks for: made, sealed with the sandbox's own key, and read again; a broken, old or revoked one reads as nothing.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { ADVANCED, findSetting } from "../../catalog/catalog.js";
import type { PortalConfigProperties } from "../../../schemas/names.js";
import { isJsonObject } from "../../lib/json.js";
import type { SandboxContext } from "../context.js";
import type { Memory } from "../memory.js";

export interface Claims {
  readonly sub: string;
  /** In seconds, as in every JWT. */
  readonly exp: number;
  /** A token of the sign-in service is a JWT; the portal's own is opaque, as is the browser's cookie. */
  readonly kind: "sign-in" | "portal" | "browser";
  /** The only Referer with which the token is good. */
  readonly referer?: string;
  /** The only client address from which the token is good. */
  readonly ip?: string;
  /** Made for an application on a portal that gives those no administrative privileges. */
  readonly isPowerless?: boolean;
}

interface Sealed extends Claims {
  readonly generation: number;
  readonly jti: string;
}

const JWT_HEADER = encode({ alg: "HS256", typ: "JWT" });

export function createTokens(memory: Memory, now: () => number) {
  const seal = (text: string) =>
    createHmac("sha256", memory.read().signingKey).update(text).digest("base64url");
  const readClaims = (token: string): Sealed | undefined => {
    const parts = token.split(".");
    const [payload, given] = parts.slice(-2);
    if (payload === undefined || given === undefined) return undefined;
    const header = parts.length === 3 ? parts[0] : JWT_HEADER;
    if (!isSame(given, seal(`${header}.${payload}`))) return undefined;
    // Read only after its seal was checked, so that it holds what issue() wrote.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Sealed;
    const { generation, revoked = {} } = memory.read();
    const isOver = claims.generation !== generation || claims.exp * 1000 <= now();
    return isOver || claims.jti in revoked ? undefined : claims;
  };
  return {
    issue(about: Omit<Claims, "exp">, lifetimeS: number) {
      const iat = Math.floor(now() / 1000);
      const exp = iat + lifetimeS;
      const { generation } = memory.read();
      const payload = encode({ ...about, exp, iat, jti: randomUUID(), generation });
      const signed = `${JWT_HEADER}.${payload}`;
      // Both are signed in the same way; without a header in front, the opaque one does not look like a JWT.
      const front = about.kind === "sign-in" ? signed : payload;
      return { token: `${front}.${seal(signed)}`, exp };
    },
    /** undefined for a token that is forged, expired, revoked or of an account that is gone. */
    read(token: string) {
      const claims = readClaims(token);
      const account = memory.read().accounts.find((each) => each.username === claims?.sub);
      return claims && account && { claims, account };
    },
    /** Ends a token that reads well; undone by nothing. */
    revoke(token: string) {
      const claims = readClaims(token);
      if (!claims) return;
      // An expired one need not be remembered.
      const kept = Object.entries(memory.read().revoked ?? {}).filter(
        ([, exp]) => exp * 1000 > now(),
      );
      memory.change({ revoked: { ...Object.fromEntries(kept), [claims.jti]: claims.exp } });
    },
  };
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** In minutes: as the portal's own settings say, else as long as the documented default. */
export function tokenLifetime({ memory }: SandboxContext, name: keyof PortalConfigProperties) {
  const advanced = memory.read().portals["self"]?.[ADVANCED];
  const set = isJsonObject(advanced) ? advanced[name] : undefined;
  return typeof set === "number" && set > 0
    ? set
    : Number(findSetting([ADVANCED, name])?.property?.default);
}
